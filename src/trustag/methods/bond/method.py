"""BOND: its two stages, of which the second starts from the model of the first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trustag.crossfit.model_findings import findings_of_model
from trustag.methods.base import Learned, check_softmax
from trustag.methods.bond.settings import BONDSettings
from trustag.methods.bond.teaching import TaughtLabels
from trustag.models.warm_start import WarmStart
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Stage
from trustag.training.task import Task

_ONE: Final = "stage-one"
_TWO: Final = "stage-two"


class BOND:
    """Stage one learns the given labels for a short time, stage two what it believes itself."""

    summary = "Train briefly on the labels, then let a student learn from its own earlier self (BOND)."
    Settings = BONDSettings

    def check(self, task: Task, settings: BONDSettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head without probabilities of single tokens."""
        check_softmax(task, "bond")

    def plan(self, task: Task, settings: BONDSettings) -> Sequence[Stage]:
        """Plan both stages."""
        whole = task.fit(GivenLabels())
        purpose = "One model learns the labels as given, and stops before it memorises them."
        stages = [Stage(_ONE, "Stage one", purpose, 1, whole.lasting(settings.early_share).schedule.epochs)]
        if settings.student_share:
            purpose = "It goes on with the labels that it believes itself."
            epochs = whole.lasting(settings.student_share).schedule.epochs
            stages.append(Stage(_TWO, "Stage two", purpose, 1, epochs))
        return stages

    def train(self, task: Task, settings: BONDSettings, jobs: Jobs) -> Learned:
        """Train both stages and keep the better model on dev, without dev that of stage two."""
        tokens = task.corpus.tokens
        first = task.fit(GivenLabels()).lasting(settings.early_share)
        one = jobs.run(_ONE, {_ONE: Job(first, tokens, keeps_model=True)})[_ONE]
        model, compared = one, {}
        if settings.student_share:
            second = task.fit(TaughtLabels(task.network, settings)).lasting(settings.student_share)
            job = Job(replace(second, start=WarmStart(one.model)), tokens, keeps_model=True)
            two = jobs.run(_TWO, {_TWO: job})[_TWO]
            model, compared = _better(one, two), {_ONE: one, _TWO: two}
        reason = "it has the best dev F1" if task.dev else "without dev the last stage is kept"
        kept = {"name": f"model of {_ONE if model is one else _TWO}", "reason": reason}
        return Learned(model, findings_of_model(task, model), compared, facts={"kept": kept})


def _better(one: FitResult, two: FitResult) -> FitResult:
    if one.dev_f1 is None or two.dev_f1 is None:
        return two
    return two if two.dev_f1 >= one.dev_f1 else one


METHOD: Final = BOND()
