"""The table of a grid as values: what was published, what was measured, how sure that is, which orderings hold."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean, stdev
from typing import Final, Literal

from trustag.experiments.grid import EVERY, Grid, GridOrdering
from trustag.experiments.results import CellResult, Results
from trustag.experiments.sentence_results import SentenceCounts, from_text
from trustag.experiments.significance import ChanceDifference, compare, interval

Verdict = Literal["holds", "holds within chance", "does not hold", "not measured"]
SURE: Final = 0.05


@dataclass(frozen=True, slots=True)
class RowFigure:
    """Test F1 of a row on a corpus, in points; dev F1 and seconds are means too.

    ``low`` and ``high`` bound the mean for other test sentences, where results say how each sentence came out.
    """

    published: float | None
    f1: float | None = None
    spread: float | None = None
    seeds: int = 0
    dev: float | None = None
    low: float | None = None
    high: float | None = None
    cpu_seconds: float = 0.0

    @property
    def difference(self) -> float | None:
        """By how much it is above the published figure."""
        return None if self.f1 is None or self.published is None else self.f1 - self.published


@dataclass(frozen=True, slots=True)
class Row:
    """A method with a figure for each corpus."""

    name: str
    number: str
    title: str
    figures: Mapping[str, RowFigure]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two rows on a corpus: how much better the second is than the first, and what chance alone gives.

    ``p`` is None where results do not say how each test sentence came out.
    """

    corpus: str
    first: str
    second: str
    difference: float
    p: float | None
    seeds: int


@dataclass(frozen=True, slots=True)
class Checked:
    """Whether one of the orderings holds on a corpus, and by how much."""

    text: str
    corpus: str
    verdict: Verdict
    weakest: Pair | None = None


@dataclass(frozen=True, slots=True)
class GridTable:
    """Everything that is shown of a grid."""

    title: str
    corpora: Sequence[str]
    rows: Sequence[Row]
    orderings: Sequence[Checked]
    pairs: Sequence[Pair]
    remarks: Sequence[str] = ()

    @property
    def cpu_seconds(self) -> float:
        """The processor time of all cells together."""
        return sum(figure.cpu_seconds * figure.seeds for row in self.rows for figure in row.figures.values())


def grid_table(grid: Grid, results: Results, reference: str = "") -> GridTable:
    """Return the table of a grid; every row is compared with ``reference`` too, the first row unless it is named."""
    values = grid.values
    cells = _Cells(results)
    rows = [
        Row(
            name,
            method.row,
            method.title or name,
            {corpus: cells.figure(corpus, name, method.published.get(corpus)) for corpus in values.corpora},
            method.note,
        )
        for name, method in values.methods.items()
    ]
    measured = [checked for ordering in values.orderings for checked in _checked(ordering, grid, cells)]
    first = reference or next(iter(values.methods))
    pairs = [
        pair
        for corpus in values.corpora
        for name in values.methods
        if name != first and (pair := cells.pair(corpus, first, name)) is not None
    ]
    return GridTable(values.title or grid.name, list(values.corpora), rows, measured, pairs, results.remarks)


class _Cells:
    """The results of each row on each corpus, by seed."""

    def __init__(self, results: Results) -> None:
        def place(run: CellResult) -> tuple[str, str]:
            return run.corpus, run.system

        self._runs = {
            key: {run.seed: run for run in runs if run.test}
            for key, runs in groupby(sorted(results.runs, key=place), key=place)
        }

    def figure(self, corpus: str, name: str, published: float | None) -> RowFigure:
        runs = list(self._runs.get((corpus, name), {}).values())
        if not runs:
            return RowFigure(published)
        test = [100 * run.test["f1"] for run in runs if run.test]
        dev = [100 * run.dev["f1"] for run in runs if run.dev]
        counts = _counts(runs)
        low, high = interval(counts) if len(counts) == len(runs) else (None, None)
        return RowFigure(
            published,
            fmean(test),
            stdev(test) if len(test) > 1 else None,
            len(test),
            fmean(dev) if dev else None,
            None if low is None else 100 * low,
            None if high is None else 100 * high,
            fmean(run.cpu_seconds for run in runs),
        )

    def pair(self, corpus: str, first: str, second: str) -> Pair | None:
        """Return the comparison on the seeds that both have; None if there are none."""
        one, other = self._runs.get((corpus, first), {}), self._runs.get((corpus, second), {})
        seeds = sorted(one.keys() & other.keys())
        if not seeds:
            return None
        runs = [one[seed] for seed in seeds], [other[seed] for seed in seeds]
        before, after = (_counts(part) for part in runs)
        if len(before) == len(after) == len(seeds):
            found = compare(before, after)
        else:
            means = [fmean(run.test["f1"] for run in part if run.test) for part in runs]
            found = ChanceDifference(means[1] - means[0], float("nan"))
        p = None if found.p != found.p else found.p
        return Pair(corpus, first, second, 100 * found.difference, p, len(seeds))


def _counts(runs: Sequence[CellResult]) -> list[SentenceCounts]:
    return [from_text(run.sentences) for run in runs if run.sentences]


def _checked(ordering: GridOrdering, grid: Grid, cells: _Cells) -> Iterator[Checked]:
    """Yield whether an ordering holds, for each of its corpora."""
    names = list(grid.values.methods)
    for corpus in ordering.on or grid.values.corpora:
        if ordering.alike:
            pair = cells.pair(corpus, *ordering.alike)
            yield Checked(ordering.text, corpus, _alike(pair), pair)
            continue
        others = [name for name in names if name != ordering.better] if ordering.worse == EVERY else [ordering.worse]
        pairs = [pair for name in others if (pair := cells.pair(corpus, name, ordering.better)) is not None]
        weakest = min(pairs, key=lambda pair: pair.difference, default=None)
        yield Checked(ordering.text, corpus, _better(weakest), weakest)


def _better(pair: Pair | None) -> Verdict:
    if pair is None:
        return "not measured"
    if pair.difference <= 0:
        return "does not hold"
    return "holds" if pair.p is not None and pair.p < SURE else "holds within chance"


def _alike(pair: Pair | None) -> Verdict:
    if pair is None:
        return "not measured"
    return "does not hold" if pair.p is not None and pair.p < SURE else "holds within chance"
