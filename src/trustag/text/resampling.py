"""How far a count over sentences may be chance: the sentences themselves and many random draws of them."""

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.seeded_random import SeededRandom

Numbers: TypeAlias = npt.NDArray[np.float64]

TAIL: Final = 0.025
_GROUPS: Final = 200  # drawing groups of sentences costs less than drawing sentences, and spreads the same


class Resampling:
    """Random ``draws`` of sentences, which have so many values each, with replacement.

    ``purpose`` names the random streams.
    """

    def __init__(self, lengths: Sequence[int], draws: int, seed: int, purpose: str) -> None:
        groups = max(1, min(len(lengths), _GROUPS))
        rng = SeededRandom(seed, f"draws of {purpose}")
        drawn = [np.bincount([rng.below(groups) for _ in range(groups)], minlength=groups) for _ in range(draws)]
        self._weights = np.vstack([np.ones(groups), *drawn]).astype(np.float64)
        order = SeededRandom(seed, f"groups of {purpose}").shuffled(range(len(lengths)))
        group = np.zeros(len(lengths), dtype=np.int64)
        group[order] = np.arange(len(lengths)) % groups
        self._group = np.repeat(group, np.array(lengths, dtype=np.int64))

    def totals(self, values: npt.NDArray[Any]) -> Numbers:
        """Return the sum of ``values``: first that of the sentences themselves, then that of each draw of them."""
        sums = np.bincount(self._group, weights=values, minlength=self._weights.shape[1])
        totals: Numbers = self._weights @ sums
        return totals


def shares(part: Numbers, whole: Numbers) -> Numbers:
    """Return ``part`` of ``whole``; nothing of nothing is 0."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
