"""The search for noise rates on dev: fold models as those of the first round, trained with every rate in question.

All of them start from the seeds of the first round, so that they differ by their rates alone; and the ones with the
best rates are that round's own, which need not be trained again.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from statistics import mean

from trustag.confidence.selection import NoiseRates
from trustag.recipes.doubt_settings import RateSettings
from trustag.runs.folder import write_text
from trustag.training.folds import Folds
from trustag.training.jobs import Workshop
from trustag.training.plan import search_grids, stage_of
from trustag.training.rounds import Material, fold_models_at, fold_recipe, member_names


@dataclass(frozen=True, slots=True)
class SearchPoint:
    """A pair of rates and the mean dev F1 of the fold models trained with it."""

    negative: float
    positive: float
    dev_f1: float


def search_on_dev(material: Material, workshop: Workshop, folds: Folds, curve: Path) -> NoiseRates:
    """Return the rates with which the fold models of the first round do best on dev; those with them are ready then."""
    annotators = replace(material, recipe=fold_recipe(material.recipe))
    first_round, members = stage_of(1), material.recipe.rounds.members

    def dev_f1_of(candidates: Sequence[NoiseRates]) -> list[float]:
        stages = {_stage(rates): rates for rates in candidates}
        outcomes = fold_models_at(annotators, workshop, folds, stages, seeded_as=first_round)
        return [mean(outcome.dev_f1 or 0.0 for outcome in own) for own in outcomes.values()]

    best = search_rates(material.recipe.rates, dev_f1_of, curve)
    for fold in range(folds.count):
        pairs = zip(*(member_names(stage, fold, members) for stage in (_stage(best), first_round)), strict=True)
        for done, name in pairs:
            workshop.take_over(done, name)
    return best


def search_rates(
    settings: RateSettings, dev_f1_of: Callable[[Sequence[NoiseRates]], Sequence[float]], curve: Path
) -> NoiseRates:
    """Return the rates with the best dev F1 and leave every point tried in ``curve``.

    ``dev_f1_of`` trains with each of some rates, and is asked once for a pair. Separately searched, the rate of ``O``
    labels comes first, with all entity labels trusted; then that of entity labels, with the former at its best.
    """
    negatives, positives = search_grids(settings)
    points: list[SearchPoint] = []
    known: dict[tuple[float, float], float] = {}

    def best_of(candidates: Iterable[NoiseRates]) -> NoiseRates:
        pairs = [(rates.negative, rates.positive) for rates in candidates]
        new = [NoiseRates(*pair) for pair in pairs if pair not in known]
        known.update(zip((pair for pair in pairs if pair not in known), dev_f1_of(new), strict=True))
        found = [SearchPoint(*pair, known[pair]) for pair in pairs]
        points.extend(found)
        write_text(curve, "".join(json.dumps(asdict(point)) + "\n" for point in points))
        top = max(found, key=lambda point: point.dev_f1)
        return NoiseRates(top.negative, top.positive)

    if settings.search == "full":
        return best_of(NoiseRates(negative, positive) for negative, positive in product(negatives, positives))
    negative = best_of(NoiseRates(rate, 0.0) for rate in negatives).negative
    return best_of(NoiseRates(negative, rate) for rate in positives)


def _stage(rates: NoiseRates) -> str:
    return f"search/negative-{rates.negative:.4f}-positive-{rates.positive:.4f}"
