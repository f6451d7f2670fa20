"""Axes: the mapping of values to pixels, grid lines and ticks at round numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from typing import Final

from trustag.reports.charts.svg_shapes import SvgPath, SvgShape, SvgText, polyline

_STEPS: Final = (1, 2, 2.5, 5, 10, 20)


@dataclass(frozen=True, slots=True)
class Axis:
    """Name and range of an axis; ``percent`` values are shares, ``whole`` values are counts."""

    name: str
    low: float
    high: float
    percent: bool = False
    whole: bool = False

    def ticks(self, most: int = 6) -> list[float]:
        """Return round numbers from ``low`` to ``high``, at most ``most`` of them.

        >>> Axis("", 0, 1).ticks(), Axis("", 1, 3, whole=True).ticks()
        ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [1, 2, 3])
        """
        width = self.high - self.low
        if width <= 0:
            return [self.low]
        power = 10.0 ** floor(log10(width / most))
        step = next(size * power for size in _STEPS if width / (size * power) <= most - 1 + 1e-9)
        if self.whole:
            step = max(1, ceil(step))
        first, last = ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9)
        return [round(number * step, 10) for number in range(first, last + 1)]

    def label(self, value: float) -> str:
        """Return the text of a tick.

        >>> Axis("", 0, 1, percent=True).label(0.2), Axis("", 0, 90000, whole=True).label(50000)
        ('20', '50,000')
        """
        return f"{100 * value:.6g}" if self.percent else f"{value:,.6g}"


def spanning(name: str, values: Sequence[float], *, percent: bool = False, whole: bool = False) -> Axis:
    """Return an axis that spans all ``values`` with a margin, within 0 and 1 for shares."""
    low, high = min(values), max(values)
    margin = (high - low) * 0.08 or (0.05 if percent else 0.5)
    low, high = low - margin, high + margin
    if percent:
        low, high = max(0.0, low), min(1.0, high)
    return Axis(name, low, high, percent=percent, whole=whole)


@dataclass(frozen=True, slots=True)
class Frame:
    """The area inside a plot that two axes span, in pixels."""

    x: Axis
    y: Axis
    left: float
    top: float
    width: float
    height: float

    def x_position(self, value: float) -> float:
        """Return the horizontal position of a value of the x axis."""
        return self.left + self.width * _part(self.x, value)

    def y_position(self, value: float) -> float:
        """Return the vertical position of a value of the y axis."""
        return self.top + self.height * (1 - _part(self.y, value))

    def positions(self, points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        """Return the positions of points."""
        return [(self.x_position(x), self.y_position(y)) for x, y in points]

    def shapes(self) -> Iterator[SvgShape]:
        """Yield the grid lines, ticks and names of both axes."""
        right, bottom = self.left + self.width, self.top + self.height
        for value in self.y.ticks():
            y = self.y_position(value)
            yield SvgPath(polyline([(self.left, y), (right, y)]), "grid")
            yield SvgText(self.left - 6, y + 3.5, self.y.label(value), "end")
        for value in self.x.ticks():
            x = self.x_position(value)
            yield SvgPath(polyline([(x, bottom), (x, bottom + 4)]), "grid")
            yield SvgText(x, bottom + 16, self.x.label(value))
        yield SvgPath(polyline([(self.left, bottom), (right, bottom)]), "axis")
        yield SvgText(self.left + self.width / 2, bottom + 32, self.x.name, look="name")
        yield SvgText(12, self.top + self.height / 2, self.y.name, look="name", upright=True)


def _part(axis: Axis, value: float) -> float:
    width = axis.high - axis.low
    return (value - axis.low) / width if width else 0.5
