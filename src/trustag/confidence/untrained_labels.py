"""Labels that never occur and that nothing trains, whose scores the published code leaves in its softmax."""

import math
from functools import lru_cache
from typing import Final

import torch
from torch import Tensor

from trustag.seeded_random import SeededRandom

UNTRAINED_LABELS: Final = 3
"""The published code numbers padding, start and end among the labels."""


def untrained_logits(features: Tensor, seed: int) -> Tensor:
    """Return the logit of each untrained label at each token: a fixed random projection of its features."""
    table = _drawn(features.shape[-1], seed).to(features)
    return torch.nn.functional.linear(features.detach(), table[:, 1:], table[:, 0])


@lru_cache(maxsize=8)
def _drawn(width: int, seed: int) -> Tensor:
    """Return bias and weights of each untrained label, spread as torch spreads those of a fresh layer."""
    rng = SeededRandom(seed, "idle labels")
    numbers = [(2 * rng.fraction() - 1) / math.sqrt(width) for _ in range(UNTRAINED_LABELS * (width + 1))]
    return torch.tensor(numbers).view(UNTRAINED_LABELS, width + 1)
