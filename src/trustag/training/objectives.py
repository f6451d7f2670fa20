"""What a network is trained towards: the loss of a batch under the labels that an objective still allows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.loss import log_partition, one_hot_mask, partial_loss
from trustag.data.encoded_corpus import NO_LABEL


@dataclass(frozen=True, slots=True)
class Pass:
    """One reading of a batch: the features of its tokens, and the score of each label that follows from them."""

    features: Tensor
    emissions: Tensor


@dataclass(frozen=True, slots=True)
class Scored:
    """A batch and what the network says of it: sentence numbers, given labels (padded), mask, reading, chain.

    ``clean_reading`` reads the batch once more, without dropout.
    """

    sentences: list[int]
    labels: Tensor
    mask: Tensor
    reading: Pass
    chain: Chain
    clean_reading: Callable[[], Pass]

    @property
    def emissions(self) -> Tensor:
        """The label scores that are trained."""
        return self.reading.emissions


class Objective(Protocol):
    """Gives the loss of each sentence of a batch, and hears when an epoch begins and ends."""

    def begin_epoch(self, epoch: int) -> None:
        """Prepare for an epoch, counted from 0; told again when a training resumes inside it."""
        ...

    def __call__(self, batch: Scored) -> Tensor:
        """Return the loss of each sentence."""
        ...

    def end_epoch(self, epoch: int) -> dict[str, float]:
        """Return what is worth logging of an epoch."""
        ...

    def state(self) -> dict[str, Tensor]:
        """Return what a checkpoint must hold beside the network."""
        ...

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take the state of a checkpoint."""
        ...


class Memoryless:
    """An objective that is the same in every epoch."""

    def begin_epoch(self, epoch: int) -> None:
        """Nothing changes from epoch to epoch."""

    def end_epoch(self, epoch: int) -> dict[str, float]:  # noqa: ARG002 - the protocol's
        """Nothing to log beyond the loss."""
        return {}

    def state(self) -> dict[str, Tensor]:
        """Nothing to remember."""
        return {}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Nothing to remember."""


class GivenLabels(Memoryless):
    """The plain CRF: every given label is trusted, an unknown one allows everything."""

    def __call__(self, batch: Scored) -> Tensor:
        """Return the negative log-likelihood of the given labels of each sentence."""
        allowed = one_hot_mask(batch.labels, batch.chain.label_count) | (batch.labels == NO_LABEL)[..., None]
        return partial_loss(batch.emissions, batch.chain, batch.mask, allowed).loss


class WeightedLabels(Memoryless):
    """Every label has a weight at every token, such as the probability another model gives it."""

    def __init__(self, weights: Sequence[Tensor]) -> None:
        self.weights = weights

    def __call__(self, batch: Scored) -> Tensor:
        """Return the negative logarithm of the expected product of the weights of each sentence."""
        rows = [self.weights[sentence] for sentence in batch.sentences]
        weights = torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True, padding_value=1.0)
        return partial_loss(batch.emissions, batch.chain, batch.mask, weights.to(batch.emissions.device)).loss


class ExpectedLabels(Memoryless):
    """Every label has a probability at every token; the loss is the mean over labellings drawn token by token.

    A network that minimises it gives the same probabilities back, where :class:`WeightedLabels` lets it choose among
    them by what it believes itself.
    """

    def __init__(self, probabilities: Sequence[Tensor]) -> None:
        self.probabilities = probabilities

    def __call__(self, batch: Scored) -> Tensor:
        """Return the cross entropy of each sentence's labels."""
        rows = [self.probabilities[sentence] for sentence in batch.sentences]
        expected = torch.nn.utils.rnn.pad_sequence(list(rows), batch_first=True).to(batch.emissions)
        chain = batch.chain
        # Moves that are ruled out have no finite score; drawn token by token they occur, along a path they do not.
        moves = chain.transitions.masked_fill(chain.transitions.isinf(), 0)
        last = expected[torch.arange(len(rows)), batch.mask.sum(1) - 1]
        score = (
            (expected * batch.emissions).sum((1, 2))
            + ((expected[:, :-1] @ moves) * expected[:, 1:]).sum((1, 2))
            + expected[:, 0] @ chain.start.masked_fill(chain.start.isinf(), 0)
            + last @ chain.end.masked_fill(chain.end.isinf(), 0)
        )
        return log_partition(batch.emissions, chain, batch.mask).to(score.dtype) - score
