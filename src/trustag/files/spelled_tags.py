"""Tags as one file spells them: with the position in their entity (``B-PER``), or as mere types (``PER``)."""

import re
from typing import Final

from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.text.labels import OUTSIDE, UNKNOWN_MARKS, Label, is_label, join_label, parse_label
from trustag.text.sentences import Source

# A letter with a hyphen or nothing behind it is a position, or one misspelt.
_BARE_TYPE: Final = re.compile(r"[^\W\d_][^\s-]\S*")
_WITHIN: Final = "I"
_ONE_WAY: Final = "spell all tags in one way: O, B-TYPE, I-TYPE and the like, or O and mere types"


def is_bare_type(text: str) -> bool:
    """Tell whether ``text`` can be a type without a position; no tag or mark for an unknown label can.

    >>> is_bare_type("PER"), is_bare_type("person-actor"), is_bare_type("B-PER"), is_bare_type("None")
    (True, True, False, False)
    """
    return not is_label(text) and _BARE_TYPE.fullmatch(text) is not None


class SpelledTags(dict[str, Label]):
    """The label that each spelling means in one column of a file, found out once and then remembered.

    The first tag other than ``O`` tells whether tags say positions or are mere types, and all others are held to that.
    Types are read as the scheme IO writes them: neighbours of one type are one entity.
    """

    def __init__(self, file: str, watch: Watch) -> None:
        super().__init__()
        self._file = file
        self._watch = watch
        self._first: str | None = None

    def __missing__(self, text: str) -> Label:
        label = self[text] = self._meaning(text)
        return label

    def _meaning(self, text: str) -> Label:
        if text == OUTSIDE or text in UNKNOWN_MARKS:
            return parse_label(text)
        bare = is_bare_type(text)
        label = join_label(_WITHIN, text) if bare else parse_label(text)
        if self._first is None:
            self._first = text
            if bare:
                detail = f"tags say no position: {text} is read as {label}, neighbours of one type as one entity"
                self._watch(Note("info", "bare types", detail, Source(self._file)))
        elif bare != is_bare_type(self._first):
            raise InputError(f"the tag {text!r} after {self._first!r}", remedy=_ONE_WAY)
        return label
