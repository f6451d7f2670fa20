"""What a network is trained towards: the loss of a batch under the labels that an objective still allows."""

from dataclasses import dataclass
from typing import Protocol

from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.loss import exactly, partial_loss
from trustag.models.numbered import NO_LABEL


@dataclass(frozen=True, slots=True)
class Scored:
    """A batch and what the network says of it: sentence numbers, given labels (padded), mask, emissions, chain."""

    sentences: list[int]
    labels: Tensor
    mask: Tensor
    emissions: Tensor
    chain: Chain


class Objective(Protocol):
    """Gives the loss of each sentence of a batch, and hears when an epoch begins."""

    def begin_epoch(self, epoch: int) -> None:
        """Prepare for an epoch, counted from 0."""
        ...

    def __call__(self, batch: Scored) -> Tensor:
        """Return the loss of each sentence."""
        ...


class GivenLabels:
    """The plain CRF: every given label is trusted, an unknown one allows everything."""

    def begin_epoch(self, epoch: int) -> None:
        """Nothing changes from epoch to epoch."""

    def __call__(self, batch: Scored) -> Tensor:
        """Return the negative log-likelihood of the given labels of each sentence."""
        allowed = exactly(batch.labels, batch.chain.label_count) | (batch.labels == NO_LABEL)[..., None]
        return partial_loss(batch.emissions, batch.chain, batch.mask, allowed).loss
