"""Tags as strings in one file: with positions (``B-PER``), or types without positions (``PER``)."""

import re
from typing import Final

from trustag.errors import InputError
from trustag.notes import Note, Watch
from trustag.text.labels import OUTSIDE, UNKNOWN_MARKS, Label, is_label, join_label, parse_label
from trustag.text.sentences import Source

# A single letter, alone or before a hyphen, is a position or a misspelt one.
_BARE_TYPE: Final = re.compile(r"[^\W\d_][^\s-]\S*")
_WITHIN: Final = "I"
_ONE_WAY: Final = "write all tags in one way: O, B-TYPE, I-TYPE and the like, or O and types without positions"


def is_bare_type(text: str) -> bool:
    """Tell whether ``text`` can be a type without a position; tags and marks for unknown labels cannot.

    >>> is_bare_type("PER"), is_bare_type("person-actor"), is_bare_type("B-PER"), is_bare_type("None")
    (True, True, False, False)
    """
    return not is_label(text) and _BARE_TYPE.fullmatch(text) is not None


class SpelledTags(dict[str, Label]):
    """The label of each tag string in one column of a file, cached.

    The first tag other than ``O`` determines whether tags have positions or are only types; all others must agree.
    Types without positions are read as in the scheme IO: adjacent tokens of one type are one entity.
    """

    def __init__(self, file: str, watch: Watch) -> None:
        super().__init__()
        self._file = file
        self._watch = watch
        self._first: str | None = None

    @property
    def are_types(self) -> bool:
        """Whether the tags that were seen are types without positions."""
        return self._first is not None and is_bare_type(self._first)

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
                detail = f"tags have no position: {text} is read as {label}, adjacent tokens of one type as one entity"
                self._watch(Note("info", "bare types", detail, Source(self._file)))
        elif bare != is_bare_type(self._first):
            raise InputError(f"the tag {text!r} does not match the style of {self._first!r}", remedy=_ONE_WAY)
        return label
