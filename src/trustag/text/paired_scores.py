"""Whether one labelling of a corpus is better than another, by the same draws of sentences for both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from trustag.text.labels import Label
from trustag.text.resampling import TAIL, Numbers, Resampling, shares
from trustag.text.scoring import Counts, score_labels

_DRAWS: Final = 1000


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The F1 of a second labelling minus that of a first, its 95 % range, and in which share of draws it is positive.

    Draws in which both are equal count half.
    """

    difference: float
    low: float
    high: float
    better: float


def sentence_counts(gold: Sequence[Sequence[Label]], predicted: Sequence[Sequence[Label]]) -> list[Counts]:
    """Return the entity counts of each sentence."""
    return [score_labels([pair]).micro for pair in zip(gold, predicted, strict=True)]


def paired_difference(first: Sequence[Counts], second: Sequence[Counts], seed: int = 1) -> PairedDifference:
    """Return how much better the ``second`` of two labellings of the same sentences is, by paired bootstrap.

    >>> right, wrong = Counts(1, 1, 1), Counts(0, 1, 1)
    >>> paired_difference([wrong] * 4, [right] * 4)
    PairedDifference(difference=1.0, low=1.0, high=1.0, better=1.0)
    """
    resampling = Resampling([1] * len(first), _DRAWS, seed, "compared sentences")
    one, other = (_f1(counts, resampling) for counts in (first, second))
    gains = other - one
    drawn = gains[1:]
    low, high = (float(np.quantile(drawn, tail)) for tail in (TAIL, 1 - TAIL))
    return PairedDifference(float(gains[0]), low, high, float((drawn > 0).mean() + (drawn == 0).mean() / 2))


def _f1(counts: Sequence[Counts], resampling: Resampling) -> Numbers:
    correct = resampling.totals(np.array([own.correct for own in counts], dtype=np.float64))
    both = resampling.totals(np.array([own.found + own.support for own in counts], dtype=np.float64))
    return shares(2 * correct, both)
