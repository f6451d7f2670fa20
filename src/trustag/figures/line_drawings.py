"""The line figures: training dynamics, noise-rate search, F1 by noise level, self-training."""

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING, Final

from trustag.figures.canvas import GREY, LineStyle, line_styles, panels, percentages, shortened, whole_numbers
from trustag.figures.noise_levels import NoiseLevels
from trustag.figures.rate_search_curve import RateSearchCurve, SweepPoint
from trustag.figures.self_training_rounds import SelfTrainingFigure
from trustag.figures.training_dynamics import CONFIDENCE, DETECTION, Curve, TrainingDynamics

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Size of a legend entry: per letter of its name, of the line sample, and its height
_LETTER_INCHES: Final = 0.066
_HANDLE_INCHES: Final = 0.65
_ENTRY_INCHES: Final = 0.19


def draw_training_dynamics(numbers: TrainingDynamics) -> "Figure":
    """Draw up to three panels over the epochs: dev F1, confidence, detection; bands span lowest to highest model."""
    count = sum((numbers.dev_f1 is not None, bool(numbers.confidence), bool(numbers.detection_f1)))
    models = f"mean and range of {numbers.models} {numbers.trained}" if numbers.models > 1 else numbers.trained
    figure, axes = panels(count, f"Training dynamics of {shortened(numbers.run, 50)}: {models}")
    free = iter(axes)
    # Wrong labels have the same style in both panels, which share a legend.
    styles = dict(zip(CONFIDENCE, line_styles(len(CONFIDENCE)), strict=True))
    if numbers.dev_f1 is not None:
        panel = next(free)
        _draw_curve(panel, numbers, _in_percent(numbers.dev_f1), "", line_styles(1)[0])
        panel.set(title="Dev F1", ylabel="dev F1 (%)", ylim=(-3, 103))
    if numbers.confidence:
        panel = next(free)
        for key, curve in numbers.confidence.items():
            _draw_curve(panel, numbers, curve, CONFIDENCE[key], styles[key])
        panel.set(title="Confidence in training labels", ylabel="mean probability of the label", ylim=(-0.03, 1.03))
        _legend_below(figure, panel, {})
    if numbers.detection_f1:
        panel = next(free)
        for key, curve in numbers.detection_f1.items():
            _draw_curve(panel, numbers, _in_percent(curve), DETECTION[key], styles[f"noisy_{key}"])
        panel.set(title="Detection of wrong labels", ylabel="detection F1 (%)", ylim=(-3, 103))
    for panel in axes:
        panel.set_xlabel("epoch")
        whole_numbers(panel, numbers.epochs)
    return figure


def _draw_curve(axes: "Axes", numbers: TrainingDynamics, curve: Curve, label: str, style: LineStyle) -> None:
    if numbers.models > 1:
        axes.fill_between(numbers.epochs, curve.low, curve.high, color=style.color, alpha=0.15, linewidth=0)
    axes.plot(numbers.epochs, curve.mean, label=label, **style._asdict())


def _in_percent(curve: Curve) -> Curve:
    return Curve(*(tuple(percentages(values)) for values in (curve.mean, curve.low, curve.high)))


def draw_rate_search(searches: Sequence[RateSearchCurve]) -> "Figure":
    """Draw dev F1 against either noise rate, a line for each run."""
    figure, axes = panels(2, "Search for the noise rates")
    for style, search in zip(line_styles(len(searches)), searches, strict=True):
        for panel, sweep, name in zip(axes, (search.negative, search.positive), ("negative", "positive"), strict=True):
            _draw_sweep(panel, sweep, _run_label(search.run, search.method), style)
            if search.undoubting is not None:
                panel.axhline(100 * search.undoubting, color=style.color, linewidth=0.9, linestyle=(0, (1, 3)))
            if search.measured is not None:
                panel.axvline(100 * getattr(search.measured, name), color=style.color, linewidth=0.9, linestyle="-.")
            chosen = None if search.chosen is None else getattr(search.chosen, name)
            star = [point for point in sweep if point.rate == chosen]
            panel.plot(_rates(star), _f1(star), marker="*", markersize=13, color=style.color, markeredgecolor="white")
    for panel, labels in zip(axes, ("O", "entity"), strict=True):
        panel.set(xlabel=f"assumed share of wrong {labels} labels (%)", title=f"Rate of wrong {labels} labels")
    axes[0].set_ylabel("mean dev F1 of the fold models (%)")
    _legend_below(figure, axes[0], _search_key(searches))
    return figure


def _draw_sweep(axes: "Axes", sweep: Sequence[SweepPoint], label: str, style: LineStyle) -> None:
    axes.plot(_rates(sweep), _f1(sweep), label=label, **style._asdict())


def _rates(sweep: Sequence[SweepPoint]) -> list[float]:
    return percentages([point.rate for point in sweep])


def _f1(sweep: Sequence[SweepPoint]) -> list[float]:
    return percentages([point.dev_f1 for point in sweep])


def _search_key(searches: Sequence[RateSearchCurve]) -> dict[str, dict[str, object]]:
    """Return the legend of the marks that occur on the curves."""
    key: dict[str, dict[str, object]] = {}
    if any(search.chosen is not None for search in searches):
        key["rate chosen by the run"] = {"marker": "*", "markersize": 11, "linestyle": "none"}
    if any(search.measured is not None for search in searches):
        key["true rate, measured on gold"] = {"linestyle": "-.", "linewidth": 0.9}
    if any(search.undoubting is not None for search in searches):
        key["all labels trusted (both rates 0)"] = {"linestyle": (0, (1, 3)), "linewidth": 0.9}
    return key


