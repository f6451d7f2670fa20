"""How much of a run is done and how long the rest takes, where trainings may stop before their last epoch."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trustag.cli.progress_bar import as_time

if TYPE_CHECKING:
    from trustag.cli.progress import JobReport, Stage, StageReport


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """How many seconds a run still takes at the present speed: at most, and as long as its other trainings took.

    ``expected`` is None while it is unknown how early trainings stop.
    """

    most: float
    expected: float | None

    @property
    def in_words(self) -> str:
        """Return the time left as it stands beside a bar.

        >>> TimeLeft(75, 75).in_words, TimeLeft(330, None).in_words, TimeLeft(330, 190).in_words
        ('about 1:15 left', 'at most 5:30 left', 'about 3:10 left, at most 5:30')
        """
        most = as_time(self.most)
        if self.expected is None:
            return f"at most {most} left"
        expected = as_time(self.expected)
        return f"about {expected} left" + (f", at most {most}" if expected != most else "")

    @property
    def in_column(self) -> str:
        """Return the time left as it stands in a column.

        >>> TimeLeft(330, None).in_column, TimeLeft(330, 190).in_column
        ('< 5:30', '3:10')
        """
        return f"< {as_time(self.most)}" if self.expected is None else as_time(self.expected)


class Pace:
    """How much of a run is done, in passes over its corpus, and how long the rest takes at the present speed.

    Epochs of an earlier call count as done but not for the speed. Neither does the time until the first epoch ends,
    in which worker processes start, nor the first epochs of those beside it.
    """

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.total = 1.0
        self.done = 0.0
        self._stage: Stage | None = None
        self._following = 0.0
        self._under_way: dict[str, JobReport] = {}
        self._begun: set[str] = set()
        self._stopping: set[str] = set()
        self._used_epochs = 0
        self._planned_epochs = 0
        self.partial = 0.0
        self._timed_from: float | None = None
        self._timed_passes = 0.0

    def enter(self, report: "StageReport") -> None:
        """Begin a stage: everything before it is done, even where models stopped early."""
        self._stage = report.stage
        self.total = report.plan.passes
        self.done = report.plan.passes_before(report.number)
        self._following = max(0.0, self.total - self.done - report.stage.passes)
        self._under_way, self._begun = {}, set()

    def finish_epoch(self, report: "JobReport") -> None:
        """Count one epoch of one model of the current stage; the epochs that it will not need count as done."""
        share, trained = self._share_of_epoch, report.epoch.epoch + 1
        self.done += share
        self.partial = 0.0
        self._begun.add(report.job)
        self._under_way[report.job] = report
        if report.least_epochs < report.epochs:
            self._stopping.add(report.job)
        if report.least_epochs <= trained:
            self._end(report, trained)
        if report.is_new and self._timed_from is None:
            self._timed_from = time.monotonic()
        elif report.is_new and (report.epoch.epoch or self._timed_passes):
            self._timed_passes += share

    @property
    def share(self) -> float:
        """The share of the work that is done."""
        return min(1.0, (self.done + self.partial * self._share_of_epoch) / self.total)

    @property
    def seconds(self) -> float:
        """The time since the start, in seconds."""
        return time.monotonic() - self.began

    @property
    def time_left(self) -> TimeLeft | None:
        """The estimated time left; None before there is anything to estimate it from."""
        if self._timed_from is None or not self._timed_passes:
            return None
        seconds_a_pass = (time.monotonic() - self._timed_from) / self._timed_passes
        most = seconds_a_pass * max(0.0, self.total - self.done)
        if not self._stopping:
            return TimeLeft(most, most)
        passes = self._expected_passes
        return TimeLeft(most, None if passes is None else min(most, seconds_a_pass * passes))

    def _end(self, report: "JobReport", trained: int) -> None:
        """Count a training that is over; only one that could stop early shows how early they do."""
        del self._under_way[report.job]
        self.done += self._share_of_epoch * (report.epochs - trained)
        if report.job in self._stopping:
            self._used_epochs += trained
            self._planned_epochs += report.epochs

    @property
    def _share_of_epoch(self) -> float:
        return 0.0 if self._stage is None else self._stage.share

    @property
    def _expected_passes(self) -> float | None:
        """The work left if all trainings stop as early as those that ended; None before any of them ended."""
        if self._stage is None or not self._planned_epochs:
            return None
        usual = self._used_epochs / self._planned_epochs
        running = sum(
            max(job.least_epochs, usual * job.epochs) - (job.epoch.epoch + 1) for job in self._under_way.values()
        )
        waiting = max(0, self._stage.trainings - len(self._begun)) * self._stage.epochs
        return self._stage.share * (running + usual * waiting) + usual * self._following
