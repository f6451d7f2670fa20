"""What cells read from files is read once, and training from it leaves the same run."""

from pathlib import Path

import pytest

from tests.experiments.small import SHORT
from tests.models.tiny_transformers import save_bert
from tests.training.run_files import everything
from trustag.engines.worker_processes import WorkerProcesses
from trustag.experiments.cell_inputs import load_inputs
from trustag.experiments.cells import RESULT_FILE, CellJob, run_cell
from trustag.experiments.corpora import ExperimentCorpus, Sizes
from trustag.experiments.experiment import Cell
from trustag.experiments.systems import System

CORPUS = ExperimentCorpus("demo", sizes=Sizes(30, 10, 10))


def job(seed: int = 1, *, gold: bool = False, vectors: str = "", context: str = "") -> CellJob:
    corpus = ExperimentCorpus(CORPUS.name, vectors, sizes=CORPUS.sizes)
    return CellJob(Cell("demo", "some", seed), corpus, System("bilstm-crf", SHORT, gold_labels=gold, context=context))


def test_cells_of_a_corpus_are_given_the_same_values() -> None:
    first, second, gold = (load_inputs(one) for one in (job(1), job(2), job(gold=True)))
    assert first.corpus is second.corpus
    assert first.given is second.given
    assert gold.corpus is not first.corpus
    assert gold.given is first.given, "gold labels are on the same words"


@pytest.mark.slow
def test_a_run_on_loaded_inputs_is_that_on_files(tmp_path: Path) -> None:
    vectors = tmp_path / "own.txt"
    vectors.write_text("the 1 2\nof 3 4\n")
    whole = job(vectors=str(vectors), context=str(save_bert(tmp_path / "encoder")))
    from dataclasses import replace

    run_cell(whole, tmp_path / "files" / "run")
    loaded = replace(whole, inputs=load_inputs(whole))
    with WorkerProcesses(2) as engine:  # so that the inputs travel, too
        engine.submit_into(tmp_path / "loaded" / "run", run_cell, loaded).result()
    found = [everything(tmp_path / name / "run") for name in ("files", "loaded")]
    for files in found:
        files.pop(RESULT_FILE)
    assert found[0] == found[1]
