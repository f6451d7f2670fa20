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
from trustag.results import Note, Watch
from trustag.training.fitting import Fitting, Report
from trustag.training.judging import Outcome, fit_and_judge, read_outcome
from trustag.training.loop import EpochReport
from trustag.training.runs import RunFolder

_SECONDS_BETWEEN_LOOKS: Final = 0.2


@dataclass(frozen=True, slots=True)
class StageReport:
    """A run enters another stage: what it is about, in a few words."""

    text: str


@dataclass(frozen=True, slots=True)
class JobReport:
    """One of several trainings that run side by side has finished an epoch."""

    job: str
    epochs: int
    epoch: EpochReport


RunReport: TypeAlias = Report | StageReport | JobReport


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

    def run(self, jobs: Mapping[str, Job]) -> dict[str, Outcome]:
        """Return the outcome of each job, by its name, which is also its place in the folder."""
        promises = {
            name: self.engine.submit(fit_and_judge, job.fitting, job.unseen, self.folder / name, job.keeps_model)
            for name, job in jobs.items()
        }
        self._follow(promises, jobs)
        for promise in promises.values():
            for note in promise.result():
                self.watch(note)
        return {name: read_outcome(self.folder / name, job.unseen) for name, job in jobs.items()}

    def _follow(self, promises: Mapping[str, "Future[list[Note]]"], jobs: Mapping[str, Job]) -> None:
        """Report every epoch until all is done, or until the first failure, which the caller will meet."""
        told = dict.fromkeys(jobs, 0)
        is_over = False
        while not is_over:
            is_over = all(promise.done() for promise in promises.values())
            for name, job in jobs.items():
                history = _history(RunFolder(self.folder / name))
                for epoch in history[told[name] :]:
                    self.report(JobReport(name, job.fitting.recipe.training.epochs, epoch))
                told[name] = max(told[name], len(history))
            if any(promise.done() and promise.exception() for promise in promises.values()):
                return
            if not is_over:
                time.sleep(_SECONDS_BETWEEN_LOOKS)


def _history(place: RunFolder) -> list[EpochReport]:
    """Return the epochs that a training has finished so far, as its metrics tell; they are replaced as a whole."""
    try:
        lines = place.metrics.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    return [EpochReport(**json.loads(line)) for line in lines]
