"""How much of what is wrong one finds by looking at the worst issues first."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from trustag.confidence.issues.issue import Issue


@dataclass(frozen=True, slots=True)
class Effort:
    """Entry ``n`` of ``errors`` is how many errors the ``n`` worst issues are estimated to hold."""

    errors: tuple[float, ...]

    @property
    def total(self) -> float:
        """How many errors all issues are estimated to hold."""
        return self.errors[-1]

    def share(self, reviewed: int) -> float:
        """Return the share of the estimated errors among the ``reviewed`` worst issues."""
        return self.errors[reviewed] / self.total if self.total else 1.0

    def needed(self, share: float) -> int:
        """Return how many issues, worst first, hold ``share`` of the estimated errors."""
        wanted = share * self.total - 1e-9
        return next(count for count, caught in enumerate(self.errors) if caught >= wanted)


def review_effort(issues: Sequence[Issue]) -> Effort:
    """Return the curve of reviewing ``issues`` worst first."""
    return Effort((0.0, *accumulate(issue.score for issue in issues)))
