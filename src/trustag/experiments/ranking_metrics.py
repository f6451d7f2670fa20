"""How good a ranking of possible errors is: average precision, precision at the top, detection at a threshold."""

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.floating[Any]]
Marks: TypeAlias = npt.NDArray[np.bool_]

AT: Final = (100, 500)
"""How many of the first items precision is measured on."""


def ranking_quality(is_error: Marks, scores: Numbers, unranked: int = 0) -> dict[str, float | None]:
    """Return the average precision of ranking items by ``scores``, and the precision of the first 100 and 500.

    Both arrays are (items,). ``unranked`` errors are not among the items; they count as never found.
    """
    ranked = is_error[np.argsort(-scores, kind="stable")]
    precision = np.cumsum(ranked) / np.arange(1, len(ranked) + 1)
    total = int(ranked.sum()) + unranked
    found: dict[str, float | None] = {"average_precision": float(precision[ranked].sum() / total) if total else None}
    for count in AT:
        found[f"precision_at_{count}"] = float(precision[count - 1]) if len(ranked) >= count else None
    return found


def detection_quality(is_error: Marks, flagged: Marks, unranked: int = 0) -> dict[str, float]:
    """Return precision, recall and F1 of taking the ``flagged`` items (items,) for errors."""
    both, total = int((is_error & flagged).sum()), int(is_error.sum()) + unranked
    precision, recall = both / max(int(flagged.sum()), 1), both / max(total, 1)
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / max(precision + recall, 1e-12)}
