"""Training curves: dev F1, confidence in correct and wrong labels, share of trusted labels, loss."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from trustag.figures.training_dynamics import CONFIDENCE, DETECTION, Curve, TrainingDynamics, training_dynamics
from trustag.reports.blocks import Block, Figure, Missing, PageSection, Paragraph, Table
from trustag.reports.charts.axes import Axis, spanning
from trustag.reports.charts.line_chart import Line, LineChart, epochs_axis, percent_axis
from trustag.reports.number_format import count, f1, figure, percent
from trustag.runs.reading import NothingToDrawError, RunFiles
from trustag.runs.records import EpochReport

_TRUSTED = {"distrusted_negative": "O labels", "distrusted_positive": "entity labels"}


def training_section(run: RunFiles) -> PageSection:
    """Return the training curves of the fold models and of the final model."""
    number = run.manifest.labels.round if run.manifest.labels is not None else 1
    blocks: list[Block] = []
    if run.has_rounds:
        blocks += _dynamics(run, number)
        blocks += _keep_ratios(run, number)
    blocks += _final_model(run)
    return PageSection("training", "Training curves", blocks)


def _dynamics(run: RunFiles, number: int) -> Iterator[Block]:
    try:
        found = training_dynamics(run, number)
    except NothingToDrawError as reason:
        yield Missing(f"training curves: {reason.finding}")
        return
    yield Paragraph(f"The curves show the mean of the {count(found.models, 'fold model')} of round {number}.")
    charts = list(_curves(found))
    caption = "The shaded band spans the lowest to the highest model."
    tables = [_curve_table(chart.title, found.epochs, chart.lines) for chart in charts]
    yield Figure([chart.plot() for chart in charts], caption, tables)
    yield from (Missing(reason) for reason in found.lacking)


def _curves(found: TrainingDynamics) -> Iterator[LineChart]:
    x = epochs_axis("epoch", found.epochs)
    if found.dev_f1 is not None:
        lines = [_line("dev F1", found.epochs, found.dev_f1)]
        yield LineChart("Dev F1", _ends_text(lines), lines, x, percent_axis("dev F1", lines))
    if found.confidence:
        lines = [_line(CONFIDENCE[key], found.epochs, curve) for key, curve in found.confidence.items()]
        title = "Mean probability of the given labels"
        yield LineChart(title, _ends_text(lines), lines, x, Axis("percent", 0, 1, percent=True))
    if found.detection_f1:
        lines = [_line(DETECTION[key], found.epochs, curve) for key, curve in found.detection_f1.items()]
        title = "F1 of detecting wrong labels"
        yield LineChart(title, _ends_text(lines), lines, x, Axis("F1", 0, 1, percent=True))


def _line(name: str, epochs: Sequence[int], curve: Curve) -> Line:
    return Line(name, list(zip(epochs, curve.mean, strict=True)), list(zip(curve.low, curve.high, strict=True)))


def _ends_text(lines: Sequence[Line]) -> str:
    """Return the first and last value of each line."""
    ends = ((line.name, line.points[0], line.points[-1]) for line in lines)
    return "; ".join(
        f"{name}: {percent(first[1])} at {first[0]:g}, {percent(last[1])} at {last[0]:g}" for name, first, last in ends
    )


def _keep_ratios(run: RunFiles, number: int) -> Iterator[Block]:
    shares = keep_ratios(run.fold_epochs(number))
    if not shares:
        yield Missing("share of trusted labels: not recorded by the fold models")
        return
    epochs = list(range(1, len(next(iter(shares.values()))) + 1))
    lines = [Line(name, list(zip(epochs, values, strict=True))) for name, values in shares.items()]
    chart = LineChart(
        "Share of trusted labels",
        _ends_text(lines),
        lines,
        epochs_axis("epoch", epochs),
        percent_axis("percent", lines),
    )
    yield Figure(
        [chart.plot()],
        "The keep ratio: the models trust all labels at first and then ever fewer, until the distrusted share reaches "
        "the noise rates.",
        [_curve_table(chart.title, epochs, lines)],
    )


def keep_ratios(models: Sequence[Sequence[EpochReport]]) -> Mapping[str, list[float]]:
    """Return the mean share of trusted labels by epoch, up to the last epoch that all models reached."""
    found: dict[str, list[float]] = {}
    for key, name in _TRUSTED.items():
        rows = [[epoch.facts.get(key) for epoch in epochs] for epochs in zip(*models, strict=False)]
        values = [[share for share in row if share is not None] for row in rows]
        if values and all(len(row) == len(models) for row in values):
            found[name] = [1 - fmean(row) for row in values]
    return found


def _final_model(run: RunFiles) -> Iterator[Block]:
    if not run.epochs:
        yield Missing("curves of the final model: no epoch is complete yet")
        return
    epochs = [epoch.epoch + 1 for epoch in run.epochs]
    x, charts = epochs_axis("epoch", epochs), []
    losses = [(number, epoch.loss) for number, epoch in zip(epochs, run.epochs, strict=True) if epoch.loss is not None]
    scores = [(number, epoch.f1) for number, epoch in zip(epochs, run.epochs, strict=True) if epoch.f1 is not None]
    if losses:
        values = [loss for _, loss in losses]
        description = f"The loss goes from {figure(values[0])} to {figure(values[-1])}."
        charts.append(
            LineChart("Loss of the final model", description, [Line("loss", losses)], x, spanning("loss", [0, *values]))
        )
    if scores:
        lines = [Line("dev F1", scores)]
        charts.append(
            LineChart("Dev F1 of the final model", _ends_text(lines), lines, x, percent_axis("dev F1", lines))
        )
    rows = [
        [str(number), figure(epoch.loss, 4), f1(epoch.f1)] for number, epoch in zip(epochs, run.epochs, strict=True)
    ]
    table = Table("The final model by epoch", ("epoch", "loss", "dev F1"), rows)
    if charts:
        yield Figure([chart.plot() for chart in charts], "The final model of the run.", [table])


def _curve_table(caption: str, epochs: Sequence[int], lines: Sequence[Line]) -> Table:
    columns = [line.points for line in lines]
    rows = [[str(epoch), *(percent(points[index][1], 2) for points in columns)] for index, epoch in enumerate(epochs)]
    return Table(f"{caption} (mean)", ("epoch", *(line.name for line in lines)), rows)
