"""Tagging schemes: write spans in any scheme, detect the scheme of a file, find and repair illegal labels.

Labels are legal in a scheme if reading their spans and writing these again changes nothing; all else follows from that.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple

from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, Label, join_label, split_label
from trustag.text.spans import Span, read_spans


class Scheme(StrEnum):
    """The schemes that write entities as one label per token."""

    IO = "IO"
    IOB1 = "IOB1"
    IOB2 = "IOB2"
    IOE1 = "IOE1"
    IOE2 = "IOE2"
    IOBES = "IOBES"
    BILOU = "BILOU"
    BMES = "BMES"


_ALIASES: Final = {
    "BIO": "IOB2",
    "IOB": "IOB2",
    "BIO2": "IOB2",
    "BIOES": "IOBES",
    "BIESO": "IOBES",
    "BILUO": "BILOU",
    "BMESO": "BMES",
    "BMEOS": "BMES",
}


class Positions(NamedTuple):
    """The letters of a scheme for the tokens of one entity."""

    first: str
    inner: str
    last: str
    single: str


_POSITIONS: Final = {
    Scheme.IO: Positions("I", "I", "I", "I"),
    Scheme.IOB1: Positions("I", "I", "I", "I"),
    Scheme.IOB2: Positions("B", "I", "I", "B"),
    Scheme.IOE1: Positions("I", "I", "I", "I"),
    Scheme.IOE2: Positions("I", "I", "E", "E"),
    Scheme.IOBES: Positions("B", "I", "E", "S"),
    Scheme.BILOU: Positions("B", "I", "L", "U"),
    Scheme.BMES: Positions("B", "M", "E", "S"),
}


LETTERS: Final = {
    Scheme.IO: "I",
    Scheme.IOB1: "BI",
    Scheme.IOB2: "BI",
    Scheme.IOE1: "IE",
    Scheme.IOE2: "IE",
    Scheme.IOBES: "BIES",
    Scheme.BILOU: "BILU",
    Scheme.BMES: "BMES",
}
"""The position letters that occur in each scheme."""


def parse_scheme(name: str) -> Scheme:
    """Return the scheme called ``name``, by any of its usual names.

    >>> parse_scheme("bioes"), parse_scheme("BIO")
    (<Scheme.IOBES: 'IOBES'>, <Scheme.IOB2: 'IOB2'>)
    """
    folded = name.upper()
    try:
        return Scheme(_ALIASES.get(folded, folded))
    except ValueError:
        known = ", ".join([*Scheme, "BIO", "BIOES", "BILUO"])
        raise InputError(f"unknown tagging scheme {name!r}", remedy=f"choose one of: {known}") from None


def write_spans(spans: Iterable[Span], base: Sequence[Label], scheme: Scheme) -> tuple[Label, ...]:
    """Return ``spans`` as labels of ``scheme``; other tokens are ``O``, or unknown if they are unknown in ``base``.

    >>> write_spans([Span(0, 2, "PER")], ["O", "O", None], Scheme.IOBES)
    ('B-PER', 'E-PER', None)
    """
    labels: list[Label] = [None if label is None else OUTSIDE for label in base]
    letters = _POSITIONS[scheme]
    before = Span(-1, -1, "")
    for span in spans:
        start, end, kind = span
        inner = join_label(letters.inner, kind)
        labels[start:end] = [inner] * (end - start)
        if end - start == 1:
            labels[start] = join_label(letters.single, kind)
        else:
            labels[start] = join_label(letters.first, kind)
            labels[end - 1] = join_label(letters.last, kind)
        if before.end == start and before.type == kind:
            if scheme is Scheme.IOB1:
                labels[start] = join_label("B", kind)
            elif scheme is Scheme.IOE1:
                labels[start - 1] = join_label("E", kind)
        before = span
    return tuple(labels)


def convert_labels(labels: Sequence[Label], scheme: Scheme) -> tuple[Label, ...]:
    """Return ``labels`` of any scheme converted to ``scheme``, read by conlleval's rules."""
    return write_spans(read_spans(labels), labels, scheme)


def merged_by(scheme: Scheme, spans: Sequence[Span]) -> list[tuple[Span, Span]]:
    """Return the pairs of adjacent entities that ``scheme`` merges into one; only IO merges any."""
    if scheme is not Scheme.IO:
        return []
    return [(a, b) for a, b in pairwise(spans) if a.end == b.start and a.type == b.type]


class IllegalLabel(NamedTuple):
    """A label that is illegal at this token, and the label that conlleval reads instead."""

    token: int
    before: str
    after: str


