"""The search for noise rates, against looking at every candidate by hand."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from trustag.recipes.doubt_settings import RateSettings

from tests.training.small import here, small_recipe
from tests.training.test_rounds import ROUNDS, noisy_corpus
from trustag.confidence.selection import NoiseRates
from trustag.notes import unwatched
from trustag.recipes.loading import load_recipe
from trustag.text.sentences import Corpus


def dev_f1(rates: NoiseRates) -> float:
    """A ridge along which neither rate is at its best while the other is zero."""
    return 1 - (rates.negative - 0.3) ** 2 - (rates.positive - 0.2) ** 2 - (rates.negative - 2 * rates.positive) ** 2


def searched(settings: RateSettings, curve: Path) -> tuple[NoiseRates, list[list[NoiseRates]]]:
    asked: list[list[NoiseRates]] = []

    def scores(candidates: Sequence[NoiseRates]) -> list[float]:
        asked.append(list(candidates))
        return [dev_f1(rates) for rates in candidates]

    return search_rates(settings, scores, curve), asked


def test_the_paper_searches_both_rates_from_nothing_to_a_fifth() -> None:
    for grid in search_grids(load_recipe("paper").rates):
        assert grid == pytest.approx([step / 100 for step in range(21)])


def test_separately_the_rate_of_outside_labels_comes_first_then_the_other_with_it(tmp_path: Path) -> None:
    settings = RateSettings(search_to=0.4, search_step=0.1)
    found, asked = searched(settings, tmp_path / "search.jsonl")
    grid = [0.0, 0.1, 0.2, 0.3, 0.4]
    first = max(grid, key=lambda rate: dev_f1(NoiseRates(rate, 0.0)))
    second = max(grid, key=lambda rate: dev_f1(NoiseRates(first, rate)))
    sweeps = [NoiseRates(rate, 0.0) for rate in grid], [NoiseRates(first, rate) for rate in grid]
    assert asked == [sweeps[0], sweeps[1][1:]]  # the best pair of the first sweep is known already
    assert found == NoiseRates(first, second)
    curve = [json.loads(line) for line in (tmp_path / "search.jsonl").read_text().splitlines()]
    assert [(point["negative"], point["positive"]) for point in curve] == [
        (rates.negative, rates.positive) for sweep in sweeps for rates in sweep
    ]
    assert [point["dev_f1"] for point in curve] == [dev_f1(rates) for sweep in sweeps for rates in sweep]


def test_entity_labels_may_have_a_range_and_steps_of_their_own(tmp_path: Path) -> None:
    settings = RateSettings(search_to=0.1, search_step=0.05, search_positive_to=0.6, search_positive_step=0.2)
    _, asked = searched(settings, tmp_path / "search.jsonl")
    assert [rates.negative for rates in asked[0]] == [0.0, 0.05, 0.1]
    assert [rates.positive for rates in asked[1]] == [0.2, 0.4, 0.6]


def test_a_full_search_finds_the_best_pair(tmp_path: Path) -> None:
    settings = RateSettings(search="full", search_from=0.1, search_to=0.4, search_step=0.1)
    found, asked = searched(settings, tmp_path / "search.jsonl")
    grid = [0.1, 0.2, 0.3, 0.4]
    pairs = [NoiseRates(negative, positive) for negative in grid for positive in grid]
    assert asked == [pairs]
    assert found == max(pairs, key=dev_f1)


def test_a_pair_is_worth_the_mean_of_its_fold_models(tmp_path: Path) -> None:
    data = noisy_corpus()
    recipe = small_recipe(*ROUNDS, "rates.source=searched", "rates.search_to=0.1", "rates.search_step=0.1")
    train(Corpus(data.train[:20], data.dev), recipe, None, Destination(tmp_path / "run"), here(unwatched))
    points = [json.loads(line) for line in (tmp_path / "run" / "search.jsonl").read_text().splitlines()]
    assert len(points) == 4
    for point in points:
        stage = f"search/negative-{point['negative']:.4f}-positive-{point['positive']:.4f}"
        folds = [tmp_path / "run" / "jobs" / stage / f"fold-{fold}" / "metrics.jsonl" for fold in (1, 2)]
        best = [max(json.loads(line)["f1"] for line in fold.read_text().splitlines()) for fold in folds]
        assert point["dev_f1"] == pytest.approx(sum(best) / 2)


SMALL_SEARCH = ("rates.search_to=0.2", "rates.search_step=0.2", "rounds.baseline=false", "rounds.members=2")


def test_the_models_with_the_best_rates_are_those_of_the_first_round(tmp_path: Path) -> None:
    corpus = Corpus(noisy_corpus().train[:20], noisy_corpus().dev)

    def trained(name: str, *settings: str) -> Path:
        recipe = small_recipe(*ROUNDS, *SMALL_SEARCH, *settings)
        train(corpus, recipe, None, Destination(tmp_path / name), here(unwatched))
        return tmp_path / name

    searching = trained("searched", "rates.source=searched")
    found = json.loads((searching / "rates.json").read_text())
    rates = [f"rates.{group}={found[group]}" for group in ("negative", "positive")]
    told = trained("told", "rates.source=given", *rates)
    outcomes = sorted(path.relative_to(told) for path in told.glob("jobs/round-1/fold-*/outcome/*"))
    assert len(outcomes) == 8  # two members of two folds, two files each
    for outcome in (*outcomes, Path("model-best") / "weights.safetensors", Path("relabelled.conll")):
        assert (searching / outcome).read_bytes() == (told / outcome).read_bytes()
    chosen = f"search/negative-{found['negative']:.4f}-positive-{found['positive']:.4f}"
    for fold in ("fold-1", "fold-1-2", "fold-2", "fold-2-2"):
        first, taken = (searching / "jobs" / stage / fold / "metrics.jsonl" for stage in (chosen, "round-1"))
        assert first.stat().st_mtime_ns == taken.stat().st_mtime_ns  # not trained once more
