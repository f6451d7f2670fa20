"""Whether one labelling of a corpus is better than another, by the same draws of sentences for both."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.scoring import Counts, score_labels

_DRAWS: Final = 1000
_GROUPS: Final = 200  # drawing groups of sentences costs less than drawing sentences, and spreads the same
_TAIL: Final = 0.025


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
    weights = _drawn_weights(len(first), seed)
    one, other = (_f1(weights @ _table(counts)) for counts in (first, second))
    gains = other - one
    drawn = gains[1:]
    low, high = (float(np.quantile(drawn, tail)) for tail in (_TAIL, 1 - _TAIL))
    return PairedDifference(float(gains[0]), low, high, float((drawn > 0).mean() + (drawn == 0).mean() / 2))


def _drawn_weights(sentences: int, seed: int) -> npt.NDArray[np.float64]:
    """Return how often each sentence counts: once each in the first row, then as drawn with replacement."""
    groups = max(1, min(sentences, _GROUPS))
    order = SeededRandom(seed, "groups of compared sentences").shuffled(range(sentences))
    group = np.zeros(sentences, dtype=np.int64)
    group[order] = np.arange(sentences) % groups
    rng = SeededRandom(seed, "draws of compared sentences")
    drawn = [np.bincount([rng.below(groups) for _ in range(groups)], minlength=groups) for _ in range(_DRAWS)]
    weights: npt.NDArray[np.float64] = np.vstack([np.ones(groups), *drawn])[:, group]
    return weights


def _table(counts: Sequence[Counts]) -> npt.NDArray[np.float64]:
    return np.array([[own.correct, own.found + own.support] for own in counts], dtype=np.float64).reshape(-1, 2)


def _f1(totals: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    correct, both = totals.T
    found: npt.NDArray[np.float64] = np.divide(2 * correct, both, out=np.zeros_like(correct), where=both > 0)
    return found
