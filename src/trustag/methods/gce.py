"""Generalised cross-entropy with removal of noisy labels, the core of RoSTER (Meng et al., 2021).

The loss of a label of probability ``p`` is ``(1 - p^q) / q``: cross-entropy near ``q = 0``, absolute error at 1. The
larger ``q``, the less is learned from labels that the model finds improbable. Two questions are learned apart: is a
token part of an entity, and which label has it if it is. After some epochs, labels of low probability are removed:
``O`` labels altogether, entity labels from the second question only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import torch
from pydantic import Field
from torch import Tensor

from trustag.crossfit.model_findings import findings_of_model
from trustag.crossfit.tracking import ConfidenceTracker, TrackedObjective, Tracking
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.base import Learned, as_given_stages, check_softmax
from trustag.models.network import Network
from trustag.recipes.sections import CountOrNone, Section, Share, advanced
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import Batch
from trustag.training.schedule import FitSchedule
from trustag.training.stages import Stage
from trustag.training.task import Task

_MODEL: Final = "as-given"


class GCESettings(Section):
    """The generalised cross-entropy, and when labels are removed."""

    q: float = Field(default=0.7, gt=0, le=1, description="near 0: cross-entropy; 1: absolute error, the most robust")
    questions: Literal["separate", "joint"] = Field(
        default="separate", description="learn apart whether a token is in an entity and which label it has, or at once"
    )
    removal: Share = Field(default=0.7, description="labels with a lower probability are removed; 0: none is")
    removal_start: CountOrNone = Field(default=6, description="epochs of training.epochs before any label is removed")
    most_removed: Share = advanced(0.9, "no label is removed of a kind of which this share would be or more")
    ignored_outside: Share = Field(default=0.5, description="share of O labels that each step ignores, at random")


@dataclass(frozen=True, slots=True)
class RobustLabels:
    """Given labels under a loss that improbable ones have little influence on."""

    settings: GCESettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "RobustLabelsObjective":  # noqa: ARG002
        """Return the objective for training on ``corpus``."""
        start = schedule.stretched(self.settings.removal_start)
        return RobustLabelsObjective(
            corpus, ConfidenceTracker(corpus, schedule, Tracking("local")), self.settings, start
        )


class RobustLabelsObjective(TrackedObjective):
    """The generalised cross-entropy of labels that were not removed; of reviewed labels the plain cross-entropy."""

    def __init__(self, corpus: EncodedCorpus, tracker: ConfidenceTracker, settings: GCESettings, start: int) -> None:
        super().__init__(tracker)
        self.corpus = corpus
        self.settings = settings
        self.start = start
        self.remaining = corpus.label_ids != NO_LABEL
        self.reviewed = torch.split(corpus.reviewed, corpus.lengths)

    def begin_epoch(self, epoch: int) -> None:
        """Decide by the pass before which labels remain; it is part of the record, so that a resumed run decides so."""
        super().begin_epoch(epoch)
        if epoch >= max(self.start, 1):
            scores = self.tracker.dynamics.scores[epoch - 1]
            self.remaining = remaining_labels(self.corpus, scores, self.settings)

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence; unknown labels add nothing."""
        _, indices = self.tracker.observe(batch, self.epoch)
        settings, labels = self.settings, batch.labels
        remains = torch.zeros_like(batch.mask)
        remains[batch.mask] = self.remaining[indices].to(remains.device)
        reviewed = batch.rows(self.reviewed).bool()
        is_ignored = torch.rand(labels.shape).to(labels.device) < settings.ignored_outside
        log_parts = question_parts(batch.label_outputs.logits, labels, settings.questions)
        first, second = (torch.where(reviewed, -own, generalised(own, settings.q)) for own in log_parts)
        first = first.masked_fill((labels == 0) & ~reviewed & (is_ignored | ~remains), 0.0)
        second = second.masked_fill(~remains, 0.0)
        return (first + second).masked_fill(labels == NO_LABEL, 0.0).sum(1)

    def end_epoch(self, epoch: int) -> dict[str, float]:
        """Return how much was removed; with gold, how well that found wrong labels."""
        return self.tracker.facts(epoch, (self.corpus.label_ids != NO_LABEL) & ~self.remaining)


def generalised(log_probability: Tensor, q: float) -> Tensor:
    """Return ``(1 - p^q) / q`` of the logarithm of ``p``.

    >>> generalised(torch.tensor([0.25]).log(), 0.5)
    tensor([1.])
    """
    return -torch.expm1(q * log_probability) / q


def question_parts(logits: Tensor, labels: Tensor, questions: Literal["separate", "joint"]) -> tuple[Tensor, Tensor]:
    """Return the log-probabilities of both answers that each label gives: (sentences, tokens) each.

    They are that of being in an entity or not, and that of the label among those of entities, which is certain for
    ``O``. Joint, the first is always certain for entity labels, and the second is that of the label among all.
    """
    log_all = logits.log_softmax(-1)
    given = log_all.gather(-1, labels.clamp(min=0)[..., None]).squeeze(-1)
    certain = torch.zeros_like(given)
    is_entity = labels > 0
    if questions == "joint":
        return torch.where(is_entity, certain, given), torch.where(is_entity, given, certain)
    in_entity = log_all[..., 1:].logsumexp(-1)
    return torch.where(is_entity, in_entity, given), torch.where(is_entity, given - in_entity, certain)


def remaining_labels(corpus: EncodedCorpus, scores: Tensor, settings: GCESettings) -> Tensor:
    """Return the labels (tokens,) that are not removed at these ``scores``; reviewed labels never are.

    A kind of label that nearly all would be removed of is one that the model does not know yet: all of it remain.
    """
    given = corpus.label_ids
    remains = scores >= settings.removal
    for label in range(len(corpus.labels)):
        own = given == label
        if own.any() and float((~remains[own]).float().mean()) >= settings.most_removed:
            remains |= own
    return (remains | corpus.reviewed) & (given != NO_LABEL)


class GeneralisedCrossEntropy:
    """One training whose loss is robust to wrong labels and which removes those it finds improbable."""

    summary = "Train with the generalised cross-entropy and remove labels that the model finds improbable."
    Settings = GCESettings

    def check(self, task: Task, settings: GCESettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head without probabilities of single tokens."""
        check_softmax(task, "gce")

    def plan(self, task: Task, settings: GCESettings) -> Sequence[Stage]:  # noqa: ARG002 - every method's
        """One training."""
        return as_given_stages(task)

    def train(self, task: Task, settings: GCESettings, jobs: Jobs) -> Learned:
        """Train the network, and assess labels with it and with its record."""
        job = Job(task.fit(RobustLabels(settings)), task.corpus.tokens, keeps_model=True)
        model = jobs.run(_MODEL, {_MODEL: job})[_MODEL]
        scores = model.record["scores"][model.kept_epoch.epoch]
        return Learned(model, findings_of_model(task, model, remaining_labels(task.corpus, scores, settings)))


METHOD: Final = GeneralisedCrossEntropy()
