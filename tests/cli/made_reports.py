"""Reports of a training, made by hand; the only test module of the command line that knows where they are defined."""

from trustag.training.contexts import FeaturesReport
from trustag.training.jobs import JobReport, StageReport
from trustag.training.loop import EpochReport, StepReport
from trustag.training.plan import Plan, Stage

__all__ = ["FeaturesReport", "epoch_report", "job_report", "stage_report", "step_report"]

EPOCHS = 4


def epoch_report(epoch: int = 0) -> EpochReport:
    return EpochReport(epoch, 1.25, precision=0.5, recall=0.4, f1=0.4444, is_best=True, epochs_since_best=0)


def step_report() -> StepReport:
    return StepReport(epoch=0, step=1, steps=1, tokens=100)


def stage_report(number: int) -> StageReport:
    """Return the beginning of one of two stages."""
    stages = tuple(
        Stage(name=name, title=name.title(), purpose=f"Purpose of {name}.", trainings=2, epochs=EPOCHS, share=0.5)
        for name in ("folds", "final")
    )
    return StageReport(Plan(stages), number)


def job_report(job: str, epoch: int, *, is_new: bool = True) -> JobReport:
    return JobReport(job, EPOCHS, epoch_report(epoch), is_new)
