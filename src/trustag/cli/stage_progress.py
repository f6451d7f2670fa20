"""Progress of a run in stages: the purpose of each stage, a line per epoch of its models, and the time left."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from trustag.cli.pace import Pace
from trustag.cli.progress_bar import ProgressBar, as_time

if TYPE_CHECKING:
    from trustag.cli.progress import JobReport, StageReport

_MOST_LINES: Final = 20
_NAMES: Final = {"final": "new labels", "plain": "labels as given", "as-given": "labels as given"}


class StageProgress:
    """Shows the reports of a run that trains several models."""

    def __init__(self, bar: ProgressBar, *, quiet: bool, json_lines: bool) -> None:
        self.bar = bar
        self.quiet = quiet
        self.json_lines = json_lines
        self.pace = Pace()
        self._resumed_epochs = 0
        self._has_header = False

    def enter(self, report: "StageReport") -> None:
        """Show which stage begins, and its purpose."""
        self.pace.enter(report)
        stage, position = report.stage, f"{report.number + 1} of {len(report.plan.stages)}"
        if self.json_lines:
            click.echo(json.dumps({"stage": stage.name, "number": report.number, "of": len(report.plan.stages)}))
        elif not self.quiet:
            self.report_resumed_epochs()
            self._has_header = False
            self.bar.say(f"\n{click.style(f'{position}  {stage.title}', bold=True)}\n  {stage.purpose}")

    def finish_epoch(self, report: "JobReport") -> None:
        """Show the result of an epoch; epochs of an earlier call are only counted."""
        self.pace.finish_epoch(report)
        if self.json_lines:
            click.echo(json.dumps({"job": report.job, **asdict(report.epoch)}))
        elif not self.quiet:
            if not report.is_new:
                self._resumed_epochs += 1
            elif has_own_line(report.epoch.epoch, report.epochs):
                self._line(report)

    def wait(self, partial_epochs: float = 0.0) -> None:
        """Redraw the bar; ``partial_epochs`` are done beyond the finished ones."""
        self.pace.partial = partial_epochs
        if self.bar.is_shown:
            left = self.pace.time_left
            rest = f", {left.in_words}" if left is not None else ""
            self.bar.draw(self.pace.share, f"{as_time(self.pace.seconds)} elapsed{rest}")

    def report_resumed_epochs(self) -> None:
        """Show how many epochs of an earlier call were found since the last line."""
        if self._resumed_epochs:
            epochs = "epoch" if self._resumed_epochs == 1 else "epochs"
            self.bar.say(f"  resumed: {self._resumed_epochs:,} {epochs} already complete")
            self._resumed_epochs = 0

    def _line(self, report: "JobReport") -> None:
        self.report_resumed_epochs()
        if not self._has_header:
            self._has_header = True
            header = f"  {'trained on':<24} {'epoch':>9} {'loss':>10} {'dev F1':>8} {'left':>8}"
            self.bar.say(click.style(header, dim=True))
        epoch, left = report.epoch, self.pace.time_left
        score = f"{100 * epoch.f1:.2f}" if epoch.f1 is not None else "-"
        counter = f"{epoch.epoch + 1} of {report.epochs}"
        time_left = left.in_column if left is not None else "-"
        self.bar.say(f"  {_name(report.job):<24} {counter:>9} {epoch.loss:10.4f} {score:>8} {time_left:>8}")


def has_own_line(epoch: int, epochs: int) -> bool:
    """Return whether an epoch, counted from 0, gets a line of its own: of many epochs only some do, and the last.

    >>> [epoch for epoch in range(60) if has_own_line(epoch, 60)]
    [2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 41, 44, 47, 50, 53, 56, 59]
    """
    every = -(-epochs // _MOST_LINES)
    return (epoch + 1) % every == 0 or epoch + 1 == epochs


def _name(job: str) -> str:
    """Return what a model is trained on; in a noise-rate search after the rates of ``O`` and entity labels.

    >>> _name("round-1/fold-2"), _name("round-1/final"), _name("search/negative-0.0500-positive-0.1000/fold-1")
    ('all but fold 2', 'new labels', '0.0500 0.1000 not fold 1')
    """
    *_, stage, name = ("", *job.split("/"))
    if not name.startswith("fold-"):
        return _NAMES.get(name, name)
    fold = name.removeprefix("fold-")
    if stage.startswith("negative-"):
        _, negative, _, positive = stage.split("-")
        return f"{negative} {positive} not fold {fold}"
    return f"all but fold {fold}"
