"""What the results page says of ways to train with fewer and cheaper passes over the corpus."""

from collections.abc import Iterator
from typing import Any, Final

from benchmarks.markdown import table

_PARTS: Final = {
    "rates/": "noise rates",
    "round-1/fold": "fold models",
    "round-1/final": "final model",
    "plain": "baseline",
}


def section(found: dict[str, Any]) -> Iterator[str]:
    """Yield what each way costs and reaches, and where the time of a job goes."""
    yield (
        "Variants of the default recipe on one core, processor time of all trainings of a run; *passes* counts every "
        "sentence of every epoch that was trained. AP is the average precision of ranking wrong labels, and wrong "
        "entities, against gold. A corpus with a number is a sample of so many training sentences and 1,000 of dev.\n"
    )
    heading = ["corpus", "variant", "seed", "CPU s", "passes", "new labels dev", "test", "baseline dev", "test"]
    yield from table([*heading, "AP labels", "AP entities"], [_row(row) for row in _ordered(found)])
    yield "\nWhere the processor time of these runs goes, in seconds:\n"
    yield from table(["corpus", "variant", "seed", *_PARTS.values()], [_shares(row) for row in _ordered(found)])


def _ordered(found: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = found["rows"]
    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    return sorted(rows, key=lambda row: (corpora.index(row["corpus"]), row["seed"]))


def _row(row: dict[str, Any]) -> list[str]:
    seconds = f"{row['trainings_cpu_seconds']:.0f}"
    scores = (row.get(name) for name in ("relabelled_dev", "relabelled_test", "baseline_dev", "baseline_test"))
    ranking = (row.get(name) for name in ("ap_labels", "ap_entities"))
    return [
        row["corpus"],
        row["variant"],
        str(row["seed"]),
        seconds,
        f"{row['passes']:.0f}",
        *("" if score is None else f"{score:.1f}" for score in scores),
        *("" if value is None else f"{value:.3f}" for value in ranking),
    ]


def _shares(row: dict[str, Any]) -> list[str]:
    seconds = (row["parts"].get(part, {}).get("cpu_seconds") for part in _PARTS)
    return [
        row["corpus"],
        row["variant"],
        str(row["seed"]),
        *("" if own is None else f"{own:.0f}" for own in seconds),
    ]
