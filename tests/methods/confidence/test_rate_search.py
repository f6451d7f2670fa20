"""The search for noise rates, against looking at every candidate by hand."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.training.small import noisy_corpus, run_rounds
from trustag.methods.confidence.rate_search import grid_points, grid_size, search_rates
from trustag.methods.confidence.settings import ConfidenceSettings, RateGrid
from trustag.methods.table import choose_method, load_recipe
from trustag.noise_rates.rates import NoiseRates
from trustag.runs.records import SearchPoint
from trustag.text.sentences import Corpus


def dev_f1(rates: NoiseRates) -> float:
    """A ridge along which neither rate is at its best while the other is zero."""
    return 1 - (rates.negative - 0.3) ** 2 - (rates.positive - 0.2) ** 2 - (rates.negative - 2 * rates.positive) ** 2


def searched(grid: RateGrid) -> tuple[NoiseRates, list[SearchPoint], list[list[NoiseRates]]]:
    asked: list[list[NoiseRates]] = []

    def scores(candidates: Sequence[NoiseRates]) -> list[float]:
        asked.append(list(candidates))
        return [dev_f1(rates) for rates in candidates]

    best, points = search_rates(grid, scores)
    assert sum(map(len, asked)) == grid_size(grid)
    return best, points, asked


def test_the_paper_searches_both_rates_from_nothing_to_a_fifth() -> None:
    settings = choose_method(load_recipe("paper")).settings
    assert isinstance(settings, ConfidenceSettings)
    for grid in grid_points(settings.rates.grid):
        assert grid == pytest.approx([step / 100 for step in range(21)])


def test_separately_the_rate_of_outside_labels_comes_first_then_the_other_with_it() -> None:
    found, points, asked = searched(RateGrid(negative=(0.0, 0.4, 0.1), positive=(0.0, 0.4, 0.1)))
    grid = [0.0, 0.1, 0.2, 0.3, 0.4]
    first = max(grid, key=lambda rate: dev_f1(NoiseRates(rate, 0.0)))
    second = max(grid, key=lambda rate: dev_f1(NoiseRates(first, rate)))
    sweeps = [NoiseRates(rate, 0.0) for rate in grid], [NoiseRates(first, rate) for rate in grid]
    assert asked == [sweeps[0], sweeps[1][1:]]  # the best pair of the first sweep is known already
    assert found == NoiseRates(first, second)
    assert points == [SearchPoint(rates.negative, rates.positive, dev_f1(rates)) for sweep in sweeps for rates in sweep]


def test_entity_labels_may_have_a_range_and_steps_of_their_own() -> None:
    _, _, asked = searched(RateGrid(negative=(0.0, 0.1, 0.05), positive=(0.0, 0.6, 0.2)))
    assert [rates.negative for rates in asked[0]] == [0.0, 0.05, 0.1]
    assert [rates.positive for rates in asked[1]] == [0.2, 0.4, 0.6]


def test_a_search_of_pairs_finds_the_best_pair() -> None:
    found, _, asked = searched(RateGrid(negative=(0.1, 0.4, 0.1), positive=(0.1, 0.4, 0.1), pairs=True))
    grid = [0.1, 0.2, 0.3, 0.4]
    pairs = [NoiseRates(negative, positive) for negative in grid for positive in grid]
    assert asked == [pairs]
    assert found == max(pairs, key=dev_f1)


def small_grid(step: float) -> tuple[str, ...]:
    sweep = f"[0.0, {step}, {step}]"
    return "method.rates.source=searched", f"method.rates.grid={{negative={sweep}, positive={sweep}}}"


def few_sentences() -> Corpus:
    data = noisy_corpus()
    return Corpus(data.train[:20], data.dev)


@pytest.mark.slow
def test_a_pair_is_worth_the_mean_of_its_fold_models(tmp_path: Path) -> None:
    run = run_rounds(tmp_path / "run", *small_grid(0.1), corpus=few_sentences()).run
    points = [json.loads(line) for line in run.search.read_text().splitlines()]
    assert len(points) == 4
    for point in points:
        stage = f"search/negative-{point['negative']:.4f}-positive-{point['positive']:.4f}"
        folds = [run.jobs / stage / f"fold-{fold}" / "metrics.jsonl" for fold in (1, 2)]
        best = [max(json.loads(line)["f1"] for line in fold.read_text().splitlines()) for fold in folds]
        assert point["dev_f1"] == pytest.approx(sum(best) / 2)


@pytest.mark.slow
def test_the_models_with_the_best_rates_are_those_of_the_first_round(tmp_path: Path) -> None:
    baseline = "method.rounds.baseline=false"
    searching = run_rounds(tmp_path / "searched", *small_grid(0.2), baseline, corpus=few_sentences()).run.path
    found = json.loads((searching / "rates.json").read_text())
    rates = [f"method.rates.{group}={found[group]}" for group in ("negative", "positive")]
    given_changes = ("method.rates.source=given", *rates, baseline)
    given = run_rounds(tmp_path / "given", *given_changes, corpus=few_sentences()).run.path
    outcomes = sorted(path.relative_to(given) for path in given.glob("jobs/round-1/fold-*/outcome/*"))
    assert len(outcomes) == 6  # two folds, three files each
    for outcome in (*outcomes, Path("model-best") / "weights.safetensors", Path("relabelled.conll")):
        assert (searching / outcome).read_bytes() == (given / outcome).read_bytes()
    chosen = f"search/negative-{found['negative']:.4f}-positive-{found['positive']:.4f}"
    for fold in ("fold-1", "fold-2"):
        first, taken = (searching / "jobs" / stage / fold / "metrics.jsonl" for stage in (chosen, "round-1"))
        assert first.stat().st_mtime_ns == taken.stat().st_mtime_ns  # not trained once more
