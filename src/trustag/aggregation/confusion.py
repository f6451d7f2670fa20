"""Confusion matrices of IOB2 labels, estimated from counts of which some are few."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from trustag.aggregation.source_labels import Probabilities

_PSEUDO_COUNTS: Final = 200.0


def shared_positions(size: int) -> NDArray[np.intp]:
    """Return the position of each of ``size`` IOB2 labels: 0 for O, 1 for B, 2 for I.

    >>> shared_positions(5).tolist()
    [0, 1, 2, 1, 2]
    """
    return np.array([0, *(1 + number % 2 for number in range(size - 1))], dtype=np.intp)


def smoothed(counts: Probabilities) -> Probabilities:
    """Return confusion counts (..., true, given) as probabilities, each row with a few pseudo-counts.

    The pseudo-counts are what all types share: a type that a source rarely meets is taken to be confused as the others
    are.
    """
    kinds = confusion_kinds(counts.shape[-1])
    tied = np.zeros_like(counts)
    for kind in np.unique(kinds):
        cells = kinds == kind
        tied += cells * ((counts * cells).sum((-2, -1), keepdims=True) + 1.0) / cells.sum()
    return _as_shares(counts + _PSEUDO_COUNTS * _as_shares(tied))


def smoothed_positions(counts: Probabilities) -> Probabilities:
    """Return confusion counts of positions (..., 3, 3) as probabilities, each row with pseudo-counts of its own kind.

    >>> smoothed_positions(np.zeros((3, 3))).round(2).tolist()[2]
    [0.25, 0.25, 0.5]
    """
    return _as_shares(counts + 0.5 * (1 + np.eye(3)))


def confusion_kinds(size: int) -> NDArray[np.intp]:
    """Return the kind of each confusion (true, given) of ``size`` labels; cells of one kind are taken to be alike."""
    return np.array([[_kind(true, given) for given in range(size)] for true in range(size)], dtype=np.intp)


def _kind(true: int, given: int) -> int:
    """Return a number for the true position, the given position, and whether the types are the same."""
    positions = [0 if label == 0 else 1 + (label - 1) % 2 for label in (true, given)]
    same_type = true > 0 and given > 0 and (true - 1) // 2 == (given - 1) // 2
    return 6 * positions[0] + 2 * positions[1] + same_type


def _as_shares(counts: Probabilities) -> Probabilities:
    shares: Probabilities = counts / counts.sum(-1, keepdims=True)
    return shares
