"""Labels that never occur and that nothing trains, whose scores the published code leaves in its softmax."""

import math
from functools import lru_cache
from typing import Final

import torch
from torch import Tensor

from trustag.seeded_random import SeededRandom

IDLE_LABELS: Final = 3
"""The published code numbers padding, start and end among the labels."""


def idle_scores(features: Tensor, seed: int) -> Tensor:
    """Return the score of each idle label at each token: a projection of its features that stays as it was drawn."""
    table = _drawn(features.shape[-1], seed).to(features)
    return torch.nn.functional.linear(features.detach(), table[:, 1:], table[:, 0])


@lru_cache(maxsize=8)
def _drawn(width: int, seed: int) -> Tensor:
    """Return bias and weights of each idle label, spread as torch spreads those of a fresh layer."""
    rng = SeededRandom(seed, "idle labels")
    numbers = [(2 * rng.fraction() - 1) / math.sqrt(width) for _ in range(IDLE_LABELS * (width + 1))]
    return torch.tensor(numbers).view(IDLE_LABELS, width + 1)
