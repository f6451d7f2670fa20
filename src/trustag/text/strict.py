"""Strict reading of entities, as in seqeval's strict mode: only entities that are legal in the scheme count.

The rules are seqeval's for its six schemes, including one shortcoming: in IOE1, an entity that begins with E- is not
found although the scheme allows it. The rules for IO and BMES follow the same pattern. The type is everything after the
first hyphen; unlike seqeval in this mode, hyphens at both ends of a type are kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, UNTYPED, Label, split_label
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

_Part: TypeAlias = tuple[str, str]
_OUTSIDE_PART: Final[_Part] = (OUTSIDE, UNTYPED)


@dataclass(frozen=True, slots=True)
class _Rules:
    """The pairs of adjacent positions between which an entity starts, continues, or ends.

    A pair such as ``B=I`` requires the same type on both sides, ``B/I`` different types; ``B.I`` allows any types.
    """

    letters: str
    start: frozenset[str]
    inside: frozenset[str]
    end: frozenset[str]


def _rules(letters: str, start: str, inside: str, end: str) -> _Rules:
    return _Rules(letters, frozenset(start.split()), frozenset(inside.split()), frozenset(end.split()))


def _chunked(first: str, inner: str, last: str, single: str) -> _Rules:
    """Return the rules of a scheme that marks both boundaries of every entity."""
    letters = f"{OUTSIDE}{first}{inner}{last}{single}"
    start = " ".join(f"{left}.{right}" for left in letters for right in (first, single))
    end = " ".join(f"{left}.{right}" for left in (last, single) for right in letters)
    inside = f"{first}={inner} {first}={last} {inner}={inner} {inner}={last}"
    return _rules(letters, start, inside, end)


_RULES: Final = {
    Scheme.IO: _rules("OI", start="O.I I/I", inside="I=I", end="I.O I/I"),
    Scheme.IOB1: _rules("OIB", start="O.I I/I B.I I=B B=B", inside="B=I I=I", end="I/I I.O I.B B.O B/I B=B"),
    Scheme.IOB2: _rules("OIB", start="O.B I.B B.B", inside="B=I I=I", end="I.O I/I I.B B.O B/I B.B"),
    Scheme.IOE1: _rules("OIE", start="O.I I/I E.I E=E", inside="I=I I=E", end="I/I I.O I/E E=I E=E"),
    Scheme.IOE2: _rules("OIE", start="O.I O.E E.I E.E I/I I/E", inside="I=E I=I", end="E.O E.I E.E"),
    Scheme.IOBES: _chunked("B", "I", "E", "S"),
    Scheme.BILOU: _chunked("B", "I", "L", "U"),
    Scheme.BMES: _chunked("B", "M", "E", "S"),
}


def first_foreign_label(labels: Sequence[Label], scheme: Scheme) -> int | None:
    """Return the index of the first token whose label has a position that does not exist in ``scheme``.

    >>> first_foreign_label(["O", "B-PER", "S-PER"], Scheme.IOB2)
    2
    """
    letters = _RULES[scheme].letters
    return next((token for token, label in enumerate(labels) if _part(label)[0] not in letters), None)


def read_strict_spans(labels: Sequence[Label], scheme: Scheme) -> list[Span]:
    """Return the entities of ``labels`` that are legal in ``scheme``; positions that do not exist in it are an error.

    >>> read_strict_spans(["I-PER", "O", "B-LOC", "I-LOC"], Scheme.IOB2)
    [Span(start=2, end=4, type='LOC')]
    """
    foreign = first_foreign_label(labels, scheme)
    if foreign is not None:
        raise foreign_label_error(labels[foreign], scheme, f"token {foreign + 1}")
    rules = _RULES[scheme]
    parts = [*(_part(label) for label in labels), _OUTSIDE_PART]
    spans = []
    before = _OUTSIDE_PART
    token = 0
    while token < len(labels):
        part = parts[token]
        end = token + 1
        if _matches(before, part, rules.start):
            while _matches(parts[end - 1], parts[end], rules.inside):
                end += 1
            if _matches(parts[end - 1], parts[end], rules.end):
                spans.append(Span(token, end, part[1]))
        before = parts[end - 1]
        token = end
    return spans


def foreign_label_error(label: Label, scheme: Scheme, where: object) -> InputError:
    """Return the error for a label that does not exist in ``scheme``."""
    return InputError(
        f"label {label!r} does not exist in the scheme {scheme}",
        where=where,
        remedy="score without strict mode, convert the labels, or choose their scheme",
    )


def _matches(left: _Part, right: _Part, pairs: frozenset[str]) -> bool:
    same = "=" if left[1] == right[1] else "/"
    return f"{left[0]}.{right[0]}" in pairs or f"{left[0]}{same}{right[0]}" in pairs


@cache
def _part(label: Label) -> _Part:
    return _OUTSIDE_PART if label is None or label == OUTSIDE else split_label(label)
