"""Estimated costs: exact where costs are corpus times system, and said to be unknown where nothing tells."""

from dataclasses import replace

import pytest

from trustag.experiments.cell_costs import estimated_costs
from trustag.experiments.experiment import Cell
from trustag.experiments.results import CellResult


def measured(corpus: str, system: str, seconds: float, seed: int = 1) -> CellResult:
    return CellResult(corpus, system, seed, "settings", "commit", seconds, 1, None, None)


KNOWN = [measured("small", "plain", 10), measured("large", "plain", 100), measured("small", "method", 70)]


def test_a_cell_costs_its_corpus_times_its_system() -> None:
    cell = Cell("large", "method", 1)
    assert estimated_costs([cell], KNOWN)[cell] == pytest.approx(700)


def test_other_seeds_of_the_cell_tell_best() -> None:
    cell = Cell("small", "plain", 3)
    assert estimated_costs([cell], [*KNOWN, measured("small", "plain", 20, 2)])[cell] == pytest.approx(15)


def test_what_nothing_tells_of_is_unknown() -> None:
    cells = [Cell("small", "new", 1), Cell("new", "plain", 1)]
    assert estimated_costs(cells, KNOWN) == dict.fromkeys(cells)
    assert estimated_costs(cells, []) == dict.fromkeys(cells)


def test_the_rest_of_a_resumed_run_says_nothing_of_its_cost() -> None:
    cell = Cell("small", "plain", 2)
    resumed = replace(measured("small", "plain", 1, 3), resumed=True)
    assert estimated_costs([cell], [*KNOWN, resumed])[cell] == pytest.approx(10)
