"""Text from data made safe to look at: what cannot be seen, or would turn the text around, is spelled out.

Zero-width and bidirectional controls, other control characters, odd spaces, halves of surrogate pairs and code points
without a character all hide in plain sight; each is written as its code point, so that nobody is led astray by a label
that looks like another one.
"""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final, Literal, NamedTuple

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"})
# Letters and marks that take room or join others, but show nothing at all.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


class Piece(NamedTuple):
    """Some characters in a row: text to show, or the code point of a single one that nobody could see."""

    text: str
    is_unseen: bool


def is_unseen(character: str) -> bool:
    """Tell whether one cannot see ``character``; a plain space is the only blank that one can."""
    if character.isascii():
        return not character.isprintable()
    return character in _BLANK or unicodedata.category(character) in _UNSEEN


def code_point(character: str) -> str:
    r"""Return how a character is written that cannot be seen.

    >>> code_point("\u200b")
    'U+200B'
    """
    return f"U+{ord(character):04X}"


def pieces(text: str) -> Iterator[Piece]:
    r"""Yield ``text`` in pieces; what is unseen comes as its code point.

    >>> list(pieces("a\u202eb"))
    [Piece(text='a', is_unseen=False), Piece(text='U+202E', is_unseen=True), Piece(text='b', is_unseen=False)]
    """
    for unseen, run in groupby(text, key=is_unseen):
        if unseen:
            yield from (Piece(code_point(character), True) for character in run)
        else:
            yield Piece("".join(run), False)


def direction(text: str) -> Literal["ltr", "rtl"]:
    r"""Return the direction of the first letter in ``text`` that has one.

    Browsers tell it by themselves only where words are not kept apart from one another.

    >>> direction("12 \u05e9\u05dc\u05d5\u05dd"), direction("12 times")
    ('rtl', 'ltr')
    """
    kinds = (unicodedata.bidirectional(character) for character in text)
    strong = next((kind for kind in kinds if kind in {"L", "R", "AL"}), "L")
    return "ltr" if strong == "L" else "rtl"
