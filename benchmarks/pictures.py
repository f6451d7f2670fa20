"""Pictures for the results page: the same bytes for the same figures."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@contextmanager
def drawing(width: float, height: float) -> Iterator["Figure"]:
    """Give a figure to draw on, with settings that make its picture reproducible."""
    import matplotlib as mpl  # noqa: PLC0415 - only pictures need it
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context({"svg.hashsalt": "trustag", "svg.fonttype": "none", "font.size": 9}):
        yield Figure(figsize=(width, height), layout="constrained")


def as_svg(figure: "Figure") -> str:
    """Return what was drawn as SVG, without spaces at the ends of lines."""
    picture = io.StringIO()
    figure.savefig(picture, format="svg", metadata={"Date": None, "Creator": None})
    return "\n".join(line.rstrip() for line in picture.getvalue().splitlines()) + "\n"
