"""What the results page says of how costs grow, and the plot beside it; apart from the measuring."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.pictures import as_svg, drawing

PLOT: Final = "cost.svg"
INTRODUCTION: Final = (
    "Processor time on one thread against the size of the work, both axes logarithmic; least of interleaved rounds. A "
    "slope of one is linear, of two quadratic; the last one is that of the two largest sizes, where fixed costs no "
    "longer matter.\n"
)


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield how costs grow with the size of the work."""
    yield INTRODUCTION
    yield f"![Curves of cost against size]({PLOT})\n"
    heading = ["work", "against", "from", "to", "slope", "slope at the end", "at most", ""]
    rows = [
        [
            f"{one['work']} ({one['setting']})",
            one["grows"],
            f"{one['sizes'][0]:,}: {_duration(one['seconds'][0])}",
            f"{one['sizes'][-1]:,}: {_duration(one['seconds'][-1])}",
            f"{one['slope']:.2f}",
            f"{one['slope_at_the_end']:.2f}",
            f"{one['at_most']}",
            "reached" if one["passed"] else "missed",
        ]
        for one in found["curves"]
    ]
    yield from table(heading, rows)


def plot(found: dict[str, Any]) -> str:
    """Return the curves as an SVG picture."""
    panels = [(grows, list(group)) for grows, group in groupby(found["curves"], key=lambda one: one["grows"])]
    with drawing(9, 3) as figure:
        for axes, (grows, group) in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
            for one in group:
                axes.loglog(one["sizes"], one["seconds"], marker="o", markersize=3, label=one["work"])
            axes.set_xlabel(grows)
            axes.grid(visible=True, which="major", linewidth=0.4)
            axes.legend(frameon=False, fontsize=8)
        figure.axes[0].set_ylabel("seconds")
        return as_svg(figure)


def _duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.1 else f"{seconds * 1e3:.2f} ms"
