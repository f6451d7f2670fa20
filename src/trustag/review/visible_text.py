"""Text shown as it is: characters that cannot be seen, or that turn the text around them, are spelled out."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby
from typing import Final, Literal, NamedTuple

_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"})
_BLANK: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")  # letters and marks that show nothing


class Piece(NamedTuple):
    """Some characters in a row: text to show, or the name of a single one that nobody could see."""

    text: str
    is_unseen: bool


def pieces(text: str) -> Iterator[Piece]:
    r"""Yield ``text`` in pieces; what is unseen comes as its code point.

    >>> list(pieces("a\u202eb"))
    [Piece(text='a', is_unseen=False), Piece(text='U+202E', is_unseen=True), Piece(text='b', is_unseen=False)]
    """
    for unseen, run in groupby(text, key=_is_unseen):
        if unseen:
            yield from (Piece(f"U+{ord(character):04X}", True) for character in run)
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


def _is_unseen(character: str) -> bool:
    return character != " " and (character in _BLANK or unicodedata.category(character) in _UNSEEN)
