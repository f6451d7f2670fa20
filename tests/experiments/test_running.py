"""A small experiment as a whole: every cell once, and what its runs say of the labels afterwards."""

from pathlib import Path

import numpy as np
import pytest

from trustag.corpora.demo import demo_corpus
from trustag.engines.in_process import InProcess
from trustag.errors import InputError
from trustag.experiments import issue_quality as issue_quality_module
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.issue_quality import CLEANLAB, OURS, SELF_CONFIDENCE, issue_quality
from trustag.experiments.kept_runs import kept_runs
from trustag.experiments.reanalysis import reanalyse
from trustag.experiments.results import Results
from trustag.experiments.running import run_missing, with_label_noise
from trustag.experiments.systems import System
from trustag.files import conll
from trustag.files.formats import WriteOptions
from trustag.notes import unwatched
from trustag.runs.reading import RunFiles

SHORT = ("training.epochs=1", "bilstm.hidden=8", "bilstm.words=8")
ROUNDS = (*SHORT, "method.rounds.fold_epochs=1", "method.rounds.baseline=false")
GRID = "method.rates.grid={ negative = [0.0, 0.1, 0.1], positive = [0.0, 0.0, 0.1] }"
SYSTEMS = {
    "plain": System("bilstm-crf", SHORT),
    "gold labels": System("bilstm-crf", SHORT, gold_labels=True),
    "self-training": System("self-training", ROUNDS),
    "method": System("confidence", (*ROUNDS, "method.rates.estimate_epochs=1", "method.rounds.count=2")),
    "searched": System("confidence", (*ROUNDS, "method.rates.source=searched", GRID), shares_rates=True),
}
SIZES = {"train": 30, "dev": 10, "test": 10}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiment")


@pytest.fixture(scope="module")
def experiment(folder: Path) -> Experiment:
    corpus = demo_corpus()
    (folder / "corpus").mkdir()
    for split, size in SIZES.items():
        with (folder / "corpus" / f"{split}.conll").open("wb") as stream:
            conll.write(getattr(corpus, split)[:size], stream, WriteOptions(), unwatched)
    return Experiment({"demo": ExperimentCorpus(str(folder / "corpus"))}, SYSTEMS, (1, 2))


@pytest.fixture(scope="module")
def results(folder: Path, experiment: Experiment) -> Results:
    first = Experiment(experiment.corpora, {"plain": SYSTEMS["plain"]}, (1,))
    steps = [*run_missing(first, Results(), folder / "runs", InProcess())]
    assert len(steps) == 1
    steps = [*run_missing(experiment, steps[-1], folder / "runs", InProcess())]
    assert [len(step.runs) for step in steps] == list(range(2, 11))
    return steps[-1]


@pytest.mark.slow
def test_every_cell_is_trained_once(experiment: Experiment, results: Results, folder: Path) -> None:
    assert {run.cell for run in results.runs} == set(experiment.cells())
    assert not results.missing(experiment)
    assert results.current(experiment) == results
    assert not [*run_missing(experiment, results, folder / "runs", InProcess())]


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


@pytest.mark.slow
@pytest.mark.parametrize("system", ["method", "self-training"])
@pytest.mark.usefixtures("results")
def test_a_reanalysis_gives_what_training_found(folder: Path, system: str) -> None:
    (run, _) = kept_runs(folder / "runs", ["demo"], system)
    found = reanalyse(run.path)
    assert found.analysis.issues == RunFiles(run.path, system).issues
    with np.load(run.path / "confidence.npz") as columns:
        assert all(np.array_equal(columns[name], found.analysis.columns[name]) for name in columns.files)


@pytest.mark.slow
@pytest.mark.usefixtures("results")
def test_a_run_without_findings_cannot_be_reanalysed(folder: Path) -> None:
    with pytest.raises(InputError, match="kept nothing of its labels"):
        reanalyse(folder / "runs" / "demo-plain-1")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:May not flag")  # cleanlab's, on few examples
@pytest.mark.usefixtures("results")
def test_issues_are_compared_with_other_rankings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labels = reanalyse(folder / "runs" / "demo-method-1")
    monkeypatch.setattr(issue_quality_module, "find_spec", lambda _: None)
    without = issue_quality(labels)
    assert set(without["tokens"]) == {OURS, SELF_CONFIDENCE}
    assert all(0 < quality["average_precision"] <= 1 for quality in without["entities"].values())
    assert without["review"]["issues"] == sum(kind["issues"] for kind in without["kinds"].values())
    monkeypatch.undo()
    pytest.importorskip("cleanlab")
    compared = issue_quality(labels)
    assert set(compared["tokens"]) == {OURS, SELF_CONFIDENCE, CLEANLAB}
    assert compared["tokens"][OURS] == without["tokens"][OURS]


def test_label_noise_is_measured_where_labels_are_trained_on_as_given(experiment: Experiment) -> None:
    assert set(with_label_noise(experiment, Results()).noise) == {"demo"}
    on_gold = Experiment(experiment.corpora, {"gold labels": SYSTEMS["gold labels"]})
    assert not with_label_noise(on_gold, Results()).noise
