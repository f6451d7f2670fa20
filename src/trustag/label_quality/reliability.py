"""Whether probabilities mean what they say: how often labels of some confidence are right, and how far both differ."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.text.labels import OUTSIDE, canonical_position, split_label

BINS: Final = 15


@dataclass(frozen=True, slots=True)
class Bin:
    """Labels whose confidence lies from ``low`` to ``high``: how many, how confident and how often right on average."""

    low: float
    high: float
    count: int
    confidence: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Reliability:
    """Confidence beside accuracy, bin by bin; bins without a label are left out."""

    bins: tuple[Bin, ...]

    @property
    def count(self) -> int:
        """How many labels were compared."""
        return sum(own.count for own in self.bins)

    @property
    def error(self) -> float:
        """The expected calibration error: the mean distance of confidence and accuracy; 0 where nothing is known."""
        total = sum(own.count * abs(own.confidence - own.accuracy) for own in self.bins)
        return total / self.count if self.count else 0.0


def reliability(
    confidence: npt.NDArray[np.floating[Any]], is_right: npt.NDArray[np.bool_], bins: int = BINS
) -> Reliability:
    """Return how confident labels compare with how often they are right, in bins of equal width.

    >>> reliability(np.array([0.75, 0.75, 0.25]), np.array([True, False, False]), bins=2).error
    0.25
    """
    indices = np.minimum((np.asarray(confidence, dtype=np.float64) * bins).astype(np.int64), bins - 1)
    found = []
    for index in np.unique(indices):
        own = indices == index
        accuracy = float(is_right[own].mean())
        mean = float(np.asarray(confidence, dtype=np.float64)[own].mean())
        found.append(Bin(float(index) / bins, float(index + 1) / bins, int(own.sum()), mean, accuracy))
    return Reliability(tuple(found))


def reliability_by_part(
    labels: npt.NDArray[np.integer[Any]],
    names: Sequence[str],
    confidence: npt.NDArray[np.floating[Any]],
    is_right: npt.NDArray[np.bool_],
) -> tuple[dict[str, Reliability], dict[str, Reliability]]:
    """Return the reliability of labels, numbered as in ``names``, by position (B, I, E, S, O) and by type."""
    parts = [(OUTSIDE, OUTSIDE) if name == OUTSIDE else split_label(name) for name in names]
    positions = [OUTSIDE if position == OUTSIDE else canonical_position(position) for position, _ in parts]
    by_position, by_type = (
        {
            part: reliability(confidence[own], is_right[own])
            for part in dict.fromkeys(of_label)
            if (own := np.isin(labels, [number for number, name in enumerate(of_label) if name == part])).any()
        }
        for of_label in (positions, [kind for _, kind in parts])
    )
    return by_position, by_type
