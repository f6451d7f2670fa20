"""How far sources agree: Krippendorff's alpha, and the entity F1 of every two of them."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from trustag.aggregation.source_labels import UNKNOWN, SourceLabels
from trustag.text.scoring import EntityTally


def krippendorff_alpha(sources: SourceLabels) -> float | None:
    """Return Krippendorff's alpha of the token labels (nominal): 1 for agreement, 0 for chance; None if undefined.

    It is undefined where no token has two labels, and where all labels are the same. Unknown labels are missing values.
    """
    size = len(sources.labels)
    votes = np.zeros((len(sources.indices), size))
    for column in sources.indices.T:
        known = column != UNKNOWN
        votes[np.flatnonzero(known), column[known]] += 1
    counts = votes.sum(1)
    votes, counts = votes[counts > 1], counts[counts > 1]
    weighted = votes / (counts[:, None] - 1)
    totals = votes.sum(0)
    pairs = totals.sum()
    observed = pairs - (weighted * (votes - 1)).sum()
    expected = (pairs**2 - (totals**2).sum()) / (pairs - 1) if pairs > 1 else 0.0
    return None if expected == 0 else float(1 - observed / expected)


def pairwise_f1(sources: SourceLabels) -> Mapping[tuple[str, str], float]:
    """Return the entity F1 of every two sources, on sentences where both gave at least one label."""
    found = {}
    for one, other in combinations(range(len(sources.names)), 2):
        tally = EntityTally()
        for left, right in zip(sources.of(one), sources.of(other), strict=True):
            if _says_anything(left) and _says_anything(right):
                tally.add(left, right)
        found[sources.names[one], sources.names[other]] = tally.result().micro.f1
    return found


def _says_anything(labels: tuple[str | None, ...]) -> bool:
    return any(label is not None for label in labels)