def draw_noise_levels(numbers: NoiseLevels) -> "Figure":
    """Draw F1 against the recall of the training labels, a line per method; bars span lowest to highest run."""
    figure, (axes,) = panels(1, "F1 by noise level")
    for style, (method, line) in zip(line_styles(len(numbers.lines)), numbers.lines.items(), strict=True):
        spread = [[p.mean - p.low for p in line], [p.high - p.mean for p in line]]
        axes.errorbar(
            percentages([point.recall for point in line]),
            percentages([point.mean for point in line]),
            yerr=[percentages(side) for side in spread] if any(point.models > 1 for point in line) else None,
            capsize=3,
            label=method,
            **style._asdict(),
        )
    axes.set(xlabel="entity recall of the training labels (%): lower is noisier", ylabel=f"{numbers.split} F1 (%)")
    _legend_below(figure, axes, {})
    return figure


def draw_self_training(runs: Sequence[SelfTrainingFigure]) -> "Figure":
    """Draw up to three panels over the rounds, a line per run: dev F1, labels against gold, labels changed."""
    has_dev = any(entry.final_dev_f1 is not None for run in runs for entry in run.rounds)
    has_gold = any(run.given_label_f1 is not None for run in runs)
    figure, axes = panels(1 + has_dev + has_gold, "Self-training by round")
    free = iter(axes)
    if has_dev:
        _draw_dev_f1(next(free), runs)
    if has_gold:
        _draw_label_f1(next(free), runs)
    changed = next(free)
    for style, run in zip(line_styles(len(runs)), runs, strict=True):
        shares = [entry.changed / max(run.labels, 1) for entry in run.rounds]
        label = _run_label(run.run, run.method)
        changed.plot([entry.round for entry in run.rounds], percentages(shares), label=label, **style._asdict())
    changed.set(title="Labels changed", ylabel="share of all labels (%)")
    top = 1.1 * changed.dataLim.ymax or 1.0
    changed.set_ylim(-0.04 * top, top)
    last = max(entry.round for run in runs for entry in run.rounds)
    for panel in axes:
        panel.set_xlabel("round")
        whole_numbers(panel, [1, last])
    if has_gold:
        whole_numbers(axes[-2], [0, last])
    _legend_below(figure, changed, _dev_key(runs) if has_dev else {})
    return figure


def _draw_dev_f1(axes: "Axes", runs: Sequence[SelfTrainingFigure]) -> None:
    for style, run in zip(line_styles(len(runs)), runs, strict=True):
        final = [(entry.round, 100 * entry.final_dev_f1) for entry in run.rounds if entry.final_dev_f1 is not None]
        folds = [(entry.round, 100 * f1) for entry in run.rounds for f1 in entry.fold_dev_f1]
        if final:
            axes.plot(*zip(*final, strict=True), **style._asdict())
        if folds:
            axes.plot(*zip(*folds, strict=True), marker="_", markersize=9, linestyle="none", color=style.color)
        if run.baseline_dev_f1 is not None:
            axes.axhline(100 * run.baseline_dev_f1, color=style.color, linewidth=0.9, linestyle=(0, (1, 3)))
    axes.set(title="Dev F1", ylabel="dev F1 (%)")


def _dev_key(runs: Sequence[SelfTrainingFigure]) -> dict[str, dict[str, object]]:
    key: dict[str, dict[str, object]] = {"fold models": {"marker": "_", "markersize": 9, "linestyle": "none"}}
    if any(run.baseline_dev_f1 is not None for run in runs):
        key["baseline (labels as given)"] = {"linestyle": (0, (1, 3)), "linewidth": 0.9}
    return key


def _draw_label_f1(axes: "Axes", runs: Sequence[SelfTrainingFigure]) -> None:
    for style, run in zip(line_styles(len(runs)), runs, strict=True):
        known = [(0, run.given_label_f1), *((entry.round, entry.label_f1) for entry in run.rounds)]
        points = [(number, 100 * f1) for number, f1 in known if f1 is not None]
        if points:
            axes.plot(*zip(*points, strict=True), **style._asdict())
    axes.set(title="Training labels against gold (0: as given)", ylabel="entity F1 of the labels (%)")


def _run_label(run: str, method: str) -> str:
    return f"{method}: {run}"


def _legend_below(figure: "Figure", axes: "Axes", key: dict[str, dict[str, object]]) -> None:
    """Add a legend of the lines of ``axes`` and of the marks in ``key`` below all panels, in an enlarged figure."""
    from matplotlib.lines import Line2D  # noqa: PLC0415

    handles, names = axes.get_legend_handles_labels()
    marks = [Line2D([], [], color=GREY, **look) for look in key.values()]  # type: ignore[arg-type]
    labels = [shortened(name) for name in (*names, *key)]
    columns = max(1, int(figure.get_figwidth() // (_LETTER_INCHES * max(map(len, labels)) + _HANDLE_INCHES)))
    rows = ceil(len(labels) / columns)
    figure.set_figheight(figure.get_figheight() + _ENTRY_INCHES * rows)
    figure.legend([*handles, *marks], labels, loc="outside lower center", ncols=min(columns, len(labels)))
