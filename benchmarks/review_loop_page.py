"""What the results page says of the worth of review, and the curve beside it."""

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.pictures import as_svg, drawing

Found = dict[str, Any]
PLOT: Final = "review_loop.svg"
ORDERS: Final = ("worst first", "least sure first", "random")


def section(found: Found) -> Iterator[str]:
    """Yield what F1 becomes when labels are reviewed: those that look wrong, those models are unsure of, or any."""
    yield (
        f"Training on `{found['corpus']}` with the default recipe; the gold column then answers for a reviewer: at the "
        "first issues of the list; or, until as many labels have been looked at, at issues whose two readings are "
        "nearly as probable, or at random places. Corrected labels are trusted for good, and training begins anew. "
        "Means over the seeds, ± their standard deviation.\n"
    )
    yield f"![F1 against reviewed labels]({PLOT})\n"
    rows = []
    for issues in sorted({row["issues"] for row in found["rows"]}):
        for order in ORDERS:
            own = _own(found, issues, order)
            labels, places, wrong = (mean(row[name] for row in own) for name in ("labels", "places", "wrong"))
            scores = (_spread([100 * row[split] for row in own]) for split in ("dev", "test"))
            rows.append([issues, order, len(own), f"{labels:.0f}", f"{wrong:.0f} of {places:.0f}", *scores])
    heading = ["issues", "order", "seeds", "labels reviewed", "places that were wrong", "dev F1", "test F1"]
    yield from table(heading, rows)


def plot(found: Found) -> str:
    """Return the curves as an SVG picture: a line for every order and split, a point for each number of labels."""
    counts = sorted({row["issues"] for row in found["rows"]})
    with drawing(7, 3) as figure:
        for axes, split in zip(figure.subplots(1, 2), ("dev", "test"), strict=True):
            for order, mark in zip(ORDERS, ("o-", "^-.", "s--"), strict=True):
                points = [_own(found, count, order) for count in counts]
                labels = [mean(row["labels"] for row in own) for own in points]
                axes.plot(labels, [100 * mean(row[split] for row in own) for own in points], mark, label=order)
            axes.set_xlabel("labels reviewed")
            axes.set_ylabel(f"{split} F1")
            axes.grid(visible=True, linewidth=0.4)
            axes.legend(frameon=False, fontsize=8)
        return as_svg(figure)


def _own(found: Found, issues: int, order: str) -> list[Found]:
    return [row for row in found["rows"] if (row["issues"], row["order"]) == (issues, order)]


def _spread(values: list[float]) -> str:
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"
