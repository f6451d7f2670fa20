"""Heat maps of counts: a grid of cells that are darker the higher their count, on a logarithmic scale."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10
from typing import Final, Literal, TypeAlias

from trustag.reports.charts.axes import Axis, Frame
from trustag.reports.charts.svg_shapes import Plot, SvgBox, SvgPath, SvgShape, SvgText, polyline

Shade: TypeAlias = Literal[0, 1, 2, 3, 4, 5, 6]

_LEFT: Final = 48.0
_TOP: Final = 10.0
_BOTTOM: Final = 40.0
_INNER_WIDTH: Final = 220.0
_INNER_HEIGHT: Final = 200.0


@dataclass(frozen=True, slots=True)
class HeatCell:
    """The count of a cell, whether it is marked with a cross, and its tooltip."""

    count: int
    marked: bool
    tooltip: str


def shade_of(count: int, most: int) -> Shade:
    """Return the shade of a count on a logarithmic scale: 0 for none, 6 for the largest count.

    >>> [shade_of(count, 10_000) for count in (0, 1, 10, 100, 10_000)]
    [0, 1, 2, 3, 6]
    """
    if count <= 0 or most <= 0:
        return 0
    level = 1 + round(5 * log10(count) / log10(most)) if most > 1 else 6
    shades: tuple[Shade, ...] = (0, 1, 2, 3, 4, 5, 6)
    return shades[min(6, max(1, level))]


def heat_map(title: str, description: str, x: Axis, y: Axis, rows: Sequence[Sequence[HeatCell]]) -> Plot:
    """Return a heat map of ``rows`` of cells, lowest first, over two axes."""
    frame = Frame(x, y, _LEFT, _TOP, _INNER_WIDTH, _INNER_HEIGHT)
    most = max((cell.count for row in rows for cell in row), default=0)
    shapes = [*frame.shapes(), *_cells(frame, rows, most)]
    shapes.append(SvgText(_LEFT, _TOP + _INNER_HEIGHT + _BOTTOM + 12, f"darkest: {most:,} labels", "start", "key"))
    return Plot(title, description, _LEFT + _INNER_WIDTH + 12, _TOP + _INNER_HEIGHT + _BOTTOM + 18, shapes)


def _cells(frame: Frame, rows: Sequence[Sequence[HeatCell]], most: int) -> Iterator[SvgShape]:
    height = frame.height / len(rows)
    for number, row in enumerate(rows):
        width = frame.width / len(row)
        top = frame.top + frame.height - (number + 1) * height
        for column, cell in enumerate(row):
            if cell.count:
                left = frame.left + column * width
                shade = shade_of(cell.count, most)
                yield SvgBox(left, top, width - 0.5, height - 0.5, f"cell h{shade}", cell.tooltip)
                if cell.marked:
                    yield SvgPath(_cross(left, top, width - 0.5, height - 0.5), f"cross on-h{shade}")


def _cross(left: float, top: float, width: float, height: float) -> str:
    size = min(width, height) * 0.3
    x, y = left + width / 2, top + height / 2
    first = polyline([(x - size, y - size), (x + size, y + size)])
    return first + polyline([(x - size, y + size), (x + size, y - size)])
