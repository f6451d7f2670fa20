"""Confident learning (Northcutt et al., 2021): which labels are wrong, counted with out-of-fold probabilities.

A model is sure of a label where its probability is at least the mean that the label has on the tokens that were given
it. Counting of which label it is sure on tokens of each given one gives the *confident joint*.
"""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.noise_rates.rates import NoiseRates

PruneRule: TypeAlias = Literal["noise-rate", "class", "both", "confident"]


def label_thresholds(given: Tensor, probabilities: Tensor) -> Tensor:
    """Return the mean probability of each label on the tokens that have it, infinite where none has: (labels,).

    ``given`` (tokens,) are label indices, negative where unknown; ``probabilities`` is (tokens, labels).
    """
    found = probabilities.new_full(probabilities.shape[1:], torch.inf)
    for label in range(len(found)):
        own = given == label
        if own.any():
            found[label] = probabilities[own, label].mean()
    return found


def sure_labels(given: Tensor, probabilities: Tensor) -> Tensor:
    """Return the most probable of the labels that the model is sure of at each token (tokens,), -1 where of none."""
    is_sure = probabilities >= label_thresholds(given, probabilities)
    best = probabilities.masked_fill(~is_sure, -1.0).argmax(-1)
    return torch.where(is_sure.any(-1), best, -1)


def confident_joint(given: Tensor, probabilities: Tensor) -> Tensor:
    """Return how many tokens of each given label (rows) seem to have each true one (columns): (labels, labels).

    Rows are scaled to the numbers of given labels; one without any sure token is taken to be right.
    """
    size = probabilities.shape[1]
    sure = sure_labels(given, probabilities)
    counted = (given >= 0) & (sure >= 0)
    counts = torch.bincount(given[counted] * size + sure[counted], minlength=size * size).view(size, size).double()
    totals = torch.bincount(given[given >= 0], minlength=size).double()
    sums = counts.sum(1)
    counts[sums == 0] = torch.eye(size, dtype=torch.double)[sums == 0]
    return counts * (totals / counts.sum(1))[:, None]


def joint_rates(joint: Tensor) -> NoiseRates:
    """Return the share of wrong labels among the ``O`` and among the entity labels of a confident ``joint``.

    >>> joint_rates(torch.tensor([[90.0, 10.0], [3.0, 9.0]]).double())
    NoiseRates(negative=0.1, positive=0.25, by_group={})
    """
    wrong, totals = joint.sum(1) - joint.diagonal(), joint.sum(1)
    negative, positive = wrong[:1].sum() / totals[:1].sum(), wrong[1:].sum() / totals[1:].sum()
    found = [round(float(share.nan_to_num()), 9) for share in (negative, positive)]
    return NoiseRates(found[0], found[1]).capped()


def wrong_labels(given: Tensor, probabilities: Tensor, rule: PruneRule) -> Tensor:
    """Return which labels (tokens,) the ``rule`` calls wrong; never one that the model itself finds most probable.

    ``noise-rate``: for each given and each other label as many as the confident joint counts, those whose probability
    the other exceeds most; ``class``: for each given label as many as are wrong together, those of the lowest
    probability; ``both``: what both say; ``confident``: all tokens counted off the diagonal.
    """
    if rule == "confident":
        sure = sure_labels(given, probabilities)
        return (given >= 0) & (sure >= 0) & (sure != given)
    joint = confident_joint(given, probabilities)
    found = torch.ones_like(given, dtype=torch.bool)
    if rule in {"noise-rate", "both"}:
        found &= _by_noise_rate(given, probabilities, joint)
    if rule in {"class", "both"}:
        found &= _by_class(given, probabilities, joint)
    return found & (probabilities.argmax(-1) != given)


def _by_noise_rate(given: Tensor, probabilities: Tensor, joint: Tensor) -> Tensor:
    found = torch.zeros_like(given, dtype=torch.bool)
    for label, counts in enumerate(joint.round().long().tolist()):
        (own,) = (given == label).nonzero(as_tuple=True)
        margins = probabilities[own] - probabilities[own, label][:, None]
        for other, count in enumerate(counts):
            if other != label:
                found[own[margins[:, other].argsort(descending=True, stable=True)[:count]]] = True
    return found


def _by_class(given: Tensor, probabilities: Tensor, joint: Tensor) -> Tensor:
    found = torch.zeros_like(given, dtype=torch.bool)
    wrong = (joint.sum(1) - joint.diagonal()).round().long().tolist()
    for label, count in enumerate(wrong):
        (own,) = (given == label).nonzero(as_tuple=True)
        found[own[probabilities[own, label].argsort(stable=True)[:count]]] = True
    return found
