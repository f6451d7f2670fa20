"""Maps of counts: shades follow the counts, and every filled cell is drawn."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.axes import Axis
from trustag.reports.charts.maps import Cell, map_chart, shade_of
from trustag.reports.charts.shapes import Box, Path


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_more_is_never_lighter(counts: list[int]) -> None:
    most = max(counts)
    shades = [shade_of(count, most) for count in sorted(counts)]
    assert shades == sorted(shades)
    assert all((shade == 0) == (count == 0) for count, shade in zip(sorted(counts), shades, strict=True))
    assert most == 0 or shades[-1] == 6


def test_a_map_draws_every_filled_cell_with_its_words() -> None:
    rows = [[Cell(0, False, "none"), Cell(5, True, "five")], [Cell(1, False, "one"), Cell(0, False, "none")]]
    plot = map_chart("t", "d", Axis("x", 0, 1), Axis("y", 0, 1), rows)
    boxes = [shape for shape in plot.shapes if isinstance(shape, Box)]
    assert [(box.words, box.look) for box in boxes] == [("five", "cell h6"), ("one", "cell h1")]
    assert boxes[0].y > boxes[1].y
    assert sum(isinstance(shape, Path) and shape.look.startswith("cross") for shape in plot.shapes) == 1
