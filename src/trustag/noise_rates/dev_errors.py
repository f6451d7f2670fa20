"""Noise rates from a clean sample: what a model trained on the noisy labels gets wrong there.

Such a model labels as the noisy source does: where that misses entities, it misses them; where that calls first names
persons, so does it. On sentences with clean labels its errors therefore show the noise, label by label, even the
systematic part that no comparison among the noisy labels can show. Training labels that it contradicts are not among
these and are counted separately. Its own errors add to both, so the rates come out somewhat too high, the more so where
the clean sample differs from the training text.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

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
    resampling = token_resampling([len(row) for row in clean], seed)

    def rate_of(chosen: Marks) -> Rate:
        if not chosen.any():
            return NOTHING_KNOWN
        found = shares(resampling.totals(chosen & wrong), resampling.totals(chosen))
        return rate_of_draws(found, found, found)

    return grouped_rates(numbers, labels, rate_of(numbers == 0), rate_of)


def with_contradicted(repeated: EstimatedRates, contradicted: EstimatedRates) -> EstimatedRates:
    """Return the rates of entity labels of which models repeat a part and contradict the others.

    ``repeated`` are the rates that a clean sample shows of labels as the models give them; what models contradict of
    the noisy labels themselves comes on top. Most of the ``O`` labels are repeated, and those that are contradicted are
    among what the clean sample shows; their rate stays.
    """

    def of(own: Rate, other: Rate) -> Rate:
        estimate, high = (1 - (1 - getattr(own, end)) * (1 - getattr(other, end)) for end in ("estimate", "high"))
        return Rate(estimate, min(own.low, estimate), high)

    return replace(
        repeated,
        positive=of(repeated.positive, contradicted.positive),
        by_type={name: of(rate, contradicted.by_type[name]) for name, rate in repeated.by_type.items()},
        by_label={name: of(rate, contradicted.by_label[name]) for name, rate in repeated.by_label.items()},
    )
