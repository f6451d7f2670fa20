"""Reports of a training, made by hand; the only test module of the command line that knows where they are defined."""

from trustag.runs.records import EpochReport
from trustag.training.context_features import FeaturesReport
from trustag.training.jobs import JobReport, StageReport, WaitReport
from trustag.training.stages import Plan, Stage

__all__ = ["FeaturesReport", "WaitReport", "job_report", "stage_report"]

EPOCHS = 4


def stage_report(number: int) -> StageReport:
    """Return the beginning of one of two stages."""
    stages = tuple(
        Stage(name=name, title=name.title(), purpose=f"Purpose of {name}.", trainings=2, epochs=EPOCHS, share=0.5)
        for name in ("folds", "final")
    )
    return StageReport(Plan(stages), number)


def job_report(job: str, epoch: int, *, least_epochs: int = EPOCHS, is_new: bool = True) -> JobReport:
    report = EpochReport(epoch, 1.25, precision=0.5, recall=0.4, f1=0.4444, is_best=True, epochs_since_best=0)
    return JobReport(job, EPOCHS, least_epochs, report, is_new)
