"""Calibration: whether labels are correct about as often as their probability says."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.label_quality.reliability import BINS, Reliability, reliability, reliability_by_part
from trustag.reports.blocks import Block, Figure, Missing, PageSection, Paragraph, Table
from trustag.reports.charts.axes import Axis
from trustag.reports.charts.line_chart import Line, LineChart
from trustag.reports.number_format import count, figure, percent
from trustag.reports.training_sentences import gold_label_indices
from trustag.runs.reading import RunFiles
from trustag.text.labels import OUTSIDE

_POSITIONS: Final = {"S": "only word", "B": "first word", "I": "inner word", "E": "last word"}
_DIAGONAL: Final = Line("perfect calibration", ((0, 0), (1, 1)))


def calibration_section(run: RunFiles) -> PageSection:
    """Return the reliability diagram of held-out label probabilities, and calibration errors by group."""
    columns = run.label_columns
    if columns is None or "suggested" not in columns or "suggested_score" not in columns:
        return PageSection("reliability", "Calibration", [Missing("calibration: the run did not assess its labels")])
    return PageSection("reliability", "Calibration of the probabilities", list(_blocks(run, columns)))


def _blocks(run: RunFiles, columns: dict[str, npt.NDArray[Any]]) -> Iterator[Block]:
    gold = gold_label_indices(run)
    truth = columns["label"] if gold is None else gold
    known = truth >= 0
    lines: dict[str, Reliability] = {}
    if gold is not None:
        both = known & (columns["label"] >= 0)
        lines["the given label"] = reliability(columns["score"][both], (columns["label"] == gold)[both])
        yield Paragraph(
            "Of all labels to which held-out models give a probability of, say, 80 %, about 80 % should be correct. "
            "Correct means: equal to the gold column."
        )
    else:
        yield Paragraph(
            "There is no gold column, so the curve compares with the given labels, some of which are wrong. It shows "
            "how often the suggested label equals the given one, not how often it is correct; a curve below the "
            "diagonal may be due to label noise."
        )
    alike = columns["suggested"] == truth
    lines["the suggested label"] = reliability(columns["suggested_score"][known], alike[known])
    what = "correct" if gold is not None else "as given"
    drawn = [Line(name, [(own.confidence, own.accuracy) for own in found.bins]) for name, found in lines.items()]
    errors = "; ".join(f"{name}: expected calibration error {figure(found.error, 3)}" for name, found in lines.items())
    chart = LineChart(
        "Probability and accuracy" if gold is not None else "Probability and agreement",
        errors,
        drawn,
        Axis("probability of the label (percent)", 0, 1, percent=True),
        Axis(f"{what} (percent)", 0, 1, percent=True),
        (_DIAGONAL,),
    )
    tables = [_bin_table(name, found, what) for name, found in lines.items()]
    yield Figure([chart.plot()], errors[0].upper() + errors[1:] + f" (0 is perfect; {BINS} bins).", tables)
    yield _group_table(columns, known, alike, what)


def _bin_table(name: str, found: Reliability, what: str) -> Table:
    rows = [
        [f"{own.low:.2f} to {own.high:.2f}", count(own.count), percent(own.confidence), percent(own.accuracy)]
        for own in found.bins
    ]
    return Table(f"Calibration of {name}", ("probability", "labels", "mean probability", what), rows)


def _group_table(
    columns: dict[str, npt.NDArray[Any]], known: npt.NDArray[np.bool_], alike: npt.NDArray[np.bool_], what: str
) -> Table:
    """Return the calibration error of suggested labels by type and by position in the entity."""
    names = [str(name) for name in columns["names"]]
    suggested, scores = columns["suggested"][known], columns["suggested_score"][known]
    by_position, by_type = reliability_by_part(suggested, names, scores, alike[known])
    positions = {_POSITIONS.get(name, name): found for name, found in by_position.items() if name != OUTSIDE}
    rows = [
        [group, count(found.count), *_means(found), figure(found.error, 3)]
        for group, found in (by_type | positions).items()
    ]
    return Table(
        "Suggested labels by type and by position in the entity",
        ("suggested", "labels", "mean probability", what, "calibration error"),
        rows,
    )


def _means(found: Reliability) -> tuple[str, str]:
    confidence = sum(own.count * own.confidence for own in found.bins) / found.count
    accuracy = sum(own.count * own.accuracy for own in found.bins) / found.count
    return percent(confidence), percent(accuracy)
