"""Which issues to look at, and which of them first: of a kind, of a type, above a score, the first so many."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from trustag.issues.issue import Issue, Kind

Order: TypeAlias = Literal["worst", "unsure"]

# The worst repair most labels; where models are unsure which reading is right, an answer tells the next ones most.
ORDERS: Final[dict[Order, Callable[[Issue], float]]] = {
    "worst": lambda issue: -issue.score,
    "unsure": lambda issue: abs(issue.given_score - issue.suggested_score),
}


def in_order(issues: Iterable[Issue], order: Order) -> list[Issue]:
    """Return issues likeliest wrong first, or those first whose two readings are nearly as probable."""
    return sorted(issues, key=lambda issue: (ORDERS[order](issue), issue.sentence, issue.first))


@dataclass(frozen=True, slots=True)
class IssueSelection:
    """What is asked of issues; no kinds or types ask for all of them, and no ``top`` for as many as there are."""

    kinds: frozenset[Kind] = frozenset()
    types: frozenset[str] = frozenset()
    min_score: float = 0.0
    top: int | None = None

    def of(self, issues: Sequence[Issue]) -> list[Issue]:
        """Return the issues that fit, in the order they come in."""
        return [issue for issue in issues if self._fits(issue)][: self.top]

    def _fits(self, issue: Issue) -> bool:
        if self.kinds and issue.kind not in self.kinds:
            return False
        if self.types and self.types.isdisjoint(types_of(issue)):
            return False
        return issue.score >= self.min_score


def types_of(issue: Issue) -> set[str]:
    """Return the entity types that either reading of an issue names."""
    return {span.type for span in (*issue.given, *issue.suggested)}
