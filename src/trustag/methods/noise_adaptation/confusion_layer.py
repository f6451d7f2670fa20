"""Confusion matrices: the layer that learns one, what follows from it, and where it starts."""

from typing import Final

import torch
from torch import Tensor, nn

from trustag.crf import one_hot_mask
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.seeded_random import SeededRandom

_SMALLEST: Final = 1e-8


class ConfusionLayer(nn.Module):
    """``log theta``, rows clean and columns noisy, ``start`` before training; a function of features if ``width``."""

    def __init__(self, start: Tensor, width: int = 0) -> None:
        super().__init__()
        self.bias = nn.Parameter((start + _SMALLEST).log())
        self.weight = nn.Parameter(start.new_zeros(*start.shape, width)) if width else None

    def randomise(self, seed: int) -> None:
        """Start from weights that are drawn as those of a linear layer are, as Mayhew et al. do."""
        draw = torch.Generator().manual_seed(SeededRandom(seed, "confusion layer").below(2**31))
        width = len(self.bias) if self.weight is None else self.weight.shape[-1]
        for weight in self.parameters():
            nn.init.uniform_(weight, -(width**-0.5), width**-0.5, generator=draw)

    def forward(self, features: Tensor) -> Tensor:
        """Return the matrix of each token (tokens, labels, labels) for ``features`` (tokens, width)."""
        by_feature = 0.0 if self.weight is None else torch.einsum("tw,ijw->tij", features, self.weight)
        return (self.bias + by_feature).log_softmax(-1).expand(len(features), -1, -1)


def noisy_log_likelihood(log_clean: Tensor, log_confusion: Tensor, noisy: Tensor) -> Tensor:
    """Return ``log sum_i theta_ij p_i`` of the label ``j`` in ``noisy`` (tokens,) of each token: (tokens,).

    ``log_clean`` (tokens, labels) is ``log p``, ``log_confusion`` (tokens, labels, labels) ``log theta``.
    """
    column = log_confusion.gather(2, noisy[:, None, None].expand(-1, log_confusion.shape[1], 1)).squeeze(2)
    return (log_clean + column).logsumexp(-1)


def clean_posterior(clean: Tensor, matrix: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return ``p(clean | x, noisy)`` of every token (tokens, labels), from ``clean`` (tokens, labels) and ``matrix``.

    A reviewed label is certain; where a label is unknown, ``p(clean | x)`` is all that is known.
    """
    joint = clean * matrix.T[corpus.label_ids.clamp(min=0)]
    found = torch.where((corpus.label_ids == NO_LABEL)[:, None], clean, joint).clamp(min=torch.finfo(clean.dtype).tiny)
    certain = one_hot_mask(corpus.label_ids, len(corpus.labels)).to(clean.dtype)
    return torch.where(corpus.reviewed[:, None], certain, found / found.sum(-1, keepdim=True))


def identity_start(labels: int, epsilon: float) -> Tensor:
    """Return the identity (labels, labels) with the share ``epsilon`` of each row spread over all labels."""
    return (1 - epsilon) * torch.eye(labels) + epsilon / labels


def counted_start(clean: Tensor, noisy: Tensor, otherwise: Tensor) -> Tensor:
    """Return the shares of pairs of label indices (tokens,) in the rows of a matrix like ``otherwise``.

    Indices of unknown labels, outside the matrix, are not counted. A row without counts is that of ``otherwise``.
    """
    size = len(otherwise)
    valid = (clean >= 0) & (clean < size) & (noisy >= 0) & (noisy < size)
    counts = torch.bincount(clean[valid] * size + noisy[valid], minlength=size * size).view(size, size)
    totals = counts.sum(1, keepdim=True)
    return torch.where(totals > 0, counts / totals.clamp(min=1), otherwise)
