"""Range charts, one row per value: a dot for the value, a bar for its range, a diamond for a reference value."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from trustag.reports.charts.axes import Axis, Frame
from trustag.reports.charts.svg_shapes import MARKERS, Plot, SvgBox, SvgPath, SvgShape, SvgText, polyline

_LETTER: Final = 6.3
_ROW: Final = 22.0
_TOP: Final = 30.0
_BOTTOM: Final = 44.0
_INNER: Final = 330.0
_RIGHT: Final = 70.0
_WIDEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class Ranged:
    """A named value, its range if known, and a reference value, such as the true one."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    truth: float | None = None


def range_chart(title: str, description: str, axis: Axis, rows: Sequence[Ranged], names: tuple[str, str]) -> Plot:
    """Return ``rows`` below each other over an axis of shares; ``names`` are those of the dots and the diamonds."""
    left = 16 + _LETTER * max(min(len(row.name), _WIDEST_NAME) for row in rows)
    frame = Frame(axis, Axis("", 0, 1), left, _TOP, _INNER, _ROW * len(rows))
    shapes = [*_background(frame), *_legend(left, names, has_truth=any(row.truth is not None for row in rows))]
    for number, row in enumerate(rows):
        shapes += _row(frame, row, _TOP + _ROW * (number + 0.5))
    return Plot(title, description, left + _INNER + _RIGHT, _TOP + _ROW * len(rows) + _BOTTOM, shapes)


def from_zero(name: str, rows: Sequence[Ranged]) -> Axis:
    """Return an axis of shares from 0 that spans all rows."""
    ends = [end for row in rows for end in (row.value, row.high, row.truth) if end is not None]
    return Axis(name, 0.0, min(1.0, max(0.05, 1.1 * max(ends))), percent=True)


def _background(frame: Frame) -> Iterator[SvgShape]:
    bottom = frame.top + frame.height
    for value in frame.x.ticks():
        x = frame.x_position(value)
        yield SvgPath(polyline([(x, frame.top), (x, bottom)]), "grid")
        yield SvgText(x, bottom + 16, frame.x.label(value))
    yield SvgText(frame.left + frame.width / 2, bottom + 34, frame.x.name, look="name")


def _legend(left: float, names: tuple[str, str], *, has_truth: bool) -> Iterator[SvgShape]:
    yield SvgPath(MARKERS[0], "marker c0", left + 8, 12)
    yield SvgText(left + 18, 15.5, names[0], "start", "key")
    if has_truth:
        beside = left + 38 + _LETTER * len(names[0])
        yield SvgPath(MARKERS[3], "marker c1", beside, 12)
        yield SvgText(beside + 10, 15.5, names[1], "start", "key")


def _row(frame: Frame, row: Ranged, y: float) -> Iterator[SvgShape]:
    name = row.name if len(row.name) <= _WIDEST_NAME else row.name[: _WIDEST_NAME - 1] + "…"
    yield SvgText(frame.left - 8, y + 3.5, name, "end", "key")
    if row.low is not None and row.high is not None:
        first, last = frame.x_position(row.low), frame.x_position(min(row.high, frame.x.high))
        yield SvgBox(first, y - 4, max(last - first, 1), 8, "range", f"{100 * row.low:.1f} to {100 * row.high:.1f} %")
    if row.truth is not None:
        yield SvgPath(MARKERS[3], "marker c1", frame.x_position(row.truth), y)
    yield SvgPath(MARKERS[0], "marker c0", frame.x_position(row.value), y)
    yield SvgText(frame.left + frame.width + 8, y + 3.5, f"{100 * row.value:.1f} %", "start", "key")
