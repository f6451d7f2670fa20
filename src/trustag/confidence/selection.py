"""Which labels to trust: the most confident of each group, fewer of them as training goes on (equation 5)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.noise_rates.rates import NoiseRates
from trustag.seeded_random import SeededRandom
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE

Schedule: TypeAlias = Literal["stepped", "smooth"]
Rounding: TypeAlias = Literal["floor", "nearest", "stochastic"]


@dataclass(frozen=True, slots=True)
class Groups:
    """Labels that are ranked among each other: the group of each label, and the noise rate of each group.

    ``O`` is ranked apart from entity labels, whose confidence is lower; types or labels that differ in reliability are
    groups of their own.
    """

    of_label: Tensor
    rates: tuple[float, ...]

    def of(self, given: Tensor) -> Tensor:
        """Return the group of each label number, -1 where the label is unknown (negative)."""
        return torch.where(given >= 0, self.of_label[given.clamp(min=0)], -1)


def label_groups(labels: LabelSet, rates: NoiseRates) -> Groups:
    """Return the groups that ``rates`` tells apart.

    >>> label_groups(LabelSet(("PER",), "BI"), NoiseRates(0.1, 0.2))
    Groups(of_label=tensor([0, 1, 1]), rates=(0.1, 0.2))
    """
    names = [rates.group(label) for label in labels if label != OUTSIDE]
    place = {name: 1 + number for number, name in enumerate(dict.fromkeys(names))}
    numbers = [0, *(place[name] for name in names)]
    return Groups(
        torch.tensor(numbers), (rates.negative, *(rates.by_group.get(name, rates.positive) for name in place))
    )


def drop_ratio(rate: float, epoch: int, ramp: int, schedule: Schedule) -> float:
    """Return the share of a group that is not trusted in ``epoch`` (from 0), rising to ``rate`` (eq. 5).

    ``stepped`` drops nothing in the first epoch and reaches the rate in epoch number ``ramp``, as the published code
    does; ``smooth`` begins at once and reaches it then too, as the text says.

    >>> [round(drop_ratio(0.3, epoch, 4, "stepped"), 2) for epoch in range(5)]
    [0.0, 0.1, 0.2, 0.3, 0.3]
    >>> [round(drop_ratio(0.3, epoch, 3, "smooth"), 2) for epoch in range(4)]
    [0.1, 0.2, 0.3, 0.3]
    """
    if epoch + 1 >= ramp:
        return rate
    return rate * epoch / (ramp - 1) if schedule == "stepped" else rate * (epoch + 1) / ramp


def kept_count(size: int, ratio: float, rounding: Rounding, rng: SeededRandom | None = None) -> int:
    """Return how many of ``size`` labels stay trusted when a share of ``ratio`` goes.

    The published code rounds down, and keeps all when that leaves none, so that small groups lose more than their
    share; ``nearest`` and ``stochastic`` (which needs ``rng``) do not.

    >>> [kept_count(size, 0.15, "floor") for size in (1, 2, 10, 100)]
    [1, 1, 8, 85]
    >>> [kept_count(size, 0.15, "nearest") for size in (1, 2, 10, 100)]
    [1, 2, 8, 85]
    """
    kept = round(size * (1 - ratio), 9)
    if rounding == "floor":
        return math.floor(kept) or size
    if rounding == "stochastic":
        if rng is None:
            raise ValueError("stochastic rounding needs rng")
        return math.floor(kept) + int(rng.fraction() < kept % 1)
    return round(kept)


@dataclass(frozen=True, slots=True)
class Dropping:
    """How many labels of each group are dropped: in the end a share of its rate, after ``ramp`` epochs."""

    groups: Groups
    ramp: int
    schedule: Schedule = "stepped"
    rounding: Rounding = "nearest"


def ranked_labels(
    scores: Tensor, given: Tensor, dropping: Dropping, epoch: int, rng: SeededRandom | None = None
) -> Tensor:
    """Return which labels stay trusted by ``scores`` in ``epoch`` (eq. 5); ``given`` are label indices, all (tokens,).

    Tokens with a negative index are never ranked and never trusted.
    """
    groups = dropping.groups.of(given)
    keep = []
    for group, rate in enumerate(dropping.groups.rates):
        ratio = drop_ratio(rate, epoch, dropping.ramp, dropping.schedule)
        keep.append(kept_count(int((groups == group).sum()), ratio, dropping.rounding, rng))
    return most_confident(scores, groups, keep)


def most_confident(scores: Tensor, groups: Tensor, keep: Sequence[int]) -> Tensor:
    """Tell which tokens are among the ``keep[g]`` most confident of their group ``g``, all of one dimension.

    Tokens of a negative group are never ranked and never kept. Between equal scores the earlier token is kept.

    >>> most_confident(torch.tensor([0.9, 0.2, 0.5, 0.1]), torch.tensor([0, 0, 0, 1]), (2, 1)).tolist()
    [True, False, True, True]
    """
    kept = torch.zeros(scores.shape, dtype=torch.bool, device=scores.device)
    for group, count in enumerate(keep):
        (members,) = (groups == group).nonzero(as_tuple=True)
        order = scores[members].argsort(descending=True, stable=True)
        kept[members[order[:count]]] = True
    return kept
