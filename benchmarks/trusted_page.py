"""What the results page says of trusted sentences and of the kept model, and the curves beside it."""

from collections.abc import Iterator
from statistics import mean, stdev
from typing import Any, Final

from benchmarks.markdown import table
from benchmarks.pictures import as_svg, drawing
from benchmarks.trusted import CORPORA, GOLD, KINDS, MIXED, NO_DEV, TRUSTAG, TRUSTED_ONLY

Found = dict[str, Any]
PLOT: Final = "trusted.svg"


def section(found: Found) -> Iterator[str]:
    """Yield what trusted sentences are worth, then what is kept on each kind of noise."""
    yield (
        "Sentences of the training corpus are drawn and trusted with their gold labels. *Alone*: the baseline on them "
        "only. *Mixed*: the baseline on the whole corpus, in which they replace the noisy ones. Dev selects epochs and "
        "models. Test F1, means over the seeds ± their standard deviation.\n"
    )
    yield f"![Test F1 against trusted sentences]({PLOT})\n"
    yield from table(
        ["labels", "trusted sentences", "seeds", "alone", "mixed", "Trustag", "gap to gold closed"], list(_worth(found))
    )
    yield (
        "\nWithout trusted sentences: other labellings of the same text (*experts* are the labels of CoNLL-2003 as "
        "published, beside corrected ones; *random* lacks half of the entities). The model of the new labels is kept "
        "only where it is better than the baseline; rates are of wrong entity labels.\n"
    )
    heading = [
        "labels",
        "system",
        "seed",
        "baseline",
        "new labels",
        "kept",
        "kept model",
        "true rate",
        "estimated (range)",
    ]
    yield from table(heading, list(_kept(found)))


def plot(found: Found) -> str:
    """Return test F1 against the number of trusted sentences as an SVG picture, one panel a corpus."""
    corpora = [name for name in CORPORA if any(row["corpus"] == name and row["count"] for row in found["rows"])]
    with drawing(3.2 * max(1, len(corpora)), 3) as figure:
        for axes, corpus in zip(figure.subplots(1, len(corpora), squeeze=False)[0], corpora, strict=True):
            for system, mark in zip((TRUSTAG, MIXED, TRUSTED_ONLY), ("o-", "^-.", "s--"), strict=True):
                counts = _counts(found, corpus, system)
                axes.plot(counts, [mean(_tests(found, corpus, count, system)) for count in counts], mark, label=system)
            axes.set_xscale("log")
            axes.set_xlabel("trusted sentences")
            axes.set_ylabel("test F1")
            axes.set_title(corpus, fontsize=9)
            axes.grid(visible=True, linewidth=0.4)
            axes.legend(frameon=False, fontsize=7)
        return as_svg(figure)


def _worth(found: Found) -> Iterator[list[object]]:
    for corpus in CORPORA:
        for count in _counts(found, corpus, TRUSTAG):
            own = _tests(found, corpus, count, TRUSTAG)
            others = (_spread(_tests(found, corpus, count, system)) for system in (TRUSTED_ONLY, MIXED))
            yield [corpus, count, len(own), *others, _spread(own), _closed(found, corpus, mean(own))]


def _closed(found: Found, corpus: str, reached: float) -> str:
    """Return which share of the way from the labels as given to gold labels was gone."""
    given = [row["baseline_test"] for row in _rows(found, corpus, 0, TRUSTAG)]
    gold = _tests(found, corpus, 0, GOLD)
    return f"{(reached - mean(given)) / (mean(gold) - mean(given)):.0%}" if given and gold else ""


def _kept(found: Found) -> Iterator[list[object]]:
    for corpus in (*CORPORA, *KINDS):
        for system in (TRUSTAG, NO_DEV):
            for row in _rows(found, corpus, 0, system):
                middle, low, high = row["positive"]
                true = row.get("true_positive")
                rates = ["" if true is None else f"{true:.0%}", f"{middle:.0%} ({low:.0%} to {high:.0%})"]
                scores = [f"{row[name]:.1f}" for name in ("baseline_test", "relabelled_test", "test")]
                yield [corpus, system, row["seed"], *scores, row["kept"], *rates]


def _rows(found: Found, corpus: str, count: int, system: str) -> list[Found]:
    wanted = (corpus, count, system)
    return [row for row in found["rows"] if (row["corpus"], row["count"], row["system"]) == wanted]


def _tests(found: Found, corpus: str, count: int, system: str) -> list[float]:
    return [row["test"] for row in _rows(found, corpus, count, system)]


def _counts(found: Found, corpus: str, system: str) -> list[int]:
    own = {row["count"] for row in found["rows"] if (row["corpus"], row["system"]) == (corpus, system)}
    return sorted(own - {0})


def _spread(values: list[float]) -> str:
    if not values:
        return ""
    return f"{mean(values):.1f} ± {stdev(values):.1f}" if len(values) > 1 else f"{values[0]:.1f}"
