"""What the results page says of the kinds of noise that are found, and of how often their ranges hold."""

from collections.abc import Iterator
from typing import Any

from benchmarks.markdown import table
from benchmarks.noise_kinds import DEV, SENTENCES, SOURCES, STEPS, WRONG
from trustag.noise_rates.kinds import KINDS

Found = dict[str, Any]


def section(found: Found) -> Iterator[str]:
    """Yield how often ranges hold, by source and kind, then every rate."""
    yield (
        f"Up to {SENTENCES:,} sentences of each corpus, {DEV} of its dev, fold models of {STEPS} steps: a small "
        "measurement, one seed. *Missed* is a share of the `O` labels, the others of the entity labels; *wrong* are "
        "all of these together. First, how many of the ranges hold the true rate, and how wide they are on average.\n"
    )
    kinds = (*KINDS, WRONG)
    yield from table(["ranges from", *kinds, "all"], [_held(found, source, kinds) for source in SOURCES])
    yield "\nEvery rate in percent: true; found (range).\n"
    yield from table(["corpus", "from", *kinds], list(_rates(found, kinds)))


def _held(found: Found, source: str, kinds: tuple[str, ...]) -> list[str]:
    cells, inside, total = [], 0, 0
    for kind in kinds:
        own = [(row[source][kind], row["true"][kind]) for row in found["rows"] if kind in row[source]]
        held = sum(rate["low"] <= true <= rate["high"] for rate, true in own)
        inside, total = inside + held, total + len(own)
        width = sum(rate["high"] - rate["low"] for rate, _ in own) / max(1, len(own))
        cells.append(f"{held} of {len(own)} ({width:.0%})" if own else "")
    return [source, *cells, f"{inside} of {total}"]


def _rates(found: Found, kinds: tuple[str, ...]) -> Iterator[list[str]]:
    for row in found["rows"]:
        yield [row["corpus"], "gold column", *(f"{100 * row['true'][kind]:.1f}" for kind in kinds)]
        for source in SOURCES:
            yield ["", source, *(_cell(row[source].get(kind)) for kind in kinds)]


def _cell(rate: dict[str, float] | None) -> str:
    if rate is None:
        return ""
    value, low, high = (f"{100 * rate[name]:.1f}" for name in ("estimate", "low", "high"))
    return f"{value} ({low} to {high})"
