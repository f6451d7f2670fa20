"""The cells of an experiment: every system on every corpus it suits, with every seed."""

from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.systems import System

CORPORA = {"one": ExperimentCorpus("one", language="english"), "two": ExperimentCorpus("two", language="german")}
SYSTEMS = {"plain": System("bilstm-crf"), "searched": System("confidence", shares_rates=True)}
WITH_CONTEXT = {"context": System("bilstm-crf", context="minilm")}


def test_all_cells_of_a_seed_come_before_those_of_the_next() -> None:
    cells = Experiment(CORPORA, SYSTEMS, (3, 5)).cells()
    assert len(cells) == len(set(cells)) == 8
    assert [cell.seed for cell in cells] == [3] * 4 + [5] * 4
    assert cells[0] == Cell("one", "plain", 3)


def test_systems_with_context_need_a_transformer_and_its_language() -> None:
    assert not Experiment(CORPORA, WITH_CONTEXT, (1,), without={"minilm"}).cells()
    assert Experiment(CORPORA, WITH_CONTEXT, (1,), without={"mpnet-base"}).cells() == [Cell("one", "context", 1)]


def test_only_later_seeds_of_a_search_copy_its_rates() -> None:
    experiment = Experiment(CORPORA, SYSTEMS, (3, 5))
    assert [cell for cell in experiment.cells() if experiment.copies_rates(cell)] == [
        Cell("one", "searched", 5),
        Cell("two", "searched", 5),
    ]
