"""Outlines go through their points, rounded to a tenth, and markers differ by more than colour."""

import re

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.shapes import MARKERS, polyline

NUMBERS = st.floats(-999, 999, allow_nan=False)


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=8), st.booleans())
def test_an_outline_goes_through_every_point_in_order(points: list[tuple[float, float]], closed: bool) -> None:
    outline = polyline(points, closed=closed)
    assert re.fullmatch(r"M[^MLz]+(L[^MLz]+)*z?", outline)
    assert outline.endswith("z") == closed
    found = [tuple(map(float, pair.split())) for pair in re.split("[ML]", outline.rstrip("z"))[1:]]
    assert len(found) == len(points)
    for (x, y), (left, top) in zip(points, found, strict=True):
        assert abs(x - left) <= 0.0500001
        assert abs(y - top) <= 0.0500001


def test_no_two_markers_are_alike_and_each_is_an_outline() -> None:
    assert len(set(MARKERS)) == len(MARKERS)
    assert all(re.fullmatch(r"M[-\d.\sahvlz]+", marker) for marker in MARKERS)
