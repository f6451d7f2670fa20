"""Training progress: an aligned line for each epoch, and a bar below it on terminals."""

import json
from types import TracebackType
from typing import TYPE_CHECKING, Self

import click

from trustag.cli.progress_bar import ProgressBar
from trustag.cli.stage_progress import StageProgress

# The only module of the command line that knows where the types of reports are defined.
if TYPE_CHECKING:
    from trustag.training.context_features import FeaturesReport
    from trustag.training.jobs import JobReport as JobReport  # noqa: PLC0414 - stage_progress takes it from here
    from trustag.training.jobs import RunReport
    from trustag.training.jobs import StageReport as StageReport  # noqa: PLC0414
    from trustag.training.stages import Stage as Stage  # noqa: PLC0414


class TrainingProgress:
    """Shows the reports of a training on standard error; JSON lines go to standard output."""

    def __init__(self, *, quiet: bool, json_lines: bool) -> None:
        self.quiet = quiet
        self.json_lines = json_lines
        self.bar = ProgressBar(is_wanted=not quiet and not json_lines)
        self.stages = StageProgress(self.bar, quiet=quiet, json_lines=json_lines)

    def __call__(self, report: "RunReport") -> None:
        """Show one report."""
        from trustag.training.jobs import JobReport, StageReport, WaitReport  # noqa: PLC0415 - the reporter has torch

        if isinstance(report, StageReport):
            self.stages.enter(report)
        elif isinstance(report, JobReport):
            self.stages.finish_epoch(report)
        elif isinstance(report, WaitReport):
            self.stages.wait(report.partial_epochs)
        else:
            self._features(report)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the bar, so that whatever is written next has its line for itself."""
        self.bar.clear()

    def close(self) -> None:
        """Leave an empty line before the summary."""
        self.stages.report_resumed_epochs()
        if not self.quiet and not self.json_lines:
            self.bar.say("")

    def _features(self, report: "FeaturesReport") -> None:
        if self.json_lines:
            click.echo(json.dumps({"features": report.sentences, "of": report.of}))
        elif not self.quiet:
            if not report.sentences:
                self.bar.say(f"\nComputing transformer features of {report.of:,} sentences, once for the whole run.")
            self.bar.draw(report.sentences / report.of, f"{report.sentences:,} of {report.of:,} sentences")
