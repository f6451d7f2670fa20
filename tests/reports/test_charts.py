"""Charts: everything drawn lies inside its frame, ticks are round and few, shades follow the counts."""

from html.parser import HTMLParser
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trustag.reports.charts.axes import Axis, Frame, spanning
from trustag.reports.charts.heat_map import HeatCell, heat_map, shade_of
from trustag.reports.charts.line_chart import Line, LineChart, thinned
from trustag.reports.charts.range_chart import Ranged, from_zero, range_chart
from trustag.reports.charts.svg_shapes import Plot, SvgBox, SvgPath, SvgText

VALUES = st.floats(-1e6, 1e6)
SHARES = st.floats(0, 1)


@given(VALUES, st.floats(1e-3, 1e6), st.booleans())
def test_ticks_are_few_inside_and_evenly_spaced(low: float, width: float, whole: bool) -> None:
    axis = Axis("x", low, low + width, whole=whole)
    ticks = axis.ticks()
    room = 1e-6 * max(1, abs(low), width)
    assert len(ticks) <= 6
    assert all(low - room <= tick <= low + width + room for tick in ticks)
    steps = [after - before for before, after in pairwise(ticks)]
    assert all(abs(step - steps[0]) <= room for step in steps)
    assert not whole or all(tick == round(tick) for tick in ticks)


def test_an_axis_without_width_still_has_a_tick() -> None:
    assert Axis("x", 3, 3).ticks() == [3]
    assert Frame(Axis("x", 3, 3), Axis("y", 0, 1), 0, 0, 100, 100).across(3) == 50


@given(st.lists(SHARES, min_size=1))
def test_shares_never_leave_their_axis(values: list[float]) -> None:
    axis = spanning("share", values, percent=True)
    assert 0 <= axis.low <= min(values) <= max(values) <= axis.high <= 1


@given(st.lists(st.lists(st.tuples(st.integers(0, 50), SHARES), min_size=1), min_size=1, max_size=8))
def test_lines_stay_inside_the_plot(rows: list[list[tuple[float, float]]]) -> None:
    lines = [Line(f"line {number}", sorted(points)) for number, points in enumerate(rows)]
    plot = LineChart("t", "d", lines, Axis("x", 0, 50), Axis("y", 0, 1, percent=True)).plot()
    for shape in plot.shapes:
        if not isinstance(shape, SvgPath) or shape.x:
            assert 0 <= shape.x <= plot.width
            assert 0 <= shape.y <= plot.height
    markers = {shape.outline for shape in plot.shapes if isinstance(shape, SvgPath) and "marker" in shape.look}
    assert len(markers) == min(len(lines), 6)
    names = [shape.text for shape in plot.shapes if isinstance(shape, SvgText) and shape.look == "key"]
    assert names == ([line.name for line in lines] if len(lines) > 1 else [])


@given(st.integers(1, 2000), st.integers(2, 300))
def test_thinning_keeps_both_ends_and_the_order(length: int, most: int) -> None:
    points = [(float(number), 0.0) for number in range(length)]
    kept = thinned(points, most)
    assert len(kept) == min(length, most)
    assert (kept[0], kept[-1]) == (points[0], points[-1])
    assert kept == sorted(set(kept))


@given(st.lists(st.integers(0, 10**6), min_size=1))
def test_more_is_never_lighter(counts: list[int]) -> None:
    most = max(counts)
    shades = [shade_of(count, most) for count in sorted(counts)]
    assert shades == sorted(shades)
    assert all((shade == 0) == (count == 0) for count, shade in zip(sorted(counts), shades, strict=True))
    assert most == 0 or shades[-1] == 6


@given(st.lists(st.tuples(SHARES, SHARES, SHARES), min_size=1, max_size=30))
def test_ranges_stay_inside_the_plot(values: list[tuple[float, float, float]]) -> None:
    rows = [Ranged("n" * (3 * place), a, min(b, c), max(b, c), truth=c) for place, (a, b, c) in enumerate(values)]
    plot = range_chart("t", "d", from_zero("share", rows), rows, ("assumed", "true"))
    for shape in plot.shapes:
        if isinstance(shape, SvgBox):
            assert 0 <= shape.x <= shape.x + shape.width <= plot.width
    assert sum(isinstance(shape, SvgBox) for shape in plot.shapes) == len(rows)


def test_a_map_draws_every_filled_cell_with_its_words() -> None:
    rows = [
        [HeatCell(0, False, "none"), HeatCell(5, True, "five")],
        [HeatCell(1, False, "one"), HeatCell(0, False, "none")],
    ]
    plot = heat_map("t", "d", Axis("x", 0, 1), Axis("y", 0, 1), rows)
    boxes = [shape for shape in plot.shapes if isinstance(shape, SvgBox)]
    assert [(box.words, box.look) for box in boxes] == [("five", "cell h6"), ("one", "cell h1")]
    assert boxes[0].y > boxes[1].y
    assert sum(isinstance(shape, SvgPath) and shape.look.startswith("cross") for shape in plot.shapes) == 1


def test_a_plot_is_a_picture_with_a_name_and_a_description() -> None:
    from trustag.reports.blocks import Figure, Page, Section, Table
    from trustag.reports.rendering import render

    plot = Plot("Its <name>", "What it shows", 10, 20, [SvgText(1, 2, "a < b")])
    page = Page("t", "s", [Section("a", "A", [Figure([plot], "caption", [Table("numbers", ("x",), [["1"]])])])], "m")
    reader = HTMLParser()
    found: list[tuple[str, dict[str, str | None]]] = []
    reader.handle_starttag = lambda tag, attrs: found.append((tag, dict(attrs)))  # type: ignore[method-assign]
    text = render(page).decode()
    reader.feed(text)
    assert dict(found)["svg"]["role"] == "img"
    assert "<title>Its &lt;name&gt;</title>\n<desc>What it shows</desc>" in text
    assert "a &lt; b</text>" in text
    assert "<summary>The numbers</summary>" in text
