"""Line charts: everything drawn lies inside the plot, and thinning keeps both ends."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.axes import Axis
from trustag.reports.charts.lines import Line, LineChart, thinned
from trustag.reports.charts.shapes import Path, Text

SHARES = st.floats(0, 1)


@given(st.lists(st.lists(st.tuples(st.integers(0, 50), SHARES), min_size=1), min_size=1, max_size=8))
def test_lines_stay_inside_the_plot(rows: list[list[tuple[float, float]]]) -> None:
    lines = [Line(f"line {number}", sorted(points)) for number, points in enumerate(rows)]
    plot = LineChart("t", "d", lines, Axis("x", 0, 50), Axis("y", 0, 1, percent=True)).plot()
    for shape in plot.shapes:
        if not isinstance(shape, Path) or shape.x:
            assert 0 <= shape.x <= plot.width
            assert 0 <= shape.y <= plot.height
    markers = {shape.outline for shape in plot.shapes if isinstance(shape, Path) and "marker" in shape.look}
    assert len(markers) == min(len(lines), 6)
    names = [shape.text for shape in plot.shapes if isinstance(shape, Text) and shape.look == "key"]
    assert names == ([line.name for line in lines] if len(lines) > 1 else [])


@given(st.integers(1, 2000), st.integers(2, 300))
def test_thinning_keeps_both_ends_and_the_order(length: int, most: int) -> None:
    points = [(float(number), 0.0) for number in range(length)]
    kept = thinned(points, most)
    assert len(kept) == min(length, most)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert kept == sorted(set(kept))
