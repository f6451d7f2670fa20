"""Entities as spans of tokens, read from labels by conlleval's rules.

The rules do not depend on the scheme: they find the intended entities in every legal sequence of any scheme, and in
illegal sequences the same entities as conlleval and seqeval. Unknown labels end an entity, as ``O`` does.

conlleval was written for IOB and IOE: it joins ``E-X B-X`` into one entity and does not know ``S``. For these labels
seqeval's rules apply, so that IOBES is read correctly. seqeval does not handle L, U and M; they are read as E, S and I.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from trustag.text.labels import OUTSIDE, Label, canonical_position, split_label


class Span(NamedTuple):
    """One entity: tokens ``start`` up to but not including ``end``, and its type."""

    start: int
    end: int
    type: str


def read_spans(labels: Sequence[Label]) -> list[Span]:
    """Return the entities that ``labels`` describe, left to right.

    >>> read_spans(["B-PER", "I-PER", "O", None, "I-LOC", "B-LOC"])
    [Span(start=0, end=2, type='PER'), Span(start=4, end=5, type='LOC'), Span(start=5, end=6, type='LOC')]
    """
    return list(_spans(labels))


def _spans(labels: Sequence[Label]) -> Iterator[Span]:
    start = 0
    open_position, open_type = "", ""
    for token, label in enumerate(labels):
        if label is None or label == OUTSIDE:
            if open_position:
                yield Span(start, token, open_type)
                open_position = ""
            continue
        written, kind = split_label(label)
        position = canonical_position(written)
        continues = open_position in {"B", "I"} and position in {"I", "E"} and kind == open_type
        if not continues:
            if open_position:
                yield Span(start, token, open_type)
            start = token
        open_position, open_type = position, kind
    if open_position:
        yield Span(start, len(labels), open_type)
