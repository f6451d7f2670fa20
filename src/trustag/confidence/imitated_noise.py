"""Noise rates from a clean sample: what a model that learnt the noisy labels gets wrong there.

Such a model labels as the noisy source does: where that forgets entities, it forgets them; where that calls first names
persons, so does it. On sentences whose labels are clean its errors therefore show the noise, label by label, even the
systematic part that no comparison among the noisy labels can show. Its own errors add to that, so the rates come out
somewhat too high, the more so where the clean sample is of another kind than the training text.
"""

from collections.abc import Sequence

import numpy as np

from trustag.confidence.estimates import (
    NOTHING_KNOWN,
    EstimatedRates,
    Indices,
    Marks,
    Rate,
    Resampling,
    grouped_rates,
    rate_of_draws,
    share,
)
from trustag.text.labels import LabelSet


def imitated_noise_rates(
    imitated: Sequence[Indices], clean: Sequence[Indices], labels: LabelSet, seed: int = 1
) -> EstimatedRates:
    """Return the noise rates of labels which ``imitated`` label numbers resemble, by the ``clean`` ones beside them.

    Both are label numbers, sentence by sentence; tokens whose clean label is unknown (negative) have no part.
    """
    nothing = np.zeros(0, dtype=np.int64)
    truth = np.concatenate([nothing, *clean])
    numbers = np.where(truth < 0, -1, np.concatenate([nothing, *imitated]))
    wrong = (truth >= 0) & (numbers != truth)
    resampling = Resampling([len(row) for row in clean], seed)

    def rate_of(chosen: Marks) -> Rate:
        if not chosen.any():
            return NOTHING_KNOWN
        found = share(resampling.totals(chosen & wrong), resampling.totals(chosen))
        return rate_of_draws(found, found, found)

    return grouped_rates(numbers, labels, rate_of(numbers == 0), rate_of)
