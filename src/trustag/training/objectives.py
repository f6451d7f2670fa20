"""What a network is trained towards: an objective gives the loss of a batch; a specification travels and builds it.

Every CRF method for noisy labels is the same loss with another answer to the question which labels a token may have.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from trustag.crf.loss import one_hot_mask
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.models.encoders import Inputs
from trustag.models.heads import HeadOutputs, LabelOutputs, label_outputs
from trustag.models.network import Network
from trustag.training.schedule import FitSchedule


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's sentences: their numbers, given labels (sentences, tokens), what the network reads and says of them.

    ``labels`` are padded with ``NO_LABEL``. ``without_dropout`` runs the network once more on the same inputs, without
    dropout and without gradient.
    """

    sentences: list[int]
    labels: Tensor
    inputs: Inputs
    outputs: HeadOutputs
    without_dropout: Callable[[], HeadOutputs]

    @property
    def mask(self) -> Tensor:
        """True at tokens, false in the padding: (sentences, tokens)."""
        return self.outputs.mask

    @property
    def label_outputs(self) -> LabelOutputs:
        """The outputs of a head that scores labels; an error for any other."""
        return label_outputs(self.outputs)

    def rows(self, corpus: Sequence[Tensor], padding: float = 0.0) -> Tensor:
        """Return what a whole ``corpus`` has for these sentences (tokens, ...), padded: (sentences, tokens, ...)."""
        own = [corpus[sentence] for sentence in self.sentences]
        return pad_sequence(own, batch_first=True, padding_value=padding).to(self.mask.device)


class Objective(Protocol):
    """Gives the loss of each sentence of a batch, and learns when epochs and steps begin and end."""

    def parameters(self) -> Iterable[nn.Parameter]:
        """Return parameters that are trained beside those of the network, such as a confusion matrix."""
        ...

    def networks(self) -> Iterable[Network]:
        """Return networks that are trained beside the one, such as its peer; ``state`` must hold their weights.

        They have learning rates and weight averages like its own.
        """
        ...

    def begin_epoch(self, epoch: int) -> None:
        """Prepare for an epoch, counted from 0; called again when a training resumes inside it."""
        ...

    def before_step(self, step: int, network: Network) -> None:
        """Prepare for a step, counted from 0 over all epochs, such as by refreshing a teacher from ``network``."""
        ...

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence: (sentences,)."""
        ...

    def end_epoch(self, epoch: int) -> dict[str, float]:
        """Return what is worth logging of an epoch."""
        ...

    def state(self) -> dict[str, Tensor]:
        """Return what a checkpoint must hold beside the network, own parameters included."""
        ...

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take the state of a checkpoint."""
        ...

    def record(self, epochs: int) -> dict[str, Tensor]:
        """Return what the objective saw in the first ``epochs`` epochs, for whoever asked for the training."""
        ...


class ObjectiveSpec(Protocol):
    """A frozen value that says which objective to train with; it can be sent to another process."""

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> Objective:
        """Return the objective for training ``network`` on ``corpus``."""
        ...


class StatelessObjective:
    """An objective that is the same in every step: nothing to prepare, to keep or to record."""

    def parameters(self) -> Iterable[nn.Parameter]:
        """No parameters of its own."""
        return ()

    def networks(self) -> Iterable[Network]:
        """No other networks."""
        return ()

    def begin_epoch(self, epoch: int) -> None:
        """Nothing changes from epoch to epoch."""

    def before_step(self, step: int, network: Network) -> None:
        """Nothing changes from step to step."""

    def end_epoch(self, epoch: int) -> dict[str, float]:  # noqa: ARG002 - the protocol's
        """Nothing to log beyond the loss."""
        return {}

    def state(self) -> dict[str, Tensor]:
        """Nothing to keep."""
        return {}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Nothing to take up."""

    def record(self, epochs: int) -> dict[str, Tensor]:  # noqa: ARG002 - the protocol's
        """Nothing was recorded."""
        return {}


@dataclass(frozen=True, slots=True)
class GivenLabels:
    """The plain CRF: every given label is trusted, an unknown one allows everything."""

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "GivenLabelsObjective":  # noqa: ARG002
        """Return the objective; the batches bring the labels."""
        return GivenLabelsObjective()


class GivenLabelsObjective(StatelessObjective):
    """The negative log-likelihood of the given labels."""

    def __call__(self, batch: Batch) -> Tensor:
        """Return the negative log-likelihood of the given labels of each sentence."""
        outputs = batch.label_outputs
        known = one_hot_mask(batch.labels, outputs.logits.shape[-1])
        return outputs.loss(known | (batch.labels == NO_LABEL)[..., None])


@dataclass(frozen=True, slots=True, eq=False)
class WeightedLabels:
    """Every label has a weight at every token (tokens, labels), such as the probability another model gives it."""

    weights: Tensor

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "WeightedLabelsObjective":  # noqa: ARG002
        """Return the objective with the weights of each sentence."""
        return WeightedLabelsObjective(torch.split(self.weights, corpus.lengths))


class WeightedLabelsObjective(StatelessObjective):
    """The partial likelihood in which every label sequence counts by the product of its weights."""

    def __init__(self, weights: tuple[Tensor, ...]) -> None:
        self.weights = weights

    def __call__(self, batch: Batch) -> Tensor:
        """Return the negative logarithm of the expected product of the weights of each sentence."""
        return batch.label_outputs.loss(batch.rows(self.weights, padding=1.0))


@dataclass(frozen=True, slots=True, eq=False)
class SoftLabels:
    """Every label has a probability at every token (tokens, labels); the loss is their cross entropy.

    A network that minimises it gives the same probabilities back, where :class:`WeightedLabels` lets it choose among
    them by its own probabilities.
    """

    probabilities: Tensor

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "SoftLabelsObjective":  # noqa: ARG002
        """Return the objective with the probabilities of each sentence."""
        return SoftLabelsObjective(torch.split(self.probabilities, corpus.lengths))


class SoftLabelsObjective(StatelessObjective):
    """The cross entropy of soft labels."""

    def __init__(self, probabilities: tuple[Tensor, ...]) -> None:
        self.probabilities = probabilities

    def __call__(self, batch: Batch) -> Tensor:
        """Return the cross entropy of each sentence's labels."""
        outputs = batch.label_outputs
        return outputs.expected_loss(batch.rows(self.probabilities).to(outputs.logits))
