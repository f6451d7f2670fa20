"""The parameters of a linear-chain CRF apart from the emissions, and the checks that every batch passes."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from trustag.crf.tensor_types import Allowed, Emissions, LabelScores, Mask, Transitions


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Scores of transitions (labels, labels), of first labels (labels,) and of last labels (labels,).

    The score of a label path is its start score, its end score and the sum of its emissions and transitions. Minus
    infinity forbids a transition, a start or an end: paths through it have a probability of exactly zero.
    """

    transitions: Transitions
    start: LabelScores
    end: LabelScores

    def __post_init__(self) -> None:
        labels = self.start.shape[0]
        if self.transitions.shape != (labels, labels) or self.start.shape != (labels,) or self.end.shape != (labels,):
            raise ValueError(
                f"transitions of shape {tuple(self.transitions.shape)} need start and end of one dimension and equal"
                f" size, found {tuple(self.start.shape)} and {tuple(self.end.shape)}"
            )

    @property
    def label_count(self) -> int:
        """The number of labels."""
        return self.start.shape[0]

    def at(self, temperature: float) -> "Chain":
        """Return the chain with all scores divided by ``temperature``; forbidden transitions stay forbidden."""
        return Chain(self.transitions / temperature, self.start / temperature, self.end / temperature)

    def to(self, dtype: torch.dtype) -> "Chain":
        """Return the chain in another precision, detached from the autograd graph."""
        return Chain(self.transitions.detach().to(dtype), self.start.detach().to(dtype), self.end.detach().to(dtype))


def mean_chain(chains: Sequence[Chain]) -> Chain:
    """Return the chain whose scores are the means of those of ``chains``."""
    return Chain(
        torch.stack([chain.transitions for chain in chains]).mean(0),
        torch.stack([chain.start for chain in chains]).mean(0),
        torch.stack([chain.end for chain in chains]).mean(0),
    )


def check_batch(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> bool:
    """Return whether the batch contains padding; raise if shapes do not match or padding precedes a token.

    Expects emissions and allowed labels (sentences, tokens, labels) and a mask (sentences, tokens).
    """
    sentences, tokens, labels = emissions.shape
    if sentences == 0 or tokens == 0:
        raise ValueError(f"emissions of shape {tuple(emissions.shape)} contain no token")
    if labels != chain.label_count:
        raise ValueError(f"emissions over {labels} labels for a chain of {chain.label_count}")
    if mask.shape != (sentences, tokens):
        raise ValueError(f"a mask of shape {tuple(mask.shape)} for emissions of shape {tuple(emissions.shape)}")
    if allowed is not None:
        if allowed.shape != emissions.shape:
            raise ValueError(
                f"allowed labels of shape {tuple(allowed.shape)} for emissions of shape {tuple(emissions.shape)}"
            )
        if allowed.dtype != torch.bool:
            _check_weights(allowed, mask)
    ragged = not bool(mask.all())
    if ragged:
        _check_padding(mask)
    return ragged


def _check_weights(weights: torch.Tensor, mask: Mask) -> None:
    valid = weights.ge(0).logical_and_(weights.isfinite()).logical_or_(~mask[..., None])
    if not bool(valid.all()):
        sentence, token, label = (~valid).nonzero()[0].tolist()
        found = weights[sentence, token, label].item()
        raise ValueError(
            f"weights must be finite and at least zero, found {found} at sentence {sentence}, token {token},"
            f" label {label}"
        )


def _check_padding(mask: Mask) -> None:
    filled = mask[:, 0]
    if not bool(filled.all()):
        raise ValueError(f"sentence {(~filled).nonzero()[0].item()} of the batch has no token, or padding before it")
    resumed = mask[:, 1:] & ~mask[:, :-1]
    if bool(resumed.any()):
        raise ValueError(f"sentence {resumed.nonzero()[0, 0].item()} of the batch has padding between its tokens")
