"""Noise rates of visible labels and of all labels: those hidden from every model are taken to be wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from trustag.noise_rates.rates import NoiseRates
from trustag.text.label_sets import LabelSet


def visible_rates(rates: NoiseRates, label_ids: Tensor, hidden: Tensor, labels: LabelSet) -> NoiseRates:
    """Return the noise rates of the labels that models see, if ``rates`` are those of all ``label_ids`` (tokens,).

    Labels that are ``hidden`` (tokens,) from every model are taken to be wrong; the others are so much better.
    """

    def rest(rate: float, visible: int, hidden: int) -> float:
        return max(0.0, rate * (visible + hidden) - hidden) / max(1, visible)

    return _by_group(rates, label_ids, hidden, labels, rest)


def all_rates(rates: NoiseRates, label_ids: Tensor, hidden: Tensor, labels: LabelSet) -> NoiseRates:
    """Return the noise rates of all ``label_ids`` (tokens,), if ``rates`` are those of the visible ones."""

    def joined(rate: float, visible: int, hidden: int) -> float:
        return (rate * visible + hidden) / max(1, visible + hidden)

    return _by_group(rates, label_ids, hidden, labels, joined)


def _by_group(
    rates: NoiseRates, label_ids: Tensor, hidden: Tensor, labels: LabelSet, change: Callable[[float, int, int], float]
) -> NoiseRates:
    """Return the rates, each changed by how many labels of its group are visible and how many are hidden."""
    if not hidden.any():
        return rates

    def of(rate: float, chosen: Tensor) -> float:
        return change(rate, int((chosen & ~hidden).sum()), int((chosen & hidden).sum()))

    by_group = {}
    for group, rate in rates.by_group.items():
        own = [index for index, label in enumerate(labels) if index and rates.group(label) == group]
        by_group[group] = of(rate, torch.isin(label_ids, torch.tensor(own)))
    return NoiseRates(of(rates.negative, label_ids == 0), of(rates.positive, label_ids > 0), by_group)
