"""Independent trainings of a run, side by side: started, followed, collected; what is finished is not done again."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import msgspec

from trustag.engines import Engine
from trustag.notes import Note, Watch
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.training.context_features import FeaturesReport
from trustag.training.fit_results import FitResult, Job, copy_result, fit_and_predict, is_finished, read_result
from trustag.training.loop import StepReport
from trustag.training.stages import Plan, Stage

_SECONDS_BETWEEN_LOOKS: Final = 0.2
_Stamp: TypeAlias = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class StageReport:
    """A run enters a stage: which one of its plan, counted from 0."""

    plan: Plan
    number: int

    @property
    def stage(self) -> Stage:
        """The stage that begins."""
        return self.plan.stages[self.number]


@dataclass(frozen=True, slots=True)
class JobReport:
    """One of several trainings has finished an epoch; ``is_new`` unless an earlier process had done it.

    It has at most ``epochs``; it stops after ``least_epochs`` if none of the next ones is better than the best so far.
    """

    job: str
    epochs: int
    least_epochs: int
    epoch: EpochReport
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class WaitReport:
    """Trainings continue; ``partial_epochs`` of them are done beyond those that were reported."""

    partial_epochs: float = 0.0


RunReport: TypeAlias = StageReport | JobReport | WaitReport | FeaturesReport


class Jobs(Protocol):
    """Where a method has its trainings done."""

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        """Return the result of each job, by its name; the stage is one of those that the method planned."""
        ...

    def reuse(self, done: str, name: str) -> None:
        """Let the finished job called ``done`` stand for the one called ``name`` too, which is the same training."""
        ...

    @property
    def watch(self) -> Watch:
        """The function that receives notes."""
        ...


@dataclass(frozen=True, slots=True)
class JobRunner:
    """Has jobs done by an engine, each in a folder of its own, and reports how far they are."""

    folder: Path
    engine: Engine
    watch: Watch
    report: Callable[[RunReport], None]
    plan: Plan
    _entered: set[str] = field(default_factory=set, init=False, repr=False)

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        """Return the result of each job, by its name, which is also its place in the folder."""
        if stage not in self._entered:  # a search has the trainings of its stage done in several calls
            self._entered.add(stage)
            self.report(StageReport(self.plan, self.plan.number(stage)))
        # A single training can as well be done here, where every step of it can be followed; a cluster is asked for it.
        is_here = self.engine.runs_here or (len(jobs) == 1 and self.engine.shares_files)
        work = self._run_here if is_here else self._run_elsewhere
        for note in work(jobs):
            self.watch(note)
        return {
            name: read_result(self.folder / name, job.predict, job.fit.network.settings.model.head)
            for name, job in jobs.items()
        }

    def reuse(self, done: str, name: str) -> None:
        """Let the finished job called ``done`` stand for the one called ``name`` too, which is the same training."""
        copy_result(self.folder / done, self.folder / name)

    def _run_here(self, jobs: Mapping[str, Job]) -> list[Note]:
        """Do all jobs, one after the other, in this process."""
        notes = []
        for name, job in jobs.items():
            known = _history(RunFolder(self.folder / name))
            for epoch in known:
                self.report(_job_report(name, job, epoch, is_new=False))
            notes += fit_and_predict(job, self.folder / name, partial(self._take, name, job, len(known)))
        return notes

    def _take(self, name: str, job: Job, known: int, report: StepReport | EpochReport) -> None:
        # From a snapshot that is older than the metrics, a training repeats epochs that were reported already.
        is_repeated = report.epoch < known
        if isinstance(report, StepReport):
            self.report(WaitReport(0.0 if is_repeated else report.step / report.steps))
        elif not is_repeated:
            self.report(_job_report(name, job, report))

    def _run_elsewhere(self, jobs: Mapping[str, Job]) -> list[Note]:
        """Have all jobs done by the engine, side by side."""
        known = {name: len(_history(RunFolder(self.folder / name))) for name in jobs}
        futures = {
            name: self.engine.submit_into(self.folder / name, fit_and_predict, job)
            for name, job in jobs.items()
            if not is_finished(self.folder / name)
        }
        notes = self._run_here({name: job for name, job in jobs.items() if name not in futures})
        self._follow(futures, {name: jobs[name] for name in futures}, known)
        return [*notes, *(note for future in futures.values() for note in future.result())]

    def _follow(
        self, futures: Mapping[str, "Future[list[Note]]"], jobs: Mapping[str, Job], known: Mapping[str, int]
    ) -> None:
        """Report every epoch until all is done, or until the first failure, which the caller will meet.

        As many epochs as ``known`` says were there already when the trainings began.
        """
        reported = dict.fromkeys(jobs, 0)
        stamps: dict[str, _Stamp | None] = dict.fromkeys(jobs)
        is_over = False
        while not is_over:
            is_over = all(future.done() for future in futures.values())
            for name, job in jobs.items():
                run = RunFolder(self.folder / name)
                stamp = _stamp(run)
                if stamp == stamps[name]:
                    continue
                stamps[name], history = stamp, _history(run)
                for epoch in history[reported[name] :]:
                    is_new = epoch.epoch >= known[name]
                    self.report(_job_report(name, job, epoch, is_new=is_new))
                reported[name] = max(reported[name], len(history))
            if any(future.done() and future.exception() for future in futures.values()):
                return
            if not is_over:
                self.report(WaitReport(sum(_partial(RunFolder(self.folder / name), reported[name]) for name in jobs)))
                time.sleep(_SECONDS_BETWEEN_LOOKS)


def _job_report(name: str, job: Job, epoch: EpochReport, *, is_new: bool = True) -> JobReport:
    schedule, stopping = job.fit.schedule, job.fit.training.stopping
    least = schedule.epochs
    if stopping == "plateau" or (stopping == "dev" and epoch.f1 is not None):
        least = min(least, epoch.epoch + 1 + max(0, schedule.patience - epoch.epochs_since_best))
    return JobReport(name, schedule.epochs, least, epoch, is_new)


def _history(run: RunFolder) -> Sequence[EpochReport]:
    """Return the epochs that a training has finished so far, as its metrics tell; they are replaced as a whole.

    Metrics that are broken tell nothing; the training writes them anew.
    """
    try:
        lines = run.metrics.read_text(encoding="utf-8").splitlines()
        return [msgspec.convert(json.loads(line), EpochReport) for line in lines]
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError):
        return []


def _stamp(run: RunFolder) -> _Stamp | None:
    """Return what changes whenever the metrics are replaced; None before there are any."""
    try:
        found = run.metrics.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def _partial(run: RunFolder, epochs: int) -> float:
    """Return which share of the epoch after ``epochs`` a training has done, as far as it said so."""
    try:
        epoch, share = run.step.read_text(encoding="utf-8").split()
        return float(share) if int(epoch) == epochs else 0.0
    except (OSError, ValueError):  # not written yet, or being written
        return 0.0
