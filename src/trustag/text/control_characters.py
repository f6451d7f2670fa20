"""Text from data made safe to display: invisible and direction-changing characters are shown as their code points.

These are zero-width and bidirectional controls, other control characters, unusual spaces, unpaired surrogates and
unassigned code points. With them, two labels could look the same on screen and still differ.
"""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final, Literal, NamedTuple

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
# Letters and marks that take up space or join others, but show nothing.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


class DisplayRun(NamedTuple):
    """A run of characters to display: visible text, or the code point of one invisible character."""

    text: str
    is_unseen: bool


def is_unseen(character: str) -> bool:
    """Tell whether ``character`` is invisible; of all blanks only the plain space counts as visible."""
    if character.isascii():
        return not character.isprintable()
    return character in _BLANK or unicodedata.category(character) in _UNSEEN


def code_point(character: str) -> str:
    r"""Return the code point of a character as text.

    >>> code_point("\u200b")
    'U+200B'
    """
    return f"U+{ord(character):04X}"


def display_runs(text: str) -> Iterator[DisplayRun]:
    r"""Yield ``text`` as runs; each invisible character is a run of its own, written as its code point.

    >>> list(display_runs("a\u202e"))
    [DisplayRun(text='a', is_unseen=False), DisplayRun(text='U+202E', is_unseen=True)]
    """
    for unseen, run in groupby(text, key=is_unseen):
        if unseen:
            yield from (DisplayRun(code_point(character), True) for character in run)
        else:
            yield DisplayRun("".join(run), False)


def direction(text: str) -> Literal["ltr", "rtl"]:
    r"""Return the direction of the first letter in ``text`` that has one.

    Browsers detect it themselves only if words are not isolated from one another.

    >>> direction("12 \u05e9\u05dc\u05d5\u05dd"), direction("12 times")
    ('rtl', 'ltr')
    """
    kinds = (unicodedata.bidirectional(character) for character in text)
    strong = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return "ltr" if strong == "L" else "rtl"
