"""Heat maps: shades follow the counts."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.axes import Axis
from trustag.reports.charts.heat_map import HeatCell, heat_map, shade_of
from trustag.reports.charts.svg_shapes import SvgBox, SvgPath


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_more_is_never_lighter(counts: list[int]) -> None:
    most = max(counts)
    shades = [shade_of(count, most) for count in sorted(counts)]
    assert shades == sorted(shades)
    assert all((shade == 0) == (count == 0) for count, shade in zip(sorted(counts), shades, strict=True))
    assert most == 0 or shades[-1] == 6


def test_a_map_draws_every_filled_cell_with_its_words() -> None:
    rows = [
        [HeatCell(0, False, "none"), HeatCell(5, True, "five")],
        [HeatCell(1, False, "one"), HeatCell(0, False, "none")],
    ]
    plot = heat_map("t", "d", Axis("x", 0, 1), Axis("y", 0, 1), rows)
    boxes = [shape for shape in plot.shapes if isinstance(shape, SvgBox)]
    assert [(box.tooltip, box.look) for box in boxes] == [("five", "cell h6"), ("one", "cell h1")]
    assert boxes[0].y > boxes[1].y
    assert sum(isinstance(shape, SvgPath) and shape.look.startswith("cross") for shape in plot.shapes) == 1
