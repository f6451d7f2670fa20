"""A comparison of runs as tables for the screen, and as an HTML page."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from trustag.reports.blocks import Block, Figure, Page, PageSection, Paragraph, Table
from trustag.reports.charts.axes import spanning
from trustag.reports.charts.line_chart import Line, LineChart, epochs_axis, percent_axis
from trustag.reports.charts.range_chart import Ranged, range_chart
from trustag.reports.comparison import Comparison, RunNumbers
from trustag.reports.number_format import count, duration, f1, interval, percent
from trustag.reports.run_report import MADE_BY
from trustag.runs.reading import RunFiles

RowText: TypeAlias = Callable[[RunNumbers], str]

_MOST_LINES: Final = 6
_RUNS: Final = "Runs"
_SCORES: Final = "Scores (entities, in percent)"
_LABELS: Final = "Labels"
_SETTINGS: Final = "Settings that differ"
# The anchor and the heading of a table's section
_TITLES: Final = {
    _RUNS: ("runs", "Runs"),
    _SCORES: ("scores", "Scores"),
    _LABELS: ("labels", "Labels"),
    _SETTINGS: ("settings", "Settings that differ"),
}

FACTS: Final[tuple[tuple[str, RowText], ...]] = (
    ("method", lambda run: run.method),
    ("seed", lambda run: str(run.seed) if run.seed is not None else ""),
    ("data (train dev test)", lambda run: run.data),
    ("duration", lambda run: duration(run.seconds) if run.seconds is not None else ""),
    ("Trustag", lambda run: run.version or ""),
)
SCORES: Final[tuple[tuple[str, RowText], ...]] = (
    ("dev F1", lambda run: f1(run.dev_f1)),
    ("dev F1, baseline (labels as given)", lambda run: f1(run.dev_f1_plain)),
    ("test F1", lambda run: f1(run.test_f1)),
    ("test F1, baseline (labels as given)", lambda run: f1(run.test_f1_plain)),
)
LABELS: Final[tuple[tuple[str, RowText], ...]] = (
    ("O labels assumed wrong", lambda run: percent(run.negative_rate)),
    ("O labels, range", lambda run: interval(*run.negative_interval) if run.negative_interval else ""),
    ("O labels wrong according to gold", lambda run: percent(run.negative_measured)),
    ("entity labels assumed wrong", lambda run: percent(run.positive_rate)),
    ("entity labels, range", lambda run: interval(*run.positive_interval) if run.positive_interval else ""),
    ("entity labels wrong according to gold", lambda run: percent(run.positive_measured)),
    ("detection F1, wrong O labels", lambda run: f1(run.negative_detection)),
    ("detection F1, wrong entity labels", lambda run: f1(run.positive_detection)),
    ("labels changed", lambda run: count(run.changed) if run.changed is not None else ""),
    (
        "share of labels changed",
        lambda run: percent(run.changed / run.labels) if run.changed is not None and run.labels else "",
    ),
    ("label issues", lambda run: count(run.issues) if run.issues is not None else ""),
)


def tables(found: Comparison) -> Iterator[Table]:
    """Yield the comparison as tables with a column for each run, without rows that are empty for all runs."""
    names = ["", *(run.name for run in found.runs)]
    for caption, lines in ((_RUNS, FACTS), (_SCORES, SCORES), (_LABELS, LABELS)):
        rows = [[name, *(text_of(run) for run in found.runs)] for name, text_of in lines]
        filled = [row for row in rows if any(row[1:])]
        if filled:
            yield Table(caption, names, filled)
    if found.differing:
        rows = [[key, *map(_value_text, values)] for key, values in found.differing.items()]
        yield Table(_SETTINGS, names, rows, prose=True)
    if found.seeds:
        rows = [[", ".join(group.runs), _range_text(group.dev_f1), _range_text(group.test_f1)] for group in found.seeds]
        yield Table(
            "Runs that differ only in the seed: mean F1 (lowest to highest)", ("runs", "dev F1", "test F1"), rows
        )


def remarks(found: Comparison) -> Iterator[str]:
    """Yield caveats on comparing the numbers."""
    splits = ("train", "dev", "test")
    apart = [split for index, split in enumerate(splits) if len({run.data.split()[index] for run in found.runs}) > 1]
    if apart:
        yield f"Not all runs have the same data ({', '.join(apart)}); equal letters mean equal data."
    if not found.differing and len(found.runs) > 1:
        yield "All runs have the same settings."


def comparison_page(found: Comparison, runs: Sequence[RunFiles]) -> Page:
    """Return the comparison as a page."""
    sections = []
    for table in tables(found):
        before: list[Block] = [Paragraph(remark) for remark in remarks(found)] if table.caption == _RUNS else []
        after = list(_score_charts(found, runs)) if table.caption == _SCORES else []
        anchor, title = _TITLES.get(table.caption, ("seeds", "Seeds"))
        sections.append(PageSection(anchor, title, [*before, table, *after]))
    joined = ", ".join(run.name for run in found.runs)
    return Page(f"Comparison of {count(len(found.runs), 'run')}", joined, sections, MADE_BY)


def _score_charts(found: Comparison, runs: Sequence[RunFiles]) -> Iterator[Block]:
    for split in ("dev", "test"):
        pairs = [(run.name, getattr(run, f"{split}_f1"), getattr(run, f"{split}_f1_plain")) for run in found.runs]
        rows = [Ranged(name, own, truth=plain) for name, own, plain in pairs if own is not None]
        if len(rows) > 1:
            values = [value for row in rows for value in (row.value, row.truth) if value is not None]
            description = "; ".join(f"{row.name}: {f1(row.value)}" for row in rows)
            names = ("final model", "baseline (labels as given)")
            chart = range_chart(f"F1 on {split}", description, spanning("F1", values, percent=True), rows, names)
            table = Table(f"F1 on {split}", ("run", *names), [[row.name, f1(row.value), f1(row.truth)] for row in rows])
            yield Figure([chart], f"F1 on the {split} corpus, in percent; the axis does not start at 0.", [table])
    lines = [
        Line(run.name, [(epoch.epoch + 1, epoch.f1) for epoch in run.epochs if epoch.f1 is not None]) for run in runs
    ]
    drawn = [line for line in lines if line.points][:_MOST_LINES]
    if len(drawn) > 1:
        yield _epochs_chart(drawn, len([line for line in lines if line.points]))


def _epochs_chart(lines: Sequence[Line], known: int) -> Figure:
    epochs = sorted({int(x) for line in lines for x, _ in line.points})
    values = [dict(line.points) for line in lines]
    description = "; ".join(f"{line.name}: {f1(line.points[-1][1])} in the last epoch" for line in lines)
    chart = LineChart(
        "Dev F1 by epoch", description, lines, epochs_axis("epoch", epochs), percent_axis("dev F1", lines)
    )
    rows = [[str(epoch), *(f1(own.get(epoch)) for own in values)] for epoch in epochs]
    table = Table("Dev F1 by epoch", ("epoch", *(line.name for line in lines)), rows)
    rest = f" The first {len(lines)} of {known} runs are shown." if known > len(lines) else ""
    return Figure([chart.plot()], f"The final model of each run.{rest}", [table])


def _value_text(value: Any) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def _range_text(found: tuple[float, float, float] | None) -> str:
    return f"{f1(found[0])} ({f1(found[1])} to {f1(found[2])})" if found is not None else ""
