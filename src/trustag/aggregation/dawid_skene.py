"""The model of Dawid and Skene (1979): each source confuses the labels of single tokens by a matrix of its own."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from trustag.aggregation.confusion import smoothed
from trustag.aggregation.source_labels import UNKNOWN, Probabilities, SourceLabels
from trustag.aggregation.true_labels import Estimate, of_independent_tokens
from trustag.aggregation.voting import vote_shares

_ITERATIONS: Final = 100
_CONVERGED: Final = 1e-6


@dataclass(frozen=True)
class TokenParameters:
    """The shares of the true labels (labels,), and each source's confusion (sources, true, given)."""

    shares: Probabilities
    confusion: Probabilities


def fit_tokens(sources: SourceLabels) -> tuple[TokenParameters, Estimate]:
    """Return how each source errs and what is true, by expectation maximisation that starts from the votes."""
    probabilities = vote_shares(sources)
    history: list[float] = []
    while True:
        shares = (probabilities.sum(0) + 1.0) / (len(probabilities) + probabilities.shape[1])
        confusion = _confusion(sources, probabilities)
        probabilities, likelihood = _expect(sources, shares, confusion)
        history.append(likelihood)
        is_flat = len(history) > 1 and history[-1] - history[-2] <= _CONVERGED * abs(history[-2])
        if is_flat or len(history) == _ITERATIONS:
            estimate = replace(of_independent_tokens(sources, probabilities), history=tuple(history))
            return TokenParameters(shares, confusion), estimate


def _confusion(sources: SourceLabels, probabilities: Probabilities) -> Probabilities:
    size = len(sources.labels)
    counts = np.zeros((len(sources.names), size, size))
    for source, given in enumerate(sources.indices.T):
        for label in range(size):
            counts[source, :, label] = probabilities[given == label].sum(0)
    return smoothed(counts)


def _expect(sources: SourceLabels, shares: Probabilities, confusion: Probabilities) -> tuple[Probabilities, float]:
    joint = np.tile(np.log(shares), (len(sources.indices), 1))
    for given, own in zip(sources.indices.T, np.log(confusion), strict=True):
        known = given != UNKNOWN
        joint[known] += own.T[given[known]]
    highest = joint.max(1, keepdims=True)
    weights = np.exp(joint - highest)
    sums = weights.sum(1, keepdims=True)
    return weights / sums, float((np.log(sums) + highest).sum())
