"""BOND (Liang et al., 2020): a short training on the labels as given, then a student that learns from its own teacher.

Stage one stops before the model fits the noise. In stage two the given labels are not used any more: a teacher, the
student as it was some steps ago, says which label each token has, and the student learns that. Soft labels are
sharpened and weighed against frequent labels, and only tokens of which the teacher is sure are learned; hard labels are
its best ones.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import torch
from pydantic import Field
from torch import Tensor
from torch.nn.functional import cross_entropy

from trustag.crf import one_hot_mask
from trustag.crossfit.model_findings import findings_of_model
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.base import Learned, check_softmax
from trustag.models.heads import label_outputs
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.models.warm_start import WarmStart
from trustag.recipes.sections import Count, CountOrNone, Section, Share
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import Batch, GivenLabels, StatelessObjective
from trustag.training.schedule import FitSchedule
from trustag.training.second_networks import network_state, restore_network, second_network
from trustag.training.stages import Stage
from trustag.training.task import Task

_ONE: Final = "stage-one"
_TWO: Final = "stage-two"
_TEACHER: Final = "teacher."
_REFRESHES: Final = 10


class BONDSettings(Section):
    """The two stages, and what the student learns from its teacher."""

    early_epochs: Count = Field(
        default=4, description="epochs of stage one, out of training.epochs; its best epoch on dev goes on"
    )
    student_epochs: CountOrNone = Field(
        default=12, description="epochs of stage two, out of training.epochs; 0: stage one alone"
    )
    pseudo_labels: Literal["soft", "hard"] = Field(
        default="soft", description="the student learns sharpened probabilities of its teacher, or its best labels"
    )
    threshold: Share = Field(default=0.9, description="soft labels that are less sure are not learned")
    period: CountOrNone = Field(
        default=0, description="steps until the student becomes the new teacher; 0: a tenth of those of stage two"
    )
    divergence: Literal["softmax", "logits"] = Field(
        default="softmax",
        description="what the divergence of soft labels is from; logits: no softmax, as published",
    )


@dataclass(frozen=True, slots=True)
class TaughtLabels:
    """The labels that a teacher gives, which is built like ``network``; reviewed labels are learned as they are."""

    network: NetworkSpec
    settings: BONDSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "TaughtLabelsObjective":
        """Return the objective with a teacher that gets the weights of the student before the first step."""
        teacher = second_network(self.network, corpus, network, schedule.seed)
        steps = schedule.epochs * -(-len(corpus) // schedule.batch_size)
        period = self.settings.period or max(1, steps // _REFRESHES)
        return TaughtLabelsObjective(corpus, teacher.eval(), self.settings, period)


class TaughtLabelsObjective(StatelessObjective):
    """The loss of the teacher's labels, a mean over the tokens of a batch that are learned."""

    def __init__(self, corpus: EncodedCorpus, teacher: Network, settings: BONDSettings, period: int) -> None:
        self.teacher = teacher
        self.settings = settings
        self.period = period
        self.reviewed = torch.split(corpus.reviewed, corpus.lengths)

    def before_step(self, step: int, network: Network) -> None:
        """Let the student be the new teacher now and then."""
        if step % self.period == 0:
            self.teacher.load_state_dict(network.state_dict())

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence; the mean over sentences is that over all learned tokens."""
        mask = batch.mask
        with torch.no_grad():
            taught = label_outputs(self.teacher.outputs(batch.inputs, mask)).logits[mask].softmax(-1)
        certain = batch.rows(self.reviewed).bool()[mask]
        known = one_hot_mask(batch.labels[mask], taught.shape[-1]).to(taught.dtype)
        logits = batch.label_outputs.logits
        losses, learned = taught_losses(logits[mask], taught, torch.where(certain[:, None], known, 0.0), self.settings)
        table = logits.new_zeros(mask.shape)
        table[mask] = losses
        return table.sum(1) * (len(mask) / learned.sum().clamp(min=1))

    def state(self) -> dict[str, Tensor]:
        """Return the weights of the teacher."""
        return network_state(self.teacher, _TEACHER)

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the teacher of a checkpoint."""
        restore_network(self.teacher, _TEACHER, state)


def soft_labels(taught: Tensor) -> Tensor:
    """Return sharpened probabilities (tokens, labels): squared, and weighed against labels that are frequent."""
    weighed = taught**2 / taught.sum(0).clamp(min=torch.finfo(taught.dtype).tiny)
    return weighed / weighed.sum(-1, keepdim=True).clamp(min=torch.finfo(taught.dtype).tiny)


def taught_losses(logits: Tensor, taught: Tensor, certain: Tensor, settings: BONDSettings) -> tuple[Tensor, Tensor]:
    """Return the loss of each token (tokens,), zero where it is not learned, and which are learned (tokens,).

    ``logits`` are the student's, ``taught`` the teacher's probabilities, (tokens, labels) both; rows of ``certain``
    that have a one are labels that are known.
    """
    is_certain = certain.sum(-1) > 0
    if settings.pseudo_labels == "hard":
        best = torch.where(is_certain, certain.argmax(-1), taught.argmax(-1))
        return cross_entropy(logits, best, reduction="none"), torch.ones_like(is_certain)
    targets = torch.where(is_certain[:, None], certain, soft_labels(taught))
    learned = targets.amax(-1) > settings.threshold
    entropy = torch.special.entr(targets).sum(-1)
    if settings.divergence == "logits":
        losses = (-(targets * logits).sum(-1) - entropy) / targets.shape[-1]
    else:
        losses = -(targets * logits.log_softmax(-1)).sum(-1) - entropy
    return losses.masked_fill(~learned, 0.0), learned


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
        purpose = "One model learns from the labels as given, and stops before it knows them by heart."
        stages = [Stage(_ONE, "Stage one", purpose, 1, whole.lasting(settings.early_epochs).schedule.epochs)]
        if settings.student_epochs:
            purpose = "It goes on with the labels that it believes itself."
            epochs = whole.lasting(settings.student_epochs).schedule.epochs
            stages.append(Stage(_TWO, "Stage two", purpose, 1, epochs))
        return stages

    def train(self, task: Task, settings: BONDSettings, jobs: Jobs) -> Learned:
        """Train both stages and keep the better model on dev, without dev that of stage two."""
        tokens = task.corpus.tokens
        first = task.fit(GivenLabels()).lasting(settings.early_epochs)
        one = jobs.run(_ONE, {_ONE: Job(first, tokens, keeps_model=True)})[_ONE]
        model, compared = one, {}
        if settings.student_epochs:
            second = task.fit(TaughtLabels(task.network, settings)).lasting(settings.student_epochs)
            job = Job(replace(second, start=WarmStart(one.model)), tokens, keeps_model=True)
            two = jobs.run(_TWO, {_TWO: job})[_TWO]
            model, compared = _better(one, two), {_ONE: one, _TWO: two}
        reason = "it has the best dev F1" if task.dev else "without dev the last stage is kept"
        kept = {"name": _ONE if model is one else _TWO, "reason": reason}
        return Learned(model, findings_of_model(task, model), compared, facts={"kept": kept})


def _better(one: FitResult, two: FitResult) -> FitResult:
    if one.dev_f1 is None or two.dev_f1 is None:
        return two
    return two if two.dev_f1 >= one.dev_f1 else one


METHOD: Final = BOND()
