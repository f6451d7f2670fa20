"""The curve of review adds up scores, worst first, and says how far a review must go."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.issues.effort import review_effort
from trustag.issues.issue import Issue


def issues(scores: list[float]) -> list[Issue]:
    return [Issue(number, 0, 1, "missed", (), (), score, 0.1, 0.9) for number, score in enumerate(scores)]


@given(st.lists(st.floats(0, 1), max_size=40), st.floats(0, 1))
def test_as_few_as_needed_are_enough(scores: list[float], share: float) -> None:
    effort = review_effort(issues(scores))
    worst_first = sorted(scores, reverse=True)
    count = effort.needed(share)
    assert sum(worst_first[:count]) >= share * sum(scores) - 1e-6
    assert count == 0 or sum(worst_first[: count - 1]) < share * sum(scores) + 1e-6
    assert effort.issues == len(scores)
    assert effort.total == pytest.approx(sum(scores))


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=300))
def test_the_curve_rises_from_nothing_to_everything(scores: list[float]) -> None:
    points = review_effort(issues(scores)).points(50)
    assert points[0] == (0, 0.0)
    assert points[-1][0] == len(scores)
    assert points[-1][1] == pytest.approx(1.0)
    assert len(points) <= 51
    assert all(one[0] < other[0] and one[1] <= other[1] for one, other in pairwise(points))


def test_without_issues_nothing_is_left_to_catch() -> None:
    effort = review_effort([])
    assert (effort.needed(0.8), effort.share(0), effort.points()) == (0, 1.0, [(0, 1.0)])
