"""What a source proposes for a stretch of tokens."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from trustag.labelling.cover import best_cover, longest_from_left
from trustag.labelling.gazetteers import Evidence, Match
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
    evidence: tuple[Evidence, ...] = ()

    @property
    def why(self) -> str:
        """Why a source proposes this, in words."""
        return self.reason or ", ".join(f"{one.source} says {one.type or 'a name'}" for one in self.evidence)


def from_matches(matches: Sequence[Match], cover: Cover) -> list[Proposal]:
    """Return what lists propose for stretches that do not overlap."""
    chosen = longest_from_left(matches) if cover == "longest" else best_cover(matches)
    return [from_match(match) for match in chosen]


def without_joined(proposals: Sequence[Proposal], marked: Sequence[bool], closed: Container[str]) -> list[Proposal]:
    """Return ``proposals`` without those that join a name of a source in ``closed`` to others by a function word.

    Such a name is complete: *Ann Weber of Acme Ltd.* is not one company.
    """
    ends = {(one.start, one.end) for one in proposals if one.source in closed}
    ends = {(start, end) for start, end in ends if end < len(marked) and not marked[end]}
    return [one for one in proposals if not any(start == one.start and end < one.end for start, end in ends)]


def from_match(match: Match) -> Proposal:
    """Return what lists propose for a stretch."""
    kind, source, score, evidence = match.verdict
    return Proposal(match.start, match.end, kind, source, score, "", evidence)
