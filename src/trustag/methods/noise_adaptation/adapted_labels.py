"""The objective of noise adaptation: noisy labels are clean ones behind a confusion layer."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.noise_adaptation.confusion_layer import ConfusionLayer, noisy_log_likelihood
from trustag.methods.noise_adaptation.settings import NoiseAdaptationSettings
from trustag.models.network import Network
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule

_SMALLEST: Final = 1e-8


@dataclass(frozen=True, slots=True, eq=False)
class AdaptedLabels:
    """Given labels are noisy versions of clean ones, by a confusion matrix that is learned from ``start`` on."""

    start: Tensor
    settings: NoiseAdaptationSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "AdaptedLabelsObjective":
        """Return the objective with its confusion layer on the device of ``network``."""
        width = int(network.encoder.width) if self.settings.layer == "feature" else 0  # type: ignore[arg-type]
        layer = ConfusionLayer(self.start, width)
        if self.settings.start == "random":
            layer.randomise(schedule.seed)
        layer.to(network.device)
        return AdaptedLabelsObjective(
            corpus, layer, self.settings.anchor, schedule.stretched(self.settings.frozen_epochs)
        )


class AdaptedLabelsObjective(StatelessObjective):
    """The negative log-likelihood of noisy labels through a confusion layer; reviewed labels are clean.

    It records the matrix at the end of every epoch, (epochs, labels, labels): where that depends on features, its mean
    over the tokens of the epoch, each row weighted by the probability of its clean label.
    """

    def __init__(self, corpus: EncodedCorpus, layer: ConfusionLayer, anchor: float, frozen_epochs: int) -> None:
        self.layer = layer
        self.anchor = anchor
        self.frozen_epochs = frozen_epochs
        self.reviewed = torch.split(corpus.reviewed, corpus.lengths)
        size = len(layer.bias)
        self.matrices = torch.empty(0, size, size)
        self.expected = torch.zeros(size, size, dtype=torch.double)

    def parameters(self) -> Iterable[nn.Parameter]:
        """Return those of the confusion layer."""
        return self.layer.parameters()

    def begin_epoch(self, epoch: int) -> None:
        """Freeze the matrix in the first epochs: a tagger that knows nothing would let it explain every label."""
        self.layer.requires_grad_(epoch >= self.frozen_epochs)

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence (sentences,); unknown labels add nothing."""
        known = batch.labels != NO_LABEL
        labels = batch.labels[known]
        log_clean = batch.label_outputs.logits.log_softmax(-1)[known]
        log_confusion = self.layer(batch.outputs.features[known])
        reviewed = batch.rows(self.reviewed)[known]
        if self.layer.weight is not None:
            noisy = log_clean.detach()[~reviewed].exp().double(), log_confusion.detach()[~reviewed].exp().double()
            self.expected += torch.einsum("ti,tij->ij", *noisy).cpu()
        as_clean = log_clean.gather(1, labels[:, None]).squeeze(1)
        as_noisy = noisy_log_likelihood(log_clean, log_confusion, labels)
        trace = log_confusion.diagonal(dim1=1, dim2=2).exp().sum(-1)
        losses = log_clean.new_zeros(known.shape)
        losses[known] = -torch.where(reviewed, as_clean, as_noisy) - self.anchor * trace
        return losses.sum(1)

    def end_epoch(self, epoch: int) -> dict[str, float]:  # noqa: ARG002 - the protocol's
        """Record the matrix and return how much of the ``O`` labels and of the entity labels it leaves as they are."""
        if self.layer.weight is None:
            matrix = self.layer.bias.detach().softmax(-1).cpu()
        else:
            matrix = (self.expected / self.expected.sum(1, keepdim=True).clamp(min=_SMALLEST)).float()
        self.matrices = torch.cat([self.matrices, matrix[None]])
        self.expected = torch.zeros_like(self.expected)
        diagonal = matrix.diagonal()
        return {"unchanged_negative": float(diagonal[0]), "unchanged_positive": float(diagonal[1:].mean())}

    def state(self) -> dict[str, Tensor]:
        """Return the confusion layer and the record so far."""
        own = {f"layer.{name}": weight for name, weight in self.layer.state_dict().items()}
        return {**own, "matrices": self.matrices, "expected": self.expected}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the layer and the record of a checkpoint."""
        self.layer.load_state_dict({name: state[f"layer.{name}"] for name in self.layer.state_dict()})
        self.matrices, self.expected = state["matrices"], state["expected"]

    def record(self, epochs: int) -> dict[str, Tensor]:
        """Return the matrix at the end of each of the first ``epochs`` epochs: (epochs, labels, labels)."""
        return {"matrices": self.matrices[:epochs]}
