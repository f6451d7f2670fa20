"""Noise rates counted on sentences that are labelled twice, with binomial ranges."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from trustag.noise_rates.estimates import NOTHING_KNOWN, EstimatedRates, Indices, Marks, Rate, grouped_rates
from trustag.noise_rates.kinds import KindRates, kind_rates
from trustag.text.label_sets import LabelSet

_NORMAL: Final = 1.959964  # 95 % of a normal distribution lie within so many deviations
LEAST_SENTENCES: Final = 20
LEAST_LABELS: Final = 20
"""With fewer sentences, or fewer entity labels in them, counting says less than estimating."""


class CountedLabels:
    """Labels of sentences that are labelled twice, as indices; tokens of which either label is unknown do not count."""

    def __init__(self, given: Indices, clean: Indices, lengths: Sequence[int], labels: LabelSet) -> None:
        self._labels = labels
        self.clean = clean
        self.given = np.where((clean < 0) | (given >= len(labels)), -1, given)
        self._sentences = np.repeat(np.arange(len(lengths)), np.array(lengths, dtype=np.int64))
        self._count = len(lengths)

    @property
    def are_enough(self) -> bool:
        """Whether there is more to count than chance."""
        return self._count >= LEAST_SENTENCES and int((self.given > 0).sum()) >= LEAST_LABELS

    def rates(self) -> EstimatedRates:
        """Return the shares of wrong labels, with ranges."""
        wrong = self.given != self.clean

        def rate_of(chosen: Marks) -> Rate:
            return self._share(chosen & wrong, chosen)

        return grouped_rates(self.given, self._labels, rate_of(self.given == 0), rate_of)

    def kinds(self) -> KindRates:
        """Return the shares of labels with each kind of error, with ranges."""
        return kind_rates(self.given, self.clean, self._labels, self._share)

    def _share(self, marked: Marks, chosen: Marks) -> Rate:
        """Return the share of ``marked`` ones among the ``chosen``, with its 95 % range.

        The range is binomial (Wilson's), for as many independent labels as all of them are worth: labels of a sentence
        err together.
        """
        total = int(chosen.sum())
        if not total:
            return NOTHING_KNOWN
        share = int(marked.sum()) / total
        low, high = _binomial_range(
            share, total / _design_effect(self._by_sentence(chosen), self._by_sentence(marked), share)
        )
        return Rate(share, min(low, share), max(high, share))

    def _by_sentence(self, marks: Marks) -> Indices:
        return np.bincount(self._sentences[marks], minlength=self._count)


def _binomial_range(share: float, trials: float) -> tuple[float, float]:
    """Return between which shares the true one lies in 95 of 100 cases (Wilson's score interval)."""
    squared = _NORMAL**2
    middle = share + squared / (2 * trials)
    half = _NORMAL * (share * (1 - share) / trials + squared / (4 * trials**2)) ** 0.5
    whole = 1 + squared / trials
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def _design_effect(chosen: Indices, marked: Indices, share: float) -> float:
    """Return how many times wider the variance of a share is than that of independent labels; 1 at least.

    ``chosen`` and ``marked`` are the numbers of labels of each sentence.
    """
    sentences = int((chosen > 0).sum())
    independent = chosen.sum() * share * (1 - share)
    if sentences < 2 or independent == 0:
        return 1.0
    found = float(((marked - share * chosen) ** 2).sum()) * sentences / (sentences - 1)
    return max(1.0, found / float(independent))
