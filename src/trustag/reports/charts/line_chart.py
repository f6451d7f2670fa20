"""Line charts: lines that differ in colour, dashes and markers, with a legend above them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from trustag.reports.charts.axes import Axis, Frame, spanning
from trustag.reports.charts.svg_shapes import MARKERS, Plot, SvgPath, SvgShape, SvgText, polyline

_WIDTH: Final = 360.0
_HEIGHT: Final = 230.0
_LEFT: Final = 52.0
_RIGHT: Final = 14.0
_BOTTOM: Final = 40.0
_LEGEND_LINE: Final = 17.0
_LETTER: Final = 6.1  # approximate width of a letter in the legend
_MOST_MARKERS: Final = 24
MOST_POINTS: Final = 240


@dataclass(frozen=True, slots=True)
class Line:
    """A line through points, from left to right; ``band`` has the lowest and highest value at each of them."""

    name: str
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float]] = ()


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over two axes; ``guides`` are thin reference lines, such as a diagonal, each with its name."""

    title: str
    description: str
    lines: Sequence[Line]
    x: Axis
    y: Axis
    guides: Sequence[Line] = field(default=())

    def plot(self) -> Plot:
        """Return the chart as shapes."""
        entries = [*self.lines, *self.guides]
        key = list(_legend([line.name for line in entries])) if len(entries) > 1 else []
        top = 12 + (max(row for row, _ in key) + 1) * _LEGEND_LINE if key else 12.0
        inner_height = _HEIGHT - 12 - _BOTTOM
        frame = Frame(self.x, self.y, _LEFT, top, _WIDTH - _LEFT - _RIGHT, inner_height)
        shapes: list[SvgShape] = list(frame.shapes())
        for number, line in enumerate(self.lines):
            shapes += _band(frame, line, number)
        shapes += [SvgPath(polyline(frame.positions(guide.points)), "guide") for guide in self.guides]
        for number, line in enumerate(self.lines):
            shapes += _line(frame, line, number)
        for number, (row, left) in enumerate(key):
            shapes += _entry(entries[number].name, number, row, left, is_guide=number >= len(self.lines))
        return Plot(self.title, self.description, _WIDTH, top + inner_height + _BOTTOM, shapes)


def percent_axis(name: str, lines: Sequence[Line]) -> Axis:
    """Return a y axis for shares that spans all lines and their bands."""
    values = [y for line in lines for _, y in line.points] + [
        end for line in lines for pair in line.band for end in pair
    ]
    return spanning(name, values, percent=True)


def epochs_axis(name: str, epochs: Sequence[int]) -> Axis:
    """Return an x axis for epochs or rounds, with a margin on both sides."""
    margin = max((max(epochs) - min(epochs)) * 0.04, 0.3)
    return Axis(name, min(epochs) - margin, max(epochs) + margin, whole=True)


def thinned(points: Sequence[tuple[float, float]], most: int = MOST_POINTS) -> list[tuple[float, float]]:
    """Return at most ``most`` evenly spaced points, including the first and the last.

    >>> thinned([(x, 0) for x in range(9)], most=3)
    [(0, 0), (4, 0), (8, 0)]
    """
    if len(points) <= most:
        return list(points)
    return [points[round(number * (len(points) - 1) / (most - 1))] for number in range(most)]


def _band(frame: Frame, line: Line, number: int) -> Iterator[SvgShape]:
    if line.band:
        xs = [x for x, _ in line.points]
        lower = list(zip(xs, (low for low, _ in line.band), strict=True))
        upper = list(zip(xs, (high for _, high in line.band), strict=True))
        yield SvgPath(polyline(frame.positions([*upper, *reversed(lower)]), closed=True), f"band c{_colour(number)}")


def _line(frame: Frame, line: Line, number: int) -> Iterator[SvgShape]:
    positions = frame.positions(line.points)
    colour = _colour(number)
    if len(positions) > 1:
        yield SvgPath(polyline(positions), f"line c{colour} d{colour}")
    for x, y in positions if len(positions) <= _MOST_MARKERS else thinned(positions, 8):
        yield SvgPath(MARKERS[colour], f"marker c{colour}", round(x, 1), round(y, 1))


def _legend(names: Sequence[str]) -> Iterator[tuple[int, float]]:
    """Yield the row and the left edge of each name in the legend."""
    row, left = 0, _LEFT
    for name in names:
        width = 32 + len(name) * _LETTER
        if left > _LEFT and left + width > _WIDTH:
            row, left = row + 1, _LEFT
        yield row, left
        left += width


def _entry(name: str, number: int, row: int, left: float, *, is_guide: bool) -> Iterator[SvgShape]:
    y, colour = 12 + row * _LEGEND_LINE - 2, _colour(number)
    yield SvgPath(polyline([(left, y), (left + 20, y)]), "guide" if is_guide else f"line c{colour} d{colour}")
    if not is_guide:
        yield SvgPath(MARKERS[colour], f"marker c{colour}", left + 10, y)
    yield SvgText(left + 25, y + 3.5, name, "start", "key")


def _colour(number: int) -> int:
    return number % len(MARKERS)
