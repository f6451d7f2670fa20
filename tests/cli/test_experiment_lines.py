"""Lines about cells and their costs, and the tables on a terminal."""

import json

import pytest

from tests.experiments.test_table_formats import TABLE
from trustag.cli.experiment_lines import cost_lines, print_tables, step_as_json, step_line
from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.experiment import Cell, Experiment
from trustag.experiments.results import CellResult, Results
from trustag.experiments.running import Step
from trustag.experiments.systems import System

CELL = Cell("demo", "plain", 1)
SCORE = {"precision": 0.5, "recall": 0.5, "f1": 0.5}
RESULT = CellResult(*CELL, "settings", "commit", 7200.0, 1, SCORE, SCORE)
DONE = Step(CELL, Results((RESULT,)))


def test_a_cell_that_is_over_has_its_scores_or_why_it_failed() -> None:
    assert step_line(DONE, 2, 9) == "[2/9] demo, plain, seed 1: dev F1 50.0, test F1 50.0, 7200 CPU s"
    assert step_line(Step(CELL, Results(), "bad\nend"), 1, 1) == "[1/1] demo, plain, seed 1: failed: bad\\nend"
    assert json.loads(step_as_json(DONE))["cpu_seconds"] == 7200.0
    assert json.loads(step_as_json(Step(CELL, Results(), "bad"))) == {**CELL._asdict(), "failure": "bad"}


def test_costs_are_summed_and_unknown_ones_counted() -> None:
    systems = {"plain": System("bilstm-crf"), "new": System("bilstm-crf")}
    experiment = Experiment({"demo": ExperimentCorpus("demo")}, systems, (1, 2))
    *_, cell, last = cost_lines(experiment, Results((RESULT,)))
    assert cell.split() == ["demo", "new", "2", "unknown"]
    assert last == "3 cells to train: about 2.0 processor hours and 2 of unknown cost; 1 have a result"
    assert "corpus" in next(iter(cost_lines(experiment, Results())))


def test_tables_are_printed_as_they_are_written(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(TABLE)
    printed = capsys.readouterr().out
    for text in ("The table", "Orderings", "a remark", "| <b>", "processor hours"):
        assert text in printed
