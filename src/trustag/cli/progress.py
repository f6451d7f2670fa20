"""Training progress: one aligned line an epoch, and a bar under it where somebody watches."""

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from trustag.training.jobs import JobReport, RunReport
    from trustag.training.loop import EpochReport, StepReport

_WIDTH: Final = 30
_SECONDS_BETWEEN_DRAWINGS: Final = 0.2


class TrainingProgress:
    """Shows the reports of a training on standard error; JSON lines go to standard output."""

    def __init__(self, *, epochs: int, quiet: bool, json_lines: bool) -> None:
        self.epochs = epochs
        self.quiet = quiet
        self.json_lines = json_lines
        self.shows_bar = sys.stderr.isatty() and not quiet and not json_lines
        self.began = self.epoch_began = time.monotonic()
        self.drawn = 0.0
        self.tokens = 0
        self.has_header = False

    def __call__(self, report: "RunReport") -> None:
        """Take a report."""
        from trustag.training.jobs import JobReport, StageReport  # noqa: PLC0415 - whoever reports has loaded torch
        from trustag.training.loop import StepReport  # noqa: PLC0415

        if isinstance(report, StepReport):
            self._step(report)
        elif isinstance(report, StageReport):
            if not self.quiet and not self.json_lines:
                click.echo(report.text, err=True)
        elif isinstance(report, JobReport):
            self._job(report)
        else:
            self._epoch(report)

    def _step(self, report: "StepReport") -> None:
        self.tokens += report.tokens
        now = time.monotonic()
        if self.shows_bar and now - self.drawn > _SECONDS_BETWEEN_DRAWINGS:
            self.drawn = now
            done = report.step / report.steps
            bar = "#" * round(_WIDTH * done)
            speed = self.tokens / max(now - self.epoch_began, 1e-9)
            click.echo(f"\r  [{bar:<{_WIDTH}}] {done:4.0%}  {speed:,.0f} tokens/s ", nl=False, err=True)

    def _epoch(self, report: "EpochReport") -> None:
        now = time.monotonic()
        self.clear()
        if self.json_lines:
            click.echo(json.dumps(asdict(report)))
        elif not self.quiet:
            self._line(report, now)
        self.epoch_began, self.tokens = now, 0

    def _job(self, report: "JobReport") -> None:
        if self.json_lines:
            click.echo(json.dumps({"job": report.job, **asdict(report.epoch)}))
        elif not self.quiet:
            epoch = report.epoch
            score = f"   dev F1 {100 * epoch.f1:6.2f}" if epoch.f1 is not None else ""
            line = f"  {report.job:<18} epoch {epoch.epoch + 1:2d} of {report.epochs}   loss {epoch.loss:9.4f}{score}"
            click.echo(line, err=True)

    def clear(self) -> None:
        """Remove the bar."""
        if self.shows_bar:
            click.echo("\r" + " " * (_WIDTH + 40) + "\r", nl=False, err=True)

    def _line(self, report: "EpochReport", now: float) -> None:
        if not self.has_header:
            self.has_header = True
            click.echo("epoch      loss   dev P   dev R  dev F1     tokens/s   left", err=True)
        scores = [
            f"{100 * score:7.2f}" if score is not None else "      -"
            for score in (report.precision, report.recall, report.f1)
        ]
        speed = self.tokens / max(now - self.epoch_began, 1e-9)
        left = (now - self.began) / (report.epoch + 1) * (self.epochs - report.epoch - 1)
        best = "  best" if report.is_best else ""
        click.echo(
            f"{report.epoch + 1:5d} {report.loss:9.4f} {' '.join(scores)} {speed:12,.0f} {_time(left):>6}{best}",
            err=True,
        )


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"
