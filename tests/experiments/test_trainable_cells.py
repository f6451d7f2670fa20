"""What cannot be trained here is left out and said; outdated results are not shown."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.experiments.test_grid import GRID, write
from trustag.errors import InputError
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Experiment
from trustag.experiments.grid import read_grid
from trustag.experiments.results import CellResult, Results, write_results
from trustag.experiments.systems import System
from trustag.experiments.trainable_cells import current_results, trainable

SYSTEMS = {
    "plain": System("bilstm-crf"),
    "unknown": System("no-such-method"),
    "wrong": System("bilstm-crf", ("training.epochs=many",)),
    "encoder": System("bilstm-crf", context="mpnet-base"),
}


def test_corpora_methods_and_encoders_that_are_not_here_are_left_out(tmp_path: Path) -> None:
    corpora = {
        "demo": ExperimentCorpus("demo"),
        "missing": ExperimentCorpus(str(tmp_path / "missing")),
        "without vectors": ExperimentCorpus("demo", str(tmp_path / "own.txt")),
    }
    found = trainable(Experiment(corpora, SYSTEMS, (1,)))
    assert list(found.experiment.corpora) == ["demo"]
    assert list(found.experiment.systems) == ["plain"]
    assert set(found.left_out) == {"missing", "without vectors", "unknown", "wrong", "encoder"}
    assert "--data" in found.left_out["missing"]
    assert "--vectors" in found.left_out["without vectors"]
    assert "trustag vectors get mpnet-base" in found.left_out["encoder"]


def test_results_of_other_settings_are_counted_and_not_shown(tmp_path: Path) -> None:
    grid = read_grid(write(tmp_path, GRID))
    checksum = grid.experiment().systems["plain"].checksum()
    today = CellResult("two", "plain", 1, checksum, "c", 1.0, 1, None, None)
    runs = (today, replace(today, seed=2, settings="old"))
    write_results(tmp_path / "one.json", Results(runs, remarks=("remark",)))
    write_results(tmp_path / "two.json", Results((replace(today, cpu_seconds=2.0),)))
    found = current_results(grid, [tmp_path / "one.json", tmp_path / "two.json"])
    assert [(run.seed, run.cpu_seconds) for run in found.runs] == [(1, 2.0)]
    assert list(found.remarks) == ["remark", "1 results of other settings or word vectors are left out."]


def test_no_results_are_an_error_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file; train first"):
        current_results(read_grid(write(tmp_path, GRID)), [tmp_path / "results.json"])
