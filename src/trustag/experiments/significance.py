"""How sure test scores are: bootstrap intervals, and whether two rows differ, by approximate randomisation."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from trustag.experiments.sentence_results import SentenceCounts

DRAWS: Final = 2000
_TAIL: Final = 0.025


@dataclass(frozen=True, slots=True)
class ChanceDifference:
    """By how many points of F1 a second row is better than a first, and how often chance alone differs as much."""

    difference: float
    p: float


def f1(counts: SentenceCounts) -> float:
    """Return the F1 of all sentences together."""
    return float(_f1(counts.sum(0)[None])[0])


def interval(seeds: Sequence[SentenceCounts], seed: int = 1) -> tuple[float, float]:
    """Return the 95 % interval of the mean F1 over seeds, whose test sentences are drawn again and again.

    All seeds are scored on the same draws: the interval says what other test sentences would change, not other seeds.
    """
    size = len(seeds[0])
    # Sentences that came out alike are drawn together: a multinomial draw of their numbers is the same.
    alike, times = np.unique(np.hstack(seeds), axis=0, return_counts=True)
    drawn = np.random.default_rng(seed).multinomial(size, times / size, DRAWS)
    means = np.mean([_f1(drawn @ counts) for counts in np.split(alike, len(seeds), axis=1)], axis=0)
    low, high = np.quantile(means, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def compare(first: Sequence[SentenceCounts], second: Sequence[SentenceCounts], seed: int = 1) -> ChanceDifference:
    """Return the difference of the mean F1 of two rows and its two-sided p.

    The rows are paired seed by seed, on the same sentences. Under the null hypothesis the outputs for a sentence could
    as well be those of the other row, so each pair is swapped by chance (Noreen 1989; Yeh 2000).
    """
    pairs = list(zip(first, second, strict=True))
    observed = float(np.mean([f1(other) - f1(one) for one, other in pairs]))
    random = np.random.default_rng(seed)
    swapped = np.mean([_swapped(one, other, random) for one, other in pairs], axis=0)
    # Sums of the same numbers in another order differ in the last digits.
    as_large = int((np.abs(swapped) >= abs(observed) - 1e-12).sum())
    return ChanceDifference(observed, (as_large + 1) / (DRAWS + 1))


def _swapped(one: SentenceCounts, other: SentenceCounts, random: np.random.Generator) -> npt.NDArray[np.float64]:
    """Return the differences after sentences were swapped by chance: of those that changed alike, so many."""
    changes, times = np.unique(other - one, axis=0, return_counts=True)
    moved = random.binomial(times, 0.5, (DRAWS, len(times))) @ changes
    return _f1(other.sum(0) - moved) - _f1(one.sum(0) + moved)


def _f1(totals: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    both = totals[:, 1] + totals[:, 2]
    scores: npt.NDArray[np.float64] = 2.0 * totals[:, 0] / np.maximum(both, 1)
    return scores
