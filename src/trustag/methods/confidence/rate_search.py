"""The search for noise rates on dev: fold models as those of the first round, trained with every rate in question.

All of them start from the seeds of the first round, so that they differ by their rates alone; and the ones with the
best rates are that round's own, which need not be trained again.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from statistics import mean
from typing import Any, Final

import msgspec

from trustag.crossfit.folds import Folds
from trustag.crossfit.rounds import FoldModels, fold_jobs, fold_names, round_name
from trustag.methods.confidence.objective import ConfidentLabels
from trustag.methods.confidence.settings import ConfidenceSettings, RateGrid
from trustag.noise_rates.rates import NoiseRates
from trustag.noise_rates.visible_rates import visible_rates
from trustag.runs.records import SearchPoint
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.task import Task

SEARCH: Final = "search"


def search_on_dev(
    task: Task, settings: ConfidenceSettings, jobs: Jobs, folds: Folds
) -> tuple[NoiseRates, list[dict[str, Any]]]:
    """Return the rates with which the fold models of the first round do best on dev, and every point that was tried.

    The models with these rates are ready then as those of the first round.
    """
    rounds, corpus, first_round = settings.rounds, task.corpus, round_name(1)

    def dev_f1_of(candidates: Sequence[NoiseRates]) -> list[float]:
        trainings: dict[str, Job] = {}
        for rates in candidates:
            visible = visible_rates(rates, corpus.label_ids, folds.hidden.any, corpus.labels)
            objective = ConfidentLabels(visible, settings)
            models = FoldModels(objective, rounds.fold_epochs or None, rounds.fold_finetune_vectors)
            trainings |= fold_jobs(task, corpus, folds, models, _prefix(rates), seeded_as=first_round)
        results = jobs.run(SEARCH, trainings)
        return [
            mean(results[name].dev_f1 or 0.0 for name in fold_names(_prefix(rates), len(folds))) for rates in candidates
        ]

    best, points = search_rates(settings.rates.grid, dev_f1_of)
    pairs = zip(*(fold_names(prefix, len(folds)) for prefix in (_prefix(best), first_round)), strict=True)
    for done, name in pairs:
        jobs.reuse(done, name)
    return best, [msgspec.to_builtins(point) for point in points]


def search_rates(
    grid: RateGrid, dev_f1_of: Callable[[Sequence[NoiseRates]], Sequence[float]]
) -> tuple[NoiseRates, list[SearchPoint]]:
    """Return the rates with the best dev F1, and every point tried in the order of trying.

    ``dev_f1_of`` trains with each of some rates, and is asked once for a pair. Separately searched, the rate of ``O``
    labels comes first, with all entity labels trusted; then that of entity labels, with the former at its best.
    """
    negatives, positives = grid_points(grid)
    points: list[SearchPoint] = []
    known: dict[tuple[float, float], float] = {}

    def best_of(candidates: Iterable[NoiseRates]) -> NoiseRates:
        pairs = [(rates.negative, rates.positive) for rates in candidates]
        new = [NoiseRates(*pair) for pair in pairs if pair not in known]
        known.update(zip((pair for pair in pairs if pair not in known), dev_f1_of(new), strict=True))
        found = [SearchPoint(*pair, known[pair]) for pair in pairs]
        points.extend(found)
        top = max(found, key=lambda point: point.dev_f1)
        return NoiseRates(top.negative, top.positive)

    if grid.pairs:
        best = best_of(NoiseRates(negative, positive) for negative, positive in product(negatives, positives))
    else:
        negative = best_of(NoiseRates(rate, 0.0) for rate in negatives).negative
        best = best_of(NoiseRates(negative, rate) for rate in positives)
    return best, points


def grid_points(grid: RateGrid) -> tuple[list[float], list[float]]:
    """Return the noise rates to try: of ``O`` labels, and of entity labels.

    >>> grid_points(RateGrid(negative=(0.0, 0.1, 0.05), positive=(0.0, 0.6, 0.3)))
    ([0.0, 0.05, 0.1], [0.0, 0.3, 0.6])
    """
    return _points(*grid.negative), _points(*grid.positive)


def grid_size(grid: RateGrid) -> int:
    """Return how many pairs of noise rates a search trains with."""
    negatives, positives = grid_points(grid)
    if grid.pairs:
        return len(negatives) * len(positives)
    return len(negatives) + len(positives) - (0.0 in positives)  # the best pair of the first sweep recurs in the second


def _points(lowest: float, highest: float, step: float) -> list[float]:
    steps = round((highest - lowest) / step)
    return [round(lowest + number * step, 6) for number in range(steps + 1)]


def _prefix(rates: NoiseRates) -> str:
    return f"{SEARCH}/negative-{rates.negative:.4f}-positive-{rates.positive:.4f}"
