"""The SVG shapes of charts, in pixels from the upper left; the style sheet has colours and strokes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

# Outlines of markers around (0, 0), a different one for each line, so that colour is never the only difference.
MARKERS: Final = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
    "M-3 -3h6v6h-6z",
    "M0 -4l4 7h-8z",
    "M0 -4.4l4.4 4.4l-4.4 4.4l-4.4 -4.4z",
    "M0 4l4 -7h-8z",
    "M-4 -1.3h2.7v-2.7h2.6v2.7h2.7v2.6h-2.7v2.7h-2.6v-2.7h-2.7z",
)


@dataclass(frozen=True, slots=True)
class SvgPath:
    """A path in SVG syntax, moved to (``x``, ``y``); ``look`` is its class in the style sheet."""

    kind: ClassVar[str] = "path"
    outline: str
    look: str
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class SvgBox:
    """A rectangle with a tooltip."""

    kind: ClassVar[str] = "box"
    x: float
    y: float
    width: float
    height: float
    look: str
    tooltip: str = ""


@dataclass(frozen=True, slots=True)
class SvgText:
    """Text that starts, ends or is centred at a point; ``upright`` text is rotated to read from below."""

    kind: ClassVar[str] = "text"
    x: float
    y: float
    text: str
    anchor: Literal["start", "middle", "end"] = "middle"
    look: str = "tick"
    upright: bool = False


SvgShape: TypeAlias = SvgPath | SvgBox | SvgText


@dataclass(frozen=True, slots=True)
class Plot:
    """A chart: title, description in a sentence, size and shapes."""

    title: str
    description: str
    width: float
    height: float
    shapes: Sequence[SvgShape]


def polyline(points: Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return the path through ``points``.

    >>> polyline([(1, 2), (3.456, 4)])
    'M1 2L3.5 4'
    """
    steps = "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in points)
    return f"M{steps}{'z' if closed else ''}"
