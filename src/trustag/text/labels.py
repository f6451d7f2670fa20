"""What a label means: a position in an entity and a type, outside, or unknown.

A label is a string such as ``B-PER`` or ``O``, in the scheme of its file, or ``None`` if the token is unlabelled.
``None`` is never the same as ``O``.
"""

import re
from collections.abc import Iterable
from typing import Final, TypeAlias

from trustag.errors import InputError

Label: TypeAlias = str | None

OUTSIDE: Final = "O"
UNKNOWN_MARK: Final = "-"
UNKNOWN_MARKS: Final = frozenset({"-", "None", "-1", "-100", "?"})
UNTYPED: Final = "_"

_TAG = re.compile(r"[BIESLUM](-.+)?", re.DOTALL)
_SEPARATORS: Final = re.compile(r"[\s_-]+")
_CANONICAL_POSITION: Final = {"B": "B", "I": "I", "E": "E", "S": "S", "L": "E", "U": "S", "M": "I"}


def parse_label(text: str) -> Label:
    """Return the label that ``text`` means in a file; marks for unknown labels become ``None``, other text is an error.

    >>> parse_label("B-geo-loc"), parse_label("O"), parse_label("-100")
    ('B-geo-loc', 'O', None)
    """
    if text == OUTSIDE or _TAG.fullmatch(text):
        return text
    if text in UNKNOWN_MARKS:
        return None
    raise InputError(
        f"unknown tag {text!r}", remedy="tags are O, B-TYPE, I-TYPE and the like, or - for an unknown label"
    )


def is_label(text: str) -> bool:
    """Tell whether ``text`` is a tag or a mark for an unknown label."""
    return text == OUTSIDE or text in UNKNOWN_MARKS or _TAG.fullmatch(text) is not None


def is_positive(label: Label) -> bool:
    """Tell whether ``label`` marks a token as part of an entity; unknown labels do not."""
    return label is not None and label != OUTSIDE


def split_label(label: str) -> tuple[str, str]:
    """Return the position, as written, and the type of a positive label.

    Types may contain hyphens. A position without a type has the type ``_``, as in seqeval.

    >>> split_label("B-geo-loc"), split_label("U-PER"), split_label("I")
    (('B', 'geo-loc'), ('U', 'PER'), ('I', '_'))
    """
    position, _, kind = label.partition("-")
    return position, kind or UNTYPED


def canonical_position(position: str) -> str:
    """Return B, I, E or S for a position of any scheme: L means E, U means S, M means I."""
    return _CANONICAL_POSITION[position]


def join_label(position: str, kind: str) -> str:
    """Return the label with this position and type, the inverse of :func:`split_label`."""
    return position if kind == UNTYPED else f"{position}-{kind}"


def similar_types(types: Iterable[str]) -> list[list[str]]:
    """Return the groups of types that are probably one: they differ only in case, spaces, hyphens and underscores.

    >>> similar_types(["person", "LOC", "work-of-art", "PERSON", "Work of Art"])
    [['PERSON', 'person'], ['Work of Art', 'work-of-art']]
    """
    groups: dict[str, set[str]] = {}
    for kind in types:
        groups.setdefault(_SEPARATORS.sub("", kind).casefold() or kind, set()).add(kind)
    return sorted(sorted(group) for group in groups.values() if len(group) > 1)


def entity_types(labels: Iterable[Label]) -> list[str]:
    """Return the distinct entity types among ``labels``, sorted."""
    return sorted({split_label(label)[1] for label in set(labels) if label is not None and label != OUTSIDE})
