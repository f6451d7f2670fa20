"""What a student learns from its teacher, which is the student as it was some steps ago."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from trustag.crf import one_hot_mask
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.bond.settings import BONDSettings
from trustag.models.heads import label_outputs
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule
from trustag.training.second_networks import network_state, restore_network, second_network

_TEACHER: Final = "teacher."
_REFRESHES: Final = 10


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
