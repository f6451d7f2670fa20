"""Reliability: whether labels to which models give some probability are right about as often."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.figures.run_files import RunFiles
from trustag.reports.blocks import Block, Figure, Lack, Section, Table, Words
from trustag.reports.charts.axes import Axis
from trustag.reports.charts.lines import Line, LineChart
from trustag.reports.sentences import gold_numbers
from trustag.reports.wording import count, figure, label_name, percent
from trustag.text.disagreement import entity_type
from trustag.text.labels import OUTSIDE, split_label

_BINS: Final = 10
_DIAGONAL: Final = Line("as it should be", ((0, 0), (1, 1)))


@dataclass(frozen=True, slots=True)
class Reliability:
    """Probabilities in equal bins: how many, their mean, the share that is right; and the mean gap between the two."""

    counts: tuple[int, ...]
    probability: tuple[float, ...]
    right: tuple[float, ...]

    @property
    def error(self) -> float:
        """The expected calibration error: the gap between probability and share, weighed by how many there are."""
        gaps = zip(self.counts, self.probability, self.right, strict=True)
        return sum(number * abs(mean - share) for number, mean, share in gaps) / max(1, sum(self.counts))


def reliability(probability: npt.NDArray[Any], right: npt.NDArray[np.bool_]) -> Reliability:
    """Return how often what has a probability is ``right``, in ten bins of the same width; empty ones have zeros.

    >>> reliability(np.array([0.9, 0.94, 0.2]), np.array([True, False, False])).counts
    (0, 0, 1, 0, 0, 0, 0, 0, 0, 2)
    """
    place = np.clip((probability.astype(np.float64) * _BINS).astype(np.int64), 0, _BINS - 1)
    counts = np.bincount(place, minlength=_BINS)
    size = np.maximum(counts, 1)
    means = np.bincount(place, probability, minlength=_BINS) / size
    shares = np.bincount(place, right.astype(np.float64), minlength=_BINS) / size
    return Reliability(tuple(counts.tolist()), tuple(means.tolist()), tuple(shares.tolist()))


def reliability_section(run: RunFiles) -> Section:
    """Return the reliability of probabilities of labels by models that have not seen them."""
    columns = run.judgements
    if columns is None or "suggested" not in columns or "suggested_score" not in columns:
        return Section("reliability", "Reliability", [Lack("reliability: the run has not judged its labels")])
    return Section("reliability", "Reliability of the probabilities", list(_blocks(run, columns)))


def _blocks(run: RunFiles, columns: dict[str, npt.NDArray[Any]]) -> Iterator[Block]:
    gold = gold_numbers(run)
    truth = columns["label"] if gold is None else gold
    known = truth >= 0
    lines: dict[str, Reliability] = {}
    if gold is not None:
        judged = known & (columns["label"] >= 0)
        lines["the given label"] = reliability(columns["score"][judged], (columns["label"] == gold)[judged])
        yield Words(
            "Of all labels to which models that have not seen them give, say, 80 %, about 80 % should be right. Right "
            "is here what the gold column says."
        )
    else:
        yield Words(
            "There is no gold column: the curve compares with the given labels, which are partly wrong. It shows how "
            "often the suggested label was given, not how often it is right; a curve below the diagonal may well be "
            "noise of the labels."
        )
    alike = columns["suggested"] == truth
    lines["the suggested label"] = reliability(columns["suggested_score"][known], alike[known])
    what = "right" if gold is not None else "given"
    drawn = [Line(name, _points(found)) for name, found in lines.items()]
    errors = "; ".join(f"{name}: expected calibration error {figure(found.error, 3)}" for name, found in lines.items())
    chart = LineChart(
        "Probability and truth" if gold is not None else "Probability and agreement",
        errors,
        drawn,
        Axis("probability of the label (percent)", 0, 1, percent=True),
        Axis(f"{what} (percent)", 0, 1, percent=True),
        (_DIAGONAL,),
    )
    tables = [_bin_table(name, found, what) for name, found in lines.items()]
    yield Figure([chart.plot()], errors[0].upper() + errors[1:] + " (0 is perfect; ten bins).", tables)
    yield _group_table(columns, known, alike, what)


def _points(found: Reliability) -> Sequence[tuple[float, float]]:
    triples = zip(found.counts, found.probability, found.right, strict=True)
    return [(mean, share) for number, mean, share in triples if number]


def _bin_table(name: str, found: Reliability, what: str) -> Table:
    rows = [
        [f"{place / _BINS:.1f} to {(place + 1) / _BINS:.1f}", count(number), percent(mean), percent(share)]
        for place, (number, mean, share) in enumerate(zip(found.counts, found.probability, found.right, strict=True))
        if number
    ]
    return Table(f"Reliability of {name}", ("probability", "labels", "mean probability", what), rows)


def _group_table(
    columns: dict[str, npt.NDArray[Any]], known: npt.NDArray[np.bool_], alike: npt.NDArray[np.bool_], what: str
) -> Table:
    """Return the calibration error of suggested labels by type and by position."""
    names = [str(name) for name in columns["names"]]
    kinds: dict[str, list[int]] = {}
    places: dict[str, list[int]] = {}
    for number, name in enumerate(names):
        kinds.setdefault(label_name(entity_type(name)), []).append(number)
        if name != OUTSIDE:
            places.setdefault(f"position {split_label(name)[0]}", []).append(number)
    rows = []
    for group, numbers in (kinds | places).items():
        own = known & np.isin(columns["suggested"], numbers)
        if own.any():
            found = reliability(columns["suggested_score"][own], alike[own])
            mean = float(columns["suggested_score"][own].mean())
            share = float(alike[own].mean())
            rows.append([group, count(int(own.sum())), percent(mean), percent(share), figure(found.error, 3)])
    return Table(
        "The suggested labels by type and by position",
        ("suggested", "labels", "mean probability", what, "calibration error"),
        rows,
    )
