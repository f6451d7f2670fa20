"""Oracles that share no code with the CRF: enumeration of all label paths, and a plain forward algorithm."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.testing import assert_close

from trustag.crf import Chain


@dataclass(frozen=True)
class Batch:
    """A batch of sentences small enough to enumerate."""

    emissions: Tensor
    chain: Chain
    mask: Tensor
    allowed: Tensor

    @property
    def lengths(self) -> list[int]:
        lengths: list[int] = self.mask.sum(1).tolist()
        return lengths

    @property
    def label_count(self) -> int:
        return self.emissions.shape[2]


@dataclass(frozen=True)
class AllPaths:
    """All label paths of one sentence (paths, tokens), and the score of each (paths,)."""

    labels: Tensor
    scores: Tensor

    def log_partition(self) -> Tensor:
        return log_sum_exp(self.scores)

    def probabilities(self) -> Tensor:
        return (self.scores - self.log_partition()).exp()

    def score_of(self, labels: Tensor) -> Tensor:
        return self.scores[(self.labels == labels).all(1)][0]

    def token_marginals(self, label_count: int) -> Tensor:
        one_hot = torch.nn.functional.one_hot(self.labels, label_count).double()
        return torch.einsum("p,ptl->tl", self.probabilities(), one_hot)

    def pair_marginals(self, label_count: int) -> Tensor:
        one_hot = torch.nn.functional.one_hot(self.labels, label_count).double()
        return torch.einsum("p,pti,ptj->tij", self.probabilities(), one_hot[:, :-1], one_hot[:, 1:])


def log_sum_exp(scores: Tensor) -> Tensor:
    """Like ``torch.logsumexp``, but with a gradient of zero instead of NaN where all scores are minus infinity."""
    possible = scores[scores > -torch.inf]
    return torch.logsumexp(possible, 0) if len(possible) else scores.new_tensor(-torch.inf)


def all_paths(batch: Batch, sentence: int, allowed: Tensor | None = None) -> AllPaths:
    """Enumerate the paths of a sentence; scores are in double precision and differentiable."""
    length = batch.lengths[sentence]
    grids = torch.meshgrid(*[torch.arange(batch.label_count)] * length, indexing="ij")
    labels = torch.stack([grid.flatten() for grid in grids], 1)
    emissions = batch.emissions[sentence, :length].double()
    chain = batch.chain
    scores = chain.start.double()[labels[:, 0]] + chain.end.double()[labels[:, -1]]
    scores = scores + emissions[torch.arange(length), labels].sum(1)
    scores = scores + chain.transitions.double()[labels[:, :-1], labels[:, 1:]].sum(1)
    if allowed is not None:
        weights = allowed[sentence, :length].double()[torch.arange(length), labels]
        scores = scores + weights.log().sum(1)
    return AllPaths(labels, scores)


def each_sentence(batch: Batch, allowed: Tensor | None = None) -> list[AllPaths]:
    return [all_paths(batch, sentence, allowed) for sentence in range(len(batch.emissions))]


def enumerated_loss(batch: Batch) -> Tensor:
    everything, inside = each_sentence(batch), each_sentence(batch, batch.allowed)
    return torch.stack([a.log_partition() - b.log_partition() for a, b in zip(everything, inside, strict=True)])


def padded(rows: Sequence[Tensor], like: Tensor) -> Tensor:
    """Pad one row per sentence with zeros to the shape of ``like``."""
    filled = torch.zeros_like(like, dtype=torch.float64)
    for sentence, row in enumerate(rows):
        filled[sentence, : len(row)] = row
    return filled


def assert_near(found: Tensor | float, expected: Tensor | float, tolerance: float = 1e-9) -> None:
    """Assert that two results agree up to rounding, relative to their size above one."""
    assert_close(found, expected, atol=tolerance, rtol=tolerance)


def plain_log_partition(emissions: Tensor, chain: Chain, allowed: Tensor | None = None) -> Tensor:
    """Return the log-partition of one unpadded sentence by the forward algorithm, differentiable."""
    scores = emissions if allowed is None else emissions + allowed.to(emissions.dtype).log()
    reached = chain.start + scores[0]
    for own in scores[1:]:
        reached = torch.logsumexp(reached[:, None] + chain.transitions, 0) + own
    return torch.logsumexp(reached + chain.end, 0)
