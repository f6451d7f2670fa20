"""How much review buys: how many issues to look at to catch a share of the errors they are estimated to hold.

The score of an issue says how likely it is an error, so the sum of the scores estimates how many errors a list holds,
and the sum over its beginning how many of them one meets there. Errors that no issue points to are not in the sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from trustag.issues.issue import Issue

USUAL_SHARE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Effort:
    """The curve of review: entry ``n`` of ``errors`` says how many errors the ``n`` worst issues seem to hold."""

    errors: tuple[float, ...]

    @property
    def issues(self) -> int:
        """How many issues there are to look at."""
        return len(self.errors) - 1

    @property
    def total(self) -> float:
        """How many errors all issues are estimated to hold."""
        return self.errors[-1]

    def share(self, reviewed: int) -> float:
        """Return the share of the estimated errors among the ``reviewed`` worst issues; all of none is everything."""
        return self.errors[min(reviewed, self.issues)] / self.total if self.total else 1.0

    def needed(self, share: float) -> int:
        """Return how many issues, worst first, hold ``share`` of the estimated errors.

        >>> Effort((0.0, 0.9, 1.4, 1.5)).needed(0.8)
        2
        """
        wanted = share * self.total - 1e-9
        return next(count for count, caught in enumerate(self.errors) if caught >= wanted)

    def points(self, most: int = 100) -> list[tuple[int, float]]:
        """Return at most ``most`` + 1 points of the curve, evenly spaced: issues reviewed, share of errors caught."""
        steps = min(most, self.issues) or 1
        counts = dict.fromkeys(round(self.issues * step / steps) for step in range(steps + 1))
        return [(count, self.share(count)) for count in counts]

    def in_words(self, share: float = USUAL_SHARE) -> tuple[str, str]:
        """Return what to expect of a review, and of how many errors that is said.

        >>> Effort((0.0, 0.9, 1.4, 1.5)).in_words()
        ('Review 2 labels to catch 80 % of the estimated errors.', 'These are about 2, in 3 doubtful labels.')
        """
        count = self.needed(share)
        return (
            f"Review {_labels(count, 'label')} to catch {100 * share:.0f} % of the estimated errors.",
            f"These are about {self.total:,.0f}, in {_labels(self.issues, 'doubtful label')}.",
        )


def review_effort(issues: Sequence[Issue]) -> Effort:
    """Return the curve of reviewing ``issues`` worst first."""
    scores = sorted((issue.score for issue in issues), reverse=True)
    return Effort((0.0, *accumulate(scores)))


def _labels(count: int, name: str) -> str:
    return f"{count:,} {name}{'' if count == 1 else 's'}"
