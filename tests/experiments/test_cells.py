"""The result of a cell, and the settings it is trained with."""

from pathlib import Path

import pytest

from tests.experiments.small import SYSTEMS
from tests.models.tiny_transformers import save_bert
from trustag.experiments.cells import CellJob, run_cell
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Cell
from trustag.experiments.results import Results
from trustag.experiments.systems import System

CORPUS = ExperimentCorpus("demo", vectors="near.txt", advised_vectors="english-glove")
CELL = Cell("demo", "some", 4)


def test_a_cell_adds_seed_and_vectors_to_its_system() -> None:
    job = CellJob(CELL, CORPUS, System("bilstm-crf", context="minilm"))
    assert job.changes() == ["training.seed=4", "bilstm.vectors='near.txt'", "bilstm.context='minilm'"]
    advised = CellJob(CELL, CORPUS, System("bilstm-crf", advised_vectors=True))
    assert advised.changes() == ["training.seed=4", "bilstm.vectors='english-glove'"]
    at_random = CellJob(CELL, ExperimentCorpus("demo"), System("bilstm-crf"))
    assert at_random.changes() == ["training.seed=4", "bilstm.random_vectors=true"]


def test_known_rates_take_the_place_of_a_search() -> None:
    system = SYSTEMS["searched"]
    recipe = system.resolved(CellJob(CELL, CORPUS, system, rates=(0.1, 0.2)).changes())
    rates = recipe.method["rates"]
    assert (rates["source"], rates["negative"], rates["positive"]) == ("given", 0.1, 0.2)


@pytest.mark.slow
def test_features_that_are_read_again_count_as_if_they_were_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    system = System("bilstm-crf", ("training.epochs=1",), context=str(save_bert(tmp_path / "encoder")))
    first, second = (run_cell(CellJob(CELL, ExperimentCorpus("demo"), system), tmp_path / name) for name in "ab")
    assert first.features_cpu_seconds == second.features_cpu_seconds
    assert second.features_cpu_seconds is not None
    assert 0 < second.features_cpu_seconds < second.cpu_seconds
    assert first.context == system.context
    assert (first.dev, first.test) == (second.dev, second.test)


@pytest.mark.slow
def test_results_carry_scores_settings_and_machine(results: Results) -> None:
    for run in results.runs:
        assert run.dev is not None
        assert run.test is not None
        assert set(run.test) == {"precision", "recall", "f1"}
        assert run.settings == SYSTEMS[run.system].checksum()
        assert run.machine
        assert run.commit
        assert (run.rates is None) == (run.system in {"plain", "gold labels"})
