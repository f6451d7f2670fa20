"""Independent trainings of a run, side by side: begun, watched, collected; what is done already is not done again."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from trustag.engines import Engine
from trustag.models.encoders import Tokens
from trustag.notes import Note, Watch
from trustag.runs.folder import RunFolder
from trustag.training.contexts import FeaturesReport
from trustag.training.fitting import Fitting, Report
from trustag.training.judging import Outcome, copy_outcome, fit_and_judge, read_outcome
from trustag.training.loop import EpochReport
from trustag.training.plan import Plan, Stage

_SECONDS_BETWEEN_LOOKS: Final = 0.2


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
    """One of several trainings that run side by side has finished an epoch; ``is_new`` unless an earlier call did."""

    job: str
    epochs: int
    epoch: EpochReport
    is_new: bool = True


@dataclass(frozen=True, slots=True)
class WaitReport:
    """Trainings go on; nothing is finished since the last report."""


RunReport: TypeAlias = Report | StageReport | JobReport | WaitReport | FeaturesReport


@dataclass(frozen=True, slots=True)
class Job:
    """A training and the sentences to judge afterwards; ``keeps_model`` where somebody will want to tag with it."""

    fitting: Fitting
    unseen: Sequence[Tokens] = ()
    keeps_model: bool = False


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where the trainings of a run work and who hears of it."""

    folder: Path
    engine: Engine
    watch: Watch
    report: Callable[[RunReport], None]
    plan: Plan

    def enter(self, stage: str) -> None:
        """Report that the stage called so begins."""
        self.report(StageReport(self.plan, self.plan.number(stage)))

    def run(self, jobs: Mapping[str, Job]) -> dict[str, Outcome]:
        """Return the outcome of each job, by its name, which is also its place in the folder."""
        known = {name: len(_history(RunFolder(self.folder / name))) for name in jobs}
        promises = {
            name: self.engine.submit(fit_and_judge, job.fitting, job.unseen, self.folder / name, job.keeps_model)
            for name, job in jobs.items()
        }
        self._follow(promises, jobs, known)
        for promise in promises.values():
            for note in promise.result():
                self.watch(note)
        return {name: read_outcome(self.folder / name, job.unseen) for name, job in jobs.items()}

    def take_over(self, done: str, name: str) -> None:
        """Let the finished job called ``done`` stand for the one called ``name`` too, which is the same training."""
        copy_outcome(self.folder / done, self.folder / name)

    def _follow(
        self, promises: Mapping[str, "Future[list[Note]]"], jobs: Mapping[str, Job], known: Mapping[str, int]
    ) -> None:
        """Report every epoch until all is done, or until the first failure, which the caller will meet.

        As many epochs as ``known`` says were there already when the trainings began.
        """
        told = dict.fromkeys(jobs, 0)
        is_over = False
        while not is_over:
            is_over = all(promise.done() for promise in promises.values())
            for name, job in jobs.items():
                history = _history(RunFolder(self.folder / name))
                for epoch in history[told[name] :]:
                    is_new = epoch.epoch >= known[name]
                    self.report(JobReport(name, job.fitting.recipe.training.epochs, epoch, is_new))
                told[name] = max(told[name], len(history))
            if any(promise.done() and promise.exception() for promise in promises.values()):
                return
            if not is_over:
                self.report(WaitReport())
                time.sleep(_SECONDS_BETWEEN_LOOKS)


def _history(place: RunFolder) -> list[EpochReport]:
    """Return the epochs that a training has finished so far, as its metrics tell; they are replaced as a whole."""
    try:
        lines = place.metrics.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [EpochReport(**json.loads(line)) for line in lines]
