"""The noise-rate search curve: dev F1 by the rate of wrong ``O`` labels and by that of wrong entity labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.runs.records import RatesRecord, SearchPoint


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """A noise rate and the mean dev F1 of the fold models trained with it."""

    rate: float
    dev_f1: float


@dataclass(frozen=True, slots=True)
class RateSearchCurve:
    """A search: all pairs of rates in the order of the search, and dev F1 by either rate.

    A separate search varies first the rate of ``O`` labels, with all entity labels trusted, then that of entity labels
    at the best rate of ``O`` labels. For a full search, ``negative`` and ``positive`` have the best F1 over the other
    rate. ``chosen`` are the rates of the run, ``measured`` those of the gold column, and ``undoubting`` is the dev F1
    with both rates 0; each where it is known.
    """

    run: str
    method: str
    points: tuple[SearchPoint, ...]
    negative: tuple[SweepPoint, ...]
    positive: tuple[SweepPoint, ...]
    chosen: RatesRecord | None
    measured: RatesRecord | None
    undoubting: float | None
    lacking: tuple[str, ...]


def rate_search_curve(run: RunFiles) -> RateSearchCurve:
    """Return dev F1 by noise rate, for a run that searched for the rates."""
    points, choices = run.search, run.choices.method.rates
    if not points:
        absent = f"no noise-rate search (method.rates.source is {choices.source})"
        unready = "the noise-rate search is not complete"
        raise NothingToDrawError(unready if choices.source == "searched" else absent, where=run.path)
    lacking = []
    measured = None
    if run.labels is not None and run.labels.has_gold:
        noise = run.labels.noise()
        measured = RatesRecord(noise.tau_n, noise.tau_p)
    else:
        lacking.append("true noise rates: no gold column, or the run is not finished")
    undoubting = next((point.dev_f1 for point in points if point.negative == point.positive == 0), None)
    if undoubting is None:
        lacking.append("dev F1 with all labels trusted: the rates 0 and 0 were not searched")
    has_pairs = choices.grid is not None and choices.grid.pairs
    second = len(points) if has_pairs else _second_sweep(points)
    by_positive = points if has_pairs else points[second:]
    return RateSearchCurve(
        run=run.name,
        method=run.method,
        points=tuple(points),
        negative=_best_of_each([(point.negative, point.dev_f1) for point in points[:second]]),
        positive=_best_of_each([(point.positive, point.dev_f1) for point in by_positive]),
        chosen=None if run.rates is None else RatesRecord(run.rates.negative, run.rates.positive),
        measured=measured,
        undoubting=undoubting,
        lacking=tuple(lacking),
    )


def _second_sweep(points: Sequence[SearchPoint]) -> int:
    """Return the index at which a separate search starts to vary the second rate: where the first stops rising."""
    steps = enumerate(pairwise(points), start=1)
    return next((index for index, (before, after) in steps if after.negative <= before.negative), len(points))


def _best_of_each(pairs: Sequence[tuple[float, float]]) -> tuple[SweepPoint, ...]:
    """Return the best F1 of each rate, in ascending order of rates."""
    best: dict[float, float] = {}
    for rate, f1 in pairs:
        best[rate] = max(f1, best.get(rate, f1))
    return tuple(SweepPoint(rate, best[rate]) for rate in sorted(best))
