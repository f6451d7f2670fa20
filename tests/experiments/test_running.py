"""Every cell is trained once, whatever was trained before."""

from pathlib import Path

import pytest

from tests.experiments.small import SYSTEMS
from trustag.engines.in_process import InProcess
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.results import Results
from trustag.experiments.running import CellRuns, run_missing, with_label_noise


@pytest.mark.slow
def test_every_cell_is_trained_once(experiment: Experiment, results: Results, folder: Path) -> None:
    assert {run.cell for run in results.runs} == set(experiment.cells())
    assert not results.missing(experiment)
    assert results.current(experiment) == results
    assert not [*run_missing(experiment, results, CellRuns(folder / "runs"), InProcess())]


@pytest.mark.slow
def test_later_seeds_are_given_the_rates_of_the_first(results: Results) -> None:
    first, second = (results.of(Cell("demo", "searched", seed)) for seed in (1, 2))
    assert first is not None
    assert second is not None
    assert first.rates is not None
    assert second.rates is not None
    assert (first.rates["source"], second.rates["source"]) == ("searched", "given")
    assert [first.rates[group] for group in ("negative", "positive")] == [
        second.rates[group] for group in ("negative", "positive")
    ]


def test_label_noise_is_measured_where_labels_are_trained_on_as_given(experiment: Experiment) -> None:
    assert set(with_label_noise(experiment, Results()).noise) == {"demo"}
    on_gold = Experiment(experiment.corpora, {"gold labels": SYSTEMS["gold labels"]})
    assert not with_label_noise(on_gold, Results()).noise
