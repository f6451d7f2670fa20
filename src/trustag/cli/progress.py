"""Training progress: an aligned line for each epoch, and a bar below it on terminals."""

import json
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from trustag.cli.progress_bar import ProgressBar, as_time
from trustag.cli.stage_progress import StageProgress, has_own_line

# The only module of the command line that knows where the types of reports are defined.
if TYPE_CHECKING:
    from trustag.training.contexts import FeaturesReport
    from trustag.training.jobs import JobReport as JobReport  # noqa: PLC0414 - stage_progress takes it from here
    from trustag.training.jobs import RunReport
    from trustag.training.jobs import StageReport as StageReport  # noqa: PLC0414
    from trustag.training.loop import EpochReport, StepReport


class TrainingProgress:
    """Shows the reports of a training on standard error; JSON lines go to standard output."""

    def __init__(self, *, epochs: int, quiet: bool, json_lines: bool) -> None:
        self.epochs = epochs
        self.quiet = quiet
        self.json_lines = json_lines
        self.bar = ProgressBar(is_wanted=not quiet and not json_lines)
        self.stages = StageProgress(self.bar, quiet=quiet, json_lines=json_lines)
        self.began = self.epoch_began = time.monotonic()
        self.tokens = self.seen = 0
        self.has_header = False

    def __call__(self, report: "RunReport") -> None:
        """Show one report."""
        from trustag.training.contexts import FeaturesReport  # noqa: PLC0415 - whoever reports has loaded torch
        from trustag.training.jobs import JobReport, StageReport, WaitReport  # noqa: PLC0415
        from trustag.training.loop import StepReport  # noqa: PLC0415

        if isinstance(report, StepReport):
            self._step(report)
        elif isinstance(report, StageReport):
            self.stages.enter(report)
        elif isinstance(report, JobReport):
            self.stages.finish_epoch(report)
        elif isinstance(report, WaitReport):
            self.stages.wait()
        elif isinstance(report, FeaturesReport):
            self._features(report)
        else:
            self._epoch(report)

    def clear(self) -> None:
        """Remove the bar."""
        self.bar.clear()

    def close(self) -> None:
        """Remove the bar and leave an empty line before the summary."""
        self.stages.report_resumed_epochs()
        self.clear()
        if not self.quiet and not self.json_lines:
            self.bar.say("")

    def _features(self, report: "FeaturesReport") -> None:
        if self.json_lines:
            click.echo(json.dumps({"features": report.sentences, "of": report.of}))
        elif not self.quiet:
            if not report.sentences:
                self.bar.say(f"\nComputing transformer features of {report.of:,} sentences, once for the whole run.")
            self.bar.draw(report.sentences / report.of, f"{report.sentences:,} of {report.of:,} sentences")

    def _step(self, report: "StepReport") -> None:
        self.tokens += report.tokens
        if self.bar.is_shown:
            speed = self.tokens / max(time.monotonic() - self.epoch_began, 1e-9)
            self.bar.draw(report.step / report.steps, f"{speed:,.0f} tokens/s")

    def _epoch(self, report: "EpochReport") -> None:
        now = time.monotonic()
        if self.json_lines:
            click.echo(json.dumps(asdict(report)))
        elif not self.quiet and (report.is_best or has_own_line(report.epoch, self.epochs)):
            self._line(report, now)
        self.seen += 1
        self.epoch_began, self.tokens = now, 0

    def _line(self, report: "EpochReport", now: float) -> None:
        if not self.has_header:
            self.has_header = True
            header = "epoch      loss   dev P   dev R  dev F1     tokens/s     left"
            self.bar.say(click.style(header, dim=True))
        scores = [
            f"{100 * score:7.2f}" if score is not None else "      -"
            for score in (report.precision, report.recall, report.f1)
        ]
        speed = self.tokens / max(now - self.epoch_began, 1e-9)
        left = as_time((now - self.began) / (self.seen + 1) * (self.epochs - report.epoch - 1))
        best = "  best" if report.is_best else ""
        self.bar.say(f"{report.epoch + 1:5d} {report.loss:9.4f} {' '.join(scores)} {speed:12,.0f} {left:>8}{best}")
