"""A small experiment, trained once for all tests that read its runs."""

from pathlib import Path

import pytest

from tests.experiments.small import SIZES, SYSTEMS
from trustag.corpora.demo import demo_corpus
from trustag.engines.in_process import InProcess
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Experiment
from trustag.experiments.results import Results
from trustag.experiments.running import CellRuns, run_missing
from trustag.files import conll
from trustag.files.formats import WriteOptions
from trustag.notes import unwatched


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiment")


@pytest.fixture(scope="session")
def experiment(folder: Path) -> Experiment:
    corpus = demo_corpus()
    (folder / "corpus").mkdir()
    for split, size in SIZES.items():
        with (folder / "corpus" / f"{split}.conll").open("wb") as stream:
            conll.write(getattr(corpus, split)[:size], stream, WriteOptions(), unwatched)
    return Experiment({"demo": ExperimentCorpus(str(folder / "corpus"))}, SYSTEMS, (1, 2))


@pytest.fixture(scope="session")
def results(folder: Path, experiment: Experiment) -> Results:
    first = Experiment(experiment.corpora, {"plain": SYSTEMS["plain"]}, (1,))
    steps = [*run_missing(first, Results(), CellRuns(folder / "runs", keep_jobs=True), InProcess())]
    assert len(steps) == 1
    steps = [*run_missing(experiment, steps[-1].results, CellRuns(folder / "runs", keep_jobs=True), InProcess())]
    assert [len(step.results.runs) for step in steps] == list(range(2, 11))
    return steps[-1].results
