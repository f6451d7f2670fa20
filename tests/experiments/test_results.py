"""Results come back as they were written, and say what is still to be trained."""

import json
from dataclasses import replace
from pathlib import Path

from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.results import CellResult, Results, read_results, write_results
from trustag.experiments.systems import System

PLAIN, OTHER = System("bilstm-crf"), System("bilstm-crf", ("training.epochs=3",))
EXPERIMENT = Experiment(
    {"b": ExperimentCorpus("b"), "a": ExperimentCorpus("a")}, {"plain": PLAIN, "other": OTHER}, (1,)
)
SCORE = {"precision": 0.5, "recall": 0.5, "f1": 0.5}
PUBLISHED = Path(__file__).parents[2] / "results" / "scores.json"


def result(corpus: str, system: str, settings: str, seed: int = 1) -> CellResult:
    return CellResult(corpus, system, seed, settings, "commit", 1.5, 2, SCORE, None)


def test_results_come_back_from_their_file(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "scores.json"
    assert read_results(path) == Results()
    results = Results((result("a", "plain", "x"),), {"a": {"recall": 0.5}})
    write_results(path, results)
    assert read_results(path) == results
    written = json.loads(path.read_text(encoding="utf-8"))
    assert {"commit", "machine", "versions", "date"} <= set(written)
    assert "rates" not in written["runs"][0]


def test_published_results_are_read_and_written_alike() -> None:
    known = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    results = read_results(PUBLISHED)
    assert [run.record() for run in results.runs] == known["runs"]
    assert results.noise == known["noise"]


def test_a_changed_setting_makes_a_result_outdated() -> None:
    runs = (result("a", "plain", PLAIN.checksum()), result("a", "other", "old"), result("a", "elsewhere", "old"))
    current = Results(runs).current(EXPERIMENT)
    assert [run.system for run in current.runs] == ["plain", "elsewhere"]
    assert current.missing(EXPERIMENT) == [Cell("b", "plain", 1), Cell("b", "other", 1), Cell("a", "other", 1)]


def test_other_word_vectors_make_a_result_outdated() -> None:
    corpora = {"a": ExperimentCorpus("a", "folder/own.txt", "one+two"), "b": ExperimentCorpus("b", "own.txt", "three")}
    systems = {"plain": PLAIN, "advised": System("bilstm-crf", advised_vectors=True)}
    experiment = Experiment(corpora, systems, (1,))
    runs = {
        ("a", "plain"): "own.txt",
        ("b", "plain"): "other.txt",
        ("a", "advised"): "one+two",
        ("b", "advised"): "one+two",
        ("elsewhere", "plain"): "other.txt",
        ("a", "elsewhere"): None,
    }
    results = Results(tuple(replace(result(*cell, PLAIN.checksum()), vectors=name) for cell, name in runs.items()))
    assert {(run.corpus, run.system) for run in results.current(experiment).runs} == {
        ("a", "plain"),
        ("a", "advised"),
        ("elsewhere", "plain"),
        ("a", "elsewhere"),
    }
    unnamed = Results(tuple(replace(run, vectors=None) for run in results.runs))
    assert unnamed.current(experiment) == unnamed


def test_one_cell_has_one_result_and_its_order() -> None:
    results = Results()
    for corpus in ("a", "unknown", "b"):
        results = results.with_run(result(corpus, "plain", "x"), list(EXPERIMENT.corpora))
    newer = replace(result("a", "plain", "x"), cpu_seconds=9.0)
    results = results.with_run(newer, list(EXPERIMENT.corpora))
    assert [run.corpus for run in results.runs] == ["b", "a", "unknown"]
    assert results.of(Cell("a", "plain", 1)) == newer
    assert results.of(Cell("a", "plain", 2)) is None
