"""The data map: each given label by the mean and the variability of its probability over the epochs."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.reports.blocks import Block, Figure, Missing, PageSection, Paragraph, Shaded, Table
from trustag.reports.charts.axes import Axis
from trustag.reports.charts.heat_map import HeatCell, heat_map, shade_of
from trustag.reports.charts.svg_shapes import Plot
from trustag.reports.number_format import count, label_name, percent
from trustag.reports.training_sentences import gold_label_indices
from trustag.runs.reading import RunFiles
from trustag.text.disagreement import entity_type

_STEP: Final = 0.05
_ROWS: Final = 20  # of confidence, from 0 to 1
_COLUMNS: Final = 10  # of variability: no standard deviation of shares is above 0.5
_MOST_TYPES: Final = 8


def data_map_section(run: RunFiles) -> PageSection:
    """Return a map for ``O`` and for each frequent type."""
    columns = run.label_columns
    if columns is None or "mean" not in columns or "spread" not in columns:
        reason = (
            "the run did not assess its labels" if columns is None else "no confidence was recorded over the epochs"
        )
        return PageSection("data-map", "Data map", [Missing(f"data map: {reason}")])
    return PageSection("data-map", "Data map", list(_maps(run, columns)))


def _maps(run: RunFiles, columns: dict[str, npt.NDArray[Any]]) -> Iterator[Block]:
    gold = gold_label_indices(run)
    given = columns["label"]
    kinds = [entity_type(str(name)) or "" for name in columns["names"]]
    sizes = {kind: int(np.isin(given, _numbers(kinds, kind)).sum()) for kind in dict.fromkeys(kinds)}
    frequent = sorted((kind for kind in sizes if sizes[kind]), key=lambda kind: -sizes[kind])
    shown = sorted(frequent[: _MOST_TYPES + 1], key=lambda kind: kind != "O")
    rest = [kind for kind in frequent if kind not in shown]
    yield Paragraph(
        "The map shows every given label by its probability under the models: higher is a higher mean over the epochs, "
        "further right is more variable. Correct labels gather at the upper left, hard ones on the right, and labels "
        "that the models never predict at the lower left, where most wrong labels are."
    )
    groups = [(label_name(kind), np.isin(given, _numbers(kinds, kind))) for kind in shown]
    if rest:
        groups.append((f"{count(len(rest), 'other type')}", np.isin(given, _numbers(kinds, *rest))))
    drawn = [_map(name, own, columns, gold) for name, own in groups]
    total = sum(int(own.sum()) for _, own in groups)
    unknown = int((given < 0).sum())
    caption = f"All {count(total, 'label')} are counted, in cells of 0.05; darker is more, on a logarithmic scale."
    caption += f" The {count(unknown, 'unknown label')} are not on the map." if unknown else ""
    caption += (
        " A cross marks cells in which most labels are wrong according to the gold column." if gold is not None else ""
    )
    yield Figure([plot for plot, _ in drawn], caption, [table for _, table in drawn])


def _numbers(kinds: Sequence[str], *wanted: str) -> list[int]:
    return [number for number, kind in enumerate(kinds) if kind in wanted]


def _map(
    name: str,
    own: npt.NDArray[np.bool_],
    columns: dict[str, npt.NDArray[Any]],
    gold: npt.NDArray[np.int64] | None,
) -> tuple[Plot, Table]:
    counts = _counted(columns, own)
    most = int(counts.max(initial=0))
    wrong = known = np.zeros_like(counts)
    if gold is not None:
        known = _counted(columns, own & (gold >= 0))
        wrong = _counted(columns, own & (gold >= 0) & (columns["label"] != gold))
    cells = [
        [_cell(int(c), int(w), int(k)) for c, w, k in zip(*row, strict=True)]
        for row in zip(counts, wrong, known, strict=True)
    ]
    total = int(counts.sum())
    lower = int(counts[: _ROWS // 2].sum())
    described = f"{count(total, 'label')}; {percent(lower / max(1, total))} have a mean probability below one half."
    plot = heat_map(
        f"Labels given as {name}",
        described,
        Axis("variability (standard deviation)", 0, 0.5),
        Axis("mean probability", 0, 1),
        cells,
    )
    rows: list[list[str | Shaded]] = []
    for number in reversed(range(_ROWS)):
        row = counts[number]
        if row.any():
            shaded = (Shaded(count(int(cell)) if cell else "·", shade_of(int(cell), most)) for cell in row)
            rows.append([_bin(number), *shaded])
    header = ("mean \\ deviation", *map(_bin, range(_COLUMNS)))
    return plot, Table(f"Labels given as {name}: number of labels per cell", header, rows)


def _bin(number: int) -> str:
    return f"{number * _STEP:.2f} to {(number + 1) * _STEP:.2f}"


def _cell(number: int, wrong: int, known: int) -> HeatCell:
    by_gold = f", {count(wrong)} of {count(known)} wrong according to gold" if known else ""
    return HeatCell(number, known > 0 and 2 * wrong > known, f"{count(number, 'label')}{by_gold}")


def _counted(columns: dict[str, npt.NDArray[Any]], own: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Return the number of labels in each cell, (confidence, variability)."""
    row = np.clip((columns["mean"][own] / _STEP).astype(np.int64), 0, _ROWS - 1)
    column = np.clip((columns["spread"][own] / _STEP).astype(np.int64), 0, _COLUMNS - 1)
    flat = np.bincount(row * _COLUMNS + column, minlength=_ROWS * _COLUMNS)
    return flat.reshape(_ROWS, _COLUMNS)
