"""Noise rates from noisy labels alone: how many ``O`` labels hide an entity, and how many entity labels are wrong.

The evidence are out-of-fold probabilities: those of a model that was not trained on the sentence. It was trained on
noisy labels and makes errors itself, so neither its best label nor its probability can be taken at face value. What it
says is split into three questions, each with its own scale, read off the labels that it agrees with:

* *Is this token part of an entity?* Decided where the probability of an entity passes the share of entity labels. At
  that point a token is as typical of one group as of the other, and label noise, which mixes the groups, does not move
  it. ``O`` labels beyond it count as wrong. Entity labels count as no entity where the model is at least as sure of
  ``O`` as it is on average where it agrees with ``O``; as only a part of all true ``O`` is that clear, the count is
  divided by that part. The misses of the model are less clear than that and stay out.
* *Of which type, at which position?* Asked where the model, too, takes the token for an entity more likely than not. A
  given part is contradicted where the model is as clear about another one as it is on average where that one is given
  and it agrees; again the count is divided by the part of those that are so clear.
* *Does the entity end where its label says?* Not next to an ``O`` that hides its continuation.

Where more than half of all ``O`` labels, or of all entity labels, would be wrong, it is the model that errs: it learned
too little, as on a corpus of a few sentences. Then nothing is known, and no label of that group is called wrong.

The range of a rate goes from what hardly can be otherwise to everything the model contradicts, each with its sampling
error; it is no promise that the truth lies within. Noise that a model learns from its sentences (the same name always
wrong in the same way) contradicts nothing, so rates of such labels come out too low; a model too weak to tell the types
apart contradicts right ones, so they come out too high. Train the folds as long as a tagger wants, with frozen word
vectors, since vectors that learn take up the noise; half as many epochs change the estimates little.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.noise_rates.contradictions import Contradictions, find_contradictions
from trustag.noise_rates.estimates import (
    NOTHING_KNOWN,
    EstimatedRates,
    Marks,
    Rate,
    grouped_rates,
    rate_of_draws,
    token_resampling,
)
from trustag.text.label_sets import LabelSet
from trustag.text.resampling import Numbers, Resampling, shares

_MOST: Final = 0.5  # of all labels of a group


def estimate_noise_rates(
    given: Sequence[npt.NDArray[np.integer[Any]]],
    probabilities: Sequence[npt.NDArray[np.floating[Any]]],
    labels: LabelSet,
    seed: int = 1,
) -> EstimatedRates:
    """Return the noise rates of ``given`` labels, sentence by sentence, from out-of-fold ``probabilities``.

    ``given`` holds label numbers, negative where unknown; ``probabilities`` a row of label probabilities for each
    token, from a model that was not trained on the sentence. The same input and seed give the same result; the order
    of the sentences has no influence on the estimates and a small one on their ranges.
    """
    check_tables(given, probabilities, labels)
    lengths = np.array([len(row) for row in given], dtype=np.int64)
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *given])
    table = np.concatenate([np.zeros((0, len(labels))), *probabilities])
    found = find_contradictions(numbers, table, lengths, labels)
    resampling = token_resampling(lengths.tolist(), seed)
    negative = _negative(found, resampling)
    return _where_judged(grouped_rates(numbers, labels, negative, lambda chosen: _positive(found, chosen, resampling)))


def check_tables(
    given: Sequence[npt.NDArray[np.integer[Any]]],
    probabilities: Sequence[npt.NDArray[np.floating[Any]]],
    labels: LabelSet,
) -> None:
    """Refuse labels and probabilities that do not fit each other, naming the sentence."""
    if len(given) != len(probabilities):
        raise InputError(
            f"{len(given)} sentences with labels, {len(probabilities)} with probabilities", remedy="give both for each"
        )
    for number, (row, table) in enumerate(zip(given, probabilities, strict=True)):
        where = f"sentence {number} (counted from 0)"
        if table.shape != (len(row), len(labels)):
            raise InputError(
                f"probabilities of shape {table.shape} for {len(row)} tokens and {len(labels)} labels",
                where=where,
                remedy="give a row for each token and a column for each label",
            )
        if len(row) and row.max() >= len(labels):
            raise InputError(f"label number {row.max()} of {len(labels)} labels", where=where, remedy="count from 0")
        if not np.isfinite(table).all():
            raise InputError("a probability is not a number", where=where, remedy="check the model")


def _where_judged(rates: EstimatedRates) -> EstimatedRates:
    """Return ``rates`` without those of a group most of which is contradicted."""
    if rates.negative.estimate > _MOST:
        rates = replace(rates, negative=NOTHING_KNOWN)
    if rates.positive.estimate > _MOST:
        rates = replace(
            rates,
            positive=NOTHING_KNOWN,
            by_type=dict.fromkeys(rates.by_type, NOTHING_KNOWN),
            by_label=dict.fromkeys(rates.by_label, NOTHING_KNOWN),
        )
    return rates


def _negative(found: Contradictions, resampling: Resampling) -> Rate:
    """Return the rate of the ``O`` labels."""
    if not found.negative.any() or not found.positive.any():
        return NOTHING_KNOWN
    total = resampling.totals
    negatives = total(found.negative)
    seen, clear = total(found.positive & found.seen), total(found.positive & found.clearly_entity)
    estimate = shares(total(found.negative & found.seen), negatives)
    low = shares(shares(total(found.negative & found.clearly_entity), negatives), shares(clear, seen))
    return rate_of_draws(estimate, low, shares(total(found.negative & found.perhaps_entity), negatives))


def _outside(found: Contradictions, chosen: Marks, resampling: Resampling) -> Numbers:
    """Return the share of some entity labels that stand where there is no entity."""
    total = resampling.totals
    agreed, clear = total(found.negative & ~found.seen), total(found.negative & found.clearly_outside)
    surely_outside = shares(total(chosen & found.clearly_outside), total(chosen))
    return np.minimum(1.0, shares(surely_outside, shares(clear, agreed)))


def _positive(found: Contradictions, chosen: Marks, resampling: Resampling) -> Rate:
    """Return the rate of some entity labels."""
    if not chosen.any() or not found.negative.any():
        return NOTHING_KNOWN
    total = resampling.totals
    positives = total(chosen)
    surely_outside = shares(total(chosen & found.clearly_outside), positives)
    right = 1 - _outside(found, chosen, resampling)
    for part in (found.type, found.position):
        wrong = shares(total(np.where(chosen, part.contradicted, 0)), total(chosen & part.decided))
        right = right * (1 - np.minimum(1.0, wrong))
    return rate_of_draws(1 - right, surely_outside, shares(total(chosen & found.doubted), positives))
