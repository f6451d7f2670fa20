"""Noise rates that follow from how probable each label is to a model that knows better than the labels."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from trustag.noise_rates.estimates import (
    NOTHING_KNOWN,
    EstimatedRates,
    Indices,
    Marks,
    Rate,
    grouped_rates,
    rate_of_draws,
    token_resampling,
)
from trustag.text.label_sets import LabelSet
from trustag.text.resampling import shares


def expected_rates(
    given: Indices,
    confidence: Sequence[npt.NDArray[np.float64]],
    lengths: Sequence[int],
    labels: LabelSet,
    seed: int = 1,
) -> EstimatedRates:
    """Return the shares of ``given`` label indices (tokens,), negative where unknown, that are expected to be wrong.

    ``confidence`` holds, for each of some models, the probability of every given label (tokens,); the estimate is the
    mean of theirs, and the range takes in all of them, each with its sampling error.
    """
    resampling = token_resampling(lengths, seed)

    def rate_of(chosen: Marks) -> Rate:
        if not chosen.any():
            return NOTHING_KNOWN
        total = resampling.totals(chosen)
        drawn = [shares(resampling.totals(np.where(chosen, 1 - own, 0.0)), total) for own in confidence]
        rates = [rate_of_draws(found, found, found) for found in drawn]
        middle = sum(rate.estimate for rate in rates) / len(rates)
        return Rate(middle, min(rate.low for rate in rates), max(rate.high for rate in rates))

    return grouped_rates(given, labels, rate_of(given == 0), rate_of)
