"""What the results page says of decisions on forms."""

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any

from benchmarks.form_decisions import CORPORA, ORDERS
from benchmarks.markdown import table

Found = dict[str, Any]


def section(found: Found) -> Iterator[str]:
    """Yield what F1 becomes with the same number of decisions in every order, by corpus."""
    rows = found["rows"]
    yield (
        "Training with the default recipe; then the gold column answers: at forms, all places of which one decision "
        "settles, by what a decision is expected to teach; at issues whose two readings are nearly as probable; at "
        "forms that occur more than once and such issues in turn (mixed); or at random places. Where a form is not the "
        "same everywhere, each exception that is marked counts as one more decision, and if there are as many as other "
        "places the answer is that it depends, which settles nothing. Corrected labels are trusted for good, and "
        "training begins anew. Where there are several seeds, means ± standard deviations.\n"
    )
    body = []
    for corpus in CORPORA:
        for asked in sorted({row["asked"] for row in rows if row["corpus"] == corpus}):
            for order in ("none", *ORDERS):
                own = [row for row in rows if (row["corpus"], row["asked"], row["order"]) == (corpus, asked, order)]
                if own:
                    body.append([corpus, asked, "before review" if order == "none" else order, *_figures(own)])
    heading = ["corpus", "decisions", "order", "seeds", "labels decided", "places that were wrong", "dev F1", "test F1"]
    yield from table(heading, body)


def _figures(own: list[Found]) -> list[str]:
    scores = [_spread([100 * row[split] for row in own]) for split in ("dev", "test")]
    if "places" not in own[0]:
        return [str(len(own)), "", "", *scores]
    labels, places, wrong = (mean(row[name] for row in own) for name in ("labels", "places", "wrong"))
    return [str(len(own)), f"{labels:,.0f}", f"{wrong:,.0f} of {places:,.0f}", *scores]


def _spread(values: list[float]) -> str:
    return f"{mean(values):.2f} ± {stdev(values):.2f}" if len(values) > 1 else f"{values[0]:.2f}"
