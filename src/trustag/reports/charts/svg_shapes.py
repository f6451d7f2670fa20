"""The shapes that charts are made of, in pixels from the upper left; colours and strokes are left to style sheets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, Literal, TypeAlias

# Outlines of a marker around (0, 0), a different one for each line, so that nothing rests on colour alone.
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
    """A line or an outline in SVG's own words, moved to (``x``, ``y``); ``look`` is for the style sheet."""

    kind: ClassVar[str] = "path"
    outline: str
    look: str
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class SvgBox:
    """A rectangle, with words for who points at it."""

    kind: ClassVar[str] = "box"
    x: float
    y: float
    width: float
    height: float
    look: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class SvgText:
    """Words at a place: they start, end or have their middle there; ``upright`` ones are read from below."""

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
    """A chart: what it is called, what it shows in a sentence, its size and its shapes."""

    title: str
    description: str
    width: float
    height: float
    shapes: Sequence[SvgShape]


def polyline(points: Sequence[tuple[float, float]], *, closed: bool = False) -> str:
    """Return the outline through ``points``.

    >>> polyline([(1, 2), (3.456, 4)])
    'M1 2L3.5 4'
    """
    steps = "L".join(f"{round(x, 1):g} {round(y, 1):g}" for x, y in points)
    return f"M{steps}{'z' if closed else ''}"
