"""AutoNER: fold models and a final model with the tie-or-break head, or with a CRF its fuzzy variant."""

from collections.abc import Sequence
from typing import Final

from trustag.crossfit.heldout import estimated_rates, heldout_stage, predict_heldout
from trustag.crossfit.model_findings import findings_of_heldout, findings_of_model
from trustag.errors import InputError
from trustag.methods.autoner.head import PLACE
from trustag.methods.autoner.lattice import LONGEST
from trustag.methods.autoner.settings import AutoNERSettings
from trustag.methods.autoner.targets import FuzzyLabels, TiesAndTypes
from trustag.methods.base import Learned, can_cross_validate, note_single_sentence
from trustag.models.heads import find_head
from trustag.notes import Note
from trustag.text.spans import read_spans
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import ObjectiveSpec
from trustag.training.stages import Stage
from trustag.training.task import Task

_FOLDS: Final = "folds"
_FINAL: Final = "final"


class AutoNER:
    """Learns ties and types, or a CRF, from matches; models of folds say which labels look wrong."""

    summary = "Tie tokens together and give every stretch a type; unknown phrases teach nothing (AutoNER)."
    Settings = AutoNERSettings

    def check(self, task: Task, settings: AutoNERSettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head that is neither that of the method nor one that scores labels."""
        head = task.network.settings.model.head
        if head != PLACE and not find_head(head).scores_labels:
            remedy = "use --recipe autoner, or model.head=crf for its fuzzy CRF"
            raise InputError(f"the method autoner does not know the head {head!r}", remedy=remedy)

    def plan(self, task: Task, settings: AutoNERSettings) -> Sequence[Stage]:
        """Plan the fold models that assess labels, and the final model."""
        purpose = "One model learns from all matches."
        final = Stage(_FINAL, "Final model", purpose, 1, task.planned_epochs(len(task.corpus)))
        if not can_cross_validate(task):
            return [final]
        return [heldout_stage(task, settings.folds, _FOLDS, "Which labels look wrong?"), final]

    def train(self, task: Task, settings: AutoNERSettings, jobs: Jobs) -> Learned:
        """Train the fold models and the final model."""
        objective = _objective(task, settings)
        _note_long_entities(task, jobs)
        predictions = None
        if can_cross_validate(task):
            predictions = predict_heldout(task, jobs, settings.folds, _FOLDS, objective)
        else:
            note_single_sentence(jobs.watch)
        job = Job(task.fit(objective), task.corpus.tokens, keeps_model=True)
        final = jobs.run(_FINAL, {_FINAL: job})[_FINAL]
        if predictions is None:
            return Learned(final, findings_of_model(task, final))
        return Learned(final, findings_of_heldout(predictions, final, None, estimated_rates(predictions)))


def _objective(task: Task, settings: AutoNERSettings) -> ObjectiveSpec:
    is_own = task.network.settings.model.head == PLACE
    return TiesAndTypes(settings) if is_own else FuzzyLabels(settings)


def _note_long_entities(task: Task, jobs: Jobs) -> None:
    spans = (span for labels in task.corpus.label_names() for span in read_spans(labels))
    count = sum(span.end - span.start > LONGEST for span in spans)
    if count and task.network.settings.model.head == PLACE:
        detail = f"{count} entities of more than {LONGEST} tokens; the model predicts none as long as these"
        jobs.watch(Note("info", "long entities", detail))


METHOD: Final = AutoNER()
