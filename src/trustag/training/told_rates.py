"""Noise rates of the labels that models are told, and of all labels: those that nobody is told are taken for wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from trustag.confidence.selection import NoiseRates
from trustag.text.label_sets import LabelSet


def told_rates(rates: NoiseRates, given: Tensor, untold: Tensor, labels: LabelSet) -> NoiseRates:
    """Return the noise rates of the labels that models are told, if ``rates`` are those of all ``given`` ones.

    Labels that nobody is told are taken for wrong; the others are so much the better.
    """

    def left(rate: float, told: int, hidden: int) -> float:
        return max(0.0, rate * (told + hidden) - hidden) / max(1, told)

    return _by_group(rates, given, untold, labels, left)


def all_rates(rates: NoiseRates, given: Tensor, untold: Tensor, labels: LabelSet) -> NoiseRates:
    """Return the noise rates of all ``given`` labels, if ``rates`` are those of the ones that models are told."""

    def joined(rate: float, told: int, hidden: int) -> float:
        return (rate * told + hidden) / max(1, told + hidden)

    return _by_group(rates, given, untold, labels, joined)


def _by_group(
    rates: NoiseRates, given: Tensor, untold: Tensor, labels: LabelSet, changed_by: Callable[[float, int, int], float]
) -> NoiseRates:
    """Return the rates, each changed by how many labels of its group are told and how many are not."""
    if not untold.any():
        return rates

    def of(rate: float, chosen: Tensor) -> float:
        return changed_by(rate, int((chosen & ~untold).sum()), int((chosen & untold).sum()))

    apart = {}
    for group, rate in rates.apart.items():
        own = [number for number, label in enumerate(labels) if number and rates.group(label) == group]
        apart[group] = of(rate, torch.isin(given, torch.tensor(own)))
    return NoiseRates(of(rates.negative, given == 0), of(rates.positive, given > 0), apart)
