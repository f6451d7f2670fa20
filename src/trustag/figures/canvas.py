"""The style of all figures and their rendering: the same numbers give the same bytes."""

import io
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from trustag.errors import MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PictureFormat: TypeAlias = Literal["svg", "png"]
# A line style of matplotlib by name, or an offset and the lengths of dashes and gaps.
Dashes: TypeAlias = str | tuple[float, tuple[float, ...]]

# The colour-blind safe palette of Okabe and Ito; the lighter colours come last.
BLUE: Final = "#0072B2"
VERMILLION: Final = "#D55E00"
GREY: Final = "#666666"
_COLOURS: Final = (BLUE, VERMILLION, "#009E73", "#CC79A7", "#000000", "#E69F00", "#56B4E9")
_MARKERS: Final = ("o", "s", "^", "D", "v", "P", "X", "<")
_DASHES: Final[tuple[Dashes, ...]] = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)))

_SETTINGS: Final[dict[Any, Any]] = {
    "axes.grid": True,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 10,
    "figure.constrained_layout.h_pad": 0.07,
    "figure.constrained_layout.w_pad": 0.07,
    "figure.titlesize": 11,
    "font.size": 9,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "lines.linewidth": 1.6,
    "lines.markersize": 5,
    "savefig.dpi": 150,
    "svg.fonttype": "none",
    "svg.hashsalt": "trustag",
    # A dollar sign in a token or a name does not start a formula.
    "text.parse_math": False,
}


class LineStyle(NamedTuple):
    """Colour, marker and dashes of a line; lines differ in all three, so that colour is never needed."""

    color: str
    marker: str
    linestyle: Dashes


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure as the content of a file; ``is_whole`` unless the font lacks some of its characters."""

    content: bytes
    is_whole: bool


def check_matplotlib() -> None:
    """Raise an error that says how to install matplotlib where it is missing."""
    try:
        import matplotlib.figure  # noqa: PLC0415, F401 - takes a second to load, and not every installation has it
    except ImportError:
        raise MissingExtraError("drawing figures", "figures") from None


def render(draw: Callable[[], "Figure"], picture_format: PictureFormat, title: str) -> Picture:
    """Return the rendered figure of ``draw``, in our style whatever the user's matplotlib settings are."""
    buffer = io.BytesIO()
    with _our_style(), warnings.catch_warnings(record=True) as caught:
        warnings.filterwarnings("always", message="Glyph .* missing from font")
        anonymous = {"Date": None, "Creator": None} if picture_format == "svg" else {"Software": None}
        draw().savefig(buffer, format=picture_format, metadata={"Title": title, **anonymous})
    others = [entry for entry in caught if "missing from font" not in str(entry.message)]
    for other in others:
        warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    # An SVG keeps text, which is drawn with the fonts of the reader.
    return Picture(buffer.getvalue(), is_whole=len(others) == len(caught) or picture_format == "svg")


@contextmanager
def _our_style() -> Iterator[None]:
    check_matplotlib()
    import matplotlib as mpl  # noqa: PLC0415

    with mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_SETTINGS)
        yield


def line_styles(count: int) -> list[LineStyle]:
    """Return styles for ``count`` lines, all different for any number that can be told apart."""
    return list(islice(map(LineStyle, cycle(_COLOURS), cycle(_MARKERS), cycle(_DASHES)), count))


def panels(count: int, title: str) -> tuple["Figure", Sequence["Axes"]]:
    """Return a figure with a title and ``count`` panels side by side."""
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure = Figure(figsize=(max(4.2 * count, 5.6), 3.4), layout="constrained")
    figure.suptitle(title)
    return figure, list(figure.subplots(1, count, squeeze=False)[0])


def whole_numbers(axes: "Axes", values: Sequence[int]) -> None:
    """Restrict the ticks of the x axis to integers, with a margin on both sides."""
    from matplotlib.ticker import MaxNLocator  # noqa: PLC0415

    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    margin = max((max(values) - min(values)) * 0.05, 0.25)
    axes.set_xlim(min(values) - margin, max(values) + margin)


def shortened(text: str, most: int = 90) -> str:
    """Return ``text``, truncated to ``most`` characters.

    >>> shortened("a long name", most=7)
    'a long…'
    """
    return text if len(text) <= most else text[: most - 1] + "…"


def percentages(values: Sequence[float]) -> list[float]:
    """Return shares as percentages.

    >>> percentages([0.25, 1])
    [25.0, 100]
    """
    return [100 * value for value in values]