def illegal_labels(labels: Sequence[Label], scheme: Scheme) -> list[IllegalLabel]:
    """Return every label that is illegal in ``scheme``, with the legal label that conlleval reads instead.

    >>> illegal_labels(["O", "I-PER", "I-PER"], Scheme.IOB2)
    [IllegalLabel(token=1, before='I-PER', after='B-PER')]
    """
    legal = convert_labels(labels, scheme)
    return [
        IllegalLabel(token, before, after)
        for token, (before, after) in enumerate(zip(labels, legal, strict=True))
        # B-_ and B are two spellings of one label, so position and type are compared.
        if before is not None and after is not None and split_label(before) != split_label(after)
    ]


@dataclass(frozen=True, slots=True)
class SchemeEvidence:
    """The scheme of a labelling, and the number of adjacent label pairs that are illegal in it."""

    scheme: Scheme
    against: int


def detect_scheme(labellings: Iterable[Sequence[Label]]) -> SchemeEvidence:
    """Return the scheme that fits ``labellings`` best, or IOB2 if there are no entities.

    Files with only I- labels fit IO, IOB1 and IOE1 equally and mean the same in each; their scheme is IO.

    >>> detect_scheme([["I-PER", "I-PER", "B-PER", "O"]]).scheme
    <Scheme.IOB1: 'IOB1'>
    """
    pairs: Counter[tuple[Label, Label]] = Counter()
    for labels in labellings:
        pairs.update(zip((OUTSIDE, *labels), (*labels, OUTSIDE), strict=True))
    return scheme_of_pairs(pairs)


def scheme_of_pairs(pairs: Counter[tuple[Label, Label]]) -> SchemeEvidence:
    """Return the scheme that best fits the counts of adjacent label pairs; sentence boundaries count as ``O``."""
    letters = {split_label(label)[0] for pair in pairs for label in pair if label is not None and label != OUTSIDE}
    if "M" in letters:
        candidates = [Scheme.BMES]
    elif letters & {"L", "U"}:
        candidates = [Scheme.BILOU]
    elif "S" in letters or letters >= {"B", "E"}:
        candidates = [Scheme.IOBES]
    elif "E" in letters:
        candidates = [Scheme.IOE2, Scheme.IOE1]
    elif letters == {"I"}:
        candidates = [Scheme.IO]
    else:
        candidates = [Scheme.IOB2, Scheme.IOB1]
    against = {scheme: _count_against(scheme, pairs) for scheme in candidates}
    best = min(candidates, key=lambda scheme: against[scheme])
    return SchemeEvidence(best, against[best])


def _count_against(scheme: Scheme, pairs: Counter[tuple[Label, Label]]) -> int:
    """Count the pairs that are illegal in ``scheme``."""
    legal_first, legal_next, legal_last = _LEGAL_MOVES[scheme]
    total = 0
    for (left, right), count in pairs.items():
        left_position, left_type = _parts(left)
        right_position, right_type = _parts(right)
        if left_position and right_position and left_type == right_type:
            legal = left_position + right_position in legal_next
        else:
            legal = (not left_position or left_position in legal_last) and (
                not right_position or right_position in legal_first
            )
        total += 0 if legal else count
    return total


def _parts(label: Label) -> tuple[str, str]:
    return ("", "") if label is None or label == OUTSIDE else split_label(label)


# For each scheme: the positions that may start an entity after another type or O, the pairs of adjacent positions that
# are legal within one type, and the positions that may end an entity before another type or O.
_LEGAL_MOVES: Final[dict[Scheme, tuple[str, frozenset[str], str]]] = {
    Scheme.IO: ("I", frozenset({"II"}), "I"),
    Scheme.IOB1: ("I", frozenset({"II", "IB", "BI", "BB"}), "IB"),
    Scheme.IOB2: ("B", frozenset({"BI", "II", "IB", "BB"}), "BI"),
    Scheme.IOE1: ("IE", frozenset({"II", "IE", "EI", "EE"}), "I"),
    Scheme.IOE2: ("IE", frozenset({"II", "IE", "EI", "EE"}), "E"),
    Scheme.IOBES: ("BS", frozenset({"BI", "BE", "II", "IE", "EB", "ES", "SB", "SS"}), "ES"),
    Scheme.BILOU: ("BU", frozenset({"BI", "BL", "II", "IL", "LB", "LU", "UB", "UU"}), "LU"),
    Scheme.BMES: ("BS", frozenset({"BM", "BE", "MM", "ME", "EB", "ES", "SB", "SS"}), "ES"),
}
