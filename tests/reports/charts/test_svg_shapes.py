"""SVG shapes: markers and paths in SVG syntax."""

from trustag.reports.charts.svg_shapes import MARKERS, polyline


def test_every_line_of_a_chart_has_a_marker_of_its_own() -> None:
    assert len(set(MARKERS)) == len(MARKERS)
    assert all(marker.startswith("M") and marker.endswith("z") for marker in MARKERS)


def test_a_closed_path_returns_to_its_start() -> None:
    assert polyline([(0, 0), (1, 0), (1, 2)], closed=True) == "M0 0L1 0L1 2z"
