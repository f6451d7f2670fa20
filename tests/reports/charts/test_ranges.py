"""Values with their ranges stay inside the plot."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.ranges import Ranged, from_zero, range_chart
from trustag.reports.charts.shapes import Box

SHARES = st.floats(0, 1)


@given(st.lists(st.tuples(SHARES, SHARES, SHARES), min_size=1, max_size=30))
def test_ranges_stay_inside_the_plot(values: list[tuple[float, float, float]]) -> None:
    rows = [Ranged("n" * (3 * place), a, min(b, c), max(b, c), truth=c) for place, (a, b, c) in enumerate(values)]
    plot = range_chart("t", "d", from_zero("share", rows), rows, ("assumed", "true"))
    for shape in plot.shapes:
        if isinstance(shape, Box):
            assert 0 <= shape.x <= shape.x + shape.width <= plot.width
    assert sum(isinstance(shape, Box) for shape in plot.shapes) == len(rows)
