"""What a source proposes for a stretch of tokens."""

from collections.abc import Sequence
from typing import NamedTuple

from trustag.labelling.cover import best_cover, longest_from_left
from trustag.labelling.gazetteers import Match
from trustag.labelling.settings import Cover


class Proposal(NamedTuple):
    """A type for tokens ``start`` up to ``end`` (``None``: a name of an unknown type), where it comes from, and why.

    ``score`` is the share of the votes for this type, or how much a rule is worth by its own account.
    """

    start: int
    end: int
    type: str | None
    source: str
    score: float
    reason: str = ""


def from_matches(matches: Sequence[Match], cover: Cover) -> list[Proposal]:
    """Return what lists propose for stretches that do not overlap."""
    chosen = longest_from_left(matches) if cover == "longest" else best_cover(matches)
    return [Proposal(start, end, verdict.type, verdict.source, verdict.score) for start, end, verdict in chosen]
