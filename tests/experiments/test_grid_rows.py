"""The table of a grid: means, spreads, differences, pairs and orderings."""

from pathlib import Path

import pytest

from tests.experiments.test_grid import GRID, write
from trustag.experiments.grid import Grid, read_grid
from trustag.experiments.grid_rows import GridTable, grid_table
from trustag.experiments.results import CellResult, Results
from trustag.experiments.sentence_results import as_text
from trustag.text.scoring import Counts, share


def result(corpus: str, system: str, seed: int, correct: int, *, sentences: bool = True) -> CellResult:
    """Return a result with one entity in each of a hundred sentences, so many of which are right."""
    counts = [Counts(int(number < correct), 1, 1) for number in range(100)]
    f1 = share(correct, 100)
    score = {"precision": f1, "recall": f1, "f1": f1}
    return CellResult(
        corpus, system, seed, "x", "c", 3600.0, 1, score, score, sentences=as_text(counts) if sentences else None
    )


RUNS = [
    result("one", "plain", 1, 60),
    result("one", "plain", 2, 64),
    result("two", "plain", 1, 50),
    result("two", "plain", 5, 52, sentences=False),
    result("two", "gold labels", 1, 80),
    result("two", "gold labels", 6, 70),
]


@pytest.fixture
def grid(tmp_path: Path) -> Grid:
    return read_grid(write(tmp_path, GRID))


@pytest.fixture
def table(grid: Grid) -> GridTable:
    return grid_table(grid, Results(RUNS, remarks=("a remark",)))


def test_figures_are_means_over_seeds(table: GridTable) -> None:
    plain, gold = table.rows
    one, two = plain.figures["one"], plain.figures["two"]
    assert (one.seeds, one.published) == (2, 61)
    assert (one.f1, one.difference) == pytest.approx((62, 1))
    assert one.spread == pytest.approx(8**0.5)
    assert one.low is not None
    assert one.high is not None
    assert one.low < 62 < one.high
    assert two.low is None, "one of its results does not say how each sentence came out"
    assert gold.figures["one"].f1 is None
    assert table.cpu_seconds == pytest.approx(6 * 3600)
    assert table.remarks == ("a remark",)


def test_rows_are_compared_on_the_seeds_that_both_have(table: GridTable) -> None:
    (pair,) = table.pairs
    assert (pair.corpus, pair.first, pair.second, pair.seeds) == ("two", "plain", "gold labels", 1)
    assert pair.difference == pytest.approx(30)
    assert pair.p is not None
    assert pair.p < 0.01


def test_an_ordering_holds_by_more_than_chance(table: GridTable) -> None:
    (checked,) = table.orderings
    assert (checked.text, checked.corpus, checked.verdict) == ("gold is better", "two", "holds")


@pytest.mark.parametrize(
    ("gold", "sentences", "verdict"),
    [(51, True, "holds within chance"), (80, False, "holds within chance"), (50, True, "does not hold")],
)
def test_other_verdicts(grid: Grid, gold: int, sentences: bool, verdict: str) -> None:
    runs = [result("two", "plain", 1, 50), result("two", "gold labels", 1, gold, sentences=sentences)]
    assert grid_table(grid, Results(runs)).orderings[0].verdict == verdict


def test_what_was_not_measured_is_said(grid: Grid) -> None:
    table = grid_table(grid, Results())
    assert [checked.verdict for checked in table.orderings] == ["not measured"]
    assert table.pairs == []


def test_better_than_every_other_is_judged_by_the_strongest_and_alike_by_chance(tmp_path: Path) -> None:
    text = GRID.replace('worse = "plain"', 'worse = "*"').replace('on = ["two"]', "") + dedent_ordering()
    grid = read_grid(write(tmp_path, text))
    best, _, alike = grid_table(grid, Results(RUNS)).orderings[1], None, grid_table(grid, Results(RUNS)).orderings[-1]
    assert (best.corpus, best.verdict) == ("two", "holds")
    assert best.weakest is not None
    assert best.weakest.first == "plain"
    assert (alike.text, alike.verdict) == ("the same", "does not hold")


def dedent_ordering() -> str:
    return '\n    [[orderings]]\n    text = "the same"\n    alike = ["plain", "gold labels"]\n    on = ["two"]\n'
