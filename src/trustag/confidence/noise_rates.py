"""Noise rates from noisy labels alone: how many ``O`` labels hide an entity, and how many entity labels are wrong.

The witness is a model that did not see the sentence it judges (out-of-fold probabilities). It learned from noisy labels
and errs itself, so neither its best label nor its probability can be believed as it stands. What it says is split into
three questions, each with its own scale, read off the labels it agrees with:

* *Is this token part of an entity?* Decided where the probability of an entity passes the share of entity labels. At
  that point a token is as typical of one group as of the other, and label noise, which mixes the groups, does not move
  it. ``O`` labels beyond it count as wrong. Entity labels count as no entity where the model is at least as sure of
  ``O`` as it is on average where it agrees with ``O``; as only a part of all true ``O`` is that clear, the count is
  divided by that part. The misses of the model are less clear than that and stay out.
* *Of which type, at which position?* A given part is contradicted where another one gets the probability that it has
  on average where it is given, and the given one gets less than half of its own average.
* *Does the entity end where its label says?* Not next to an ``O`` that hides its continuation.

The range of a rate goes from what hardly can be otherwise to everything the model contradicts, each with its sampling
error; it is no promise that the truth lies within. Noise that a model learns from its sentences (the same name always
wrong in the same way) contradicts nothing, so rates of such labels come out too low; a model too weak to tell the types
apart contradicts right ones, so they come out too high. Train the folds as long as a tagger wants, with frozen word
vectors, since vectors that learn take up the noise; half as many epochs change the estimates little.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.confidence.contradictions import Contradictions, find_contradictions
from trustag.dice import Dice
from trustag.errors import InputError
from trustag.text.labels import LabelSet

Numbers: TypeAlias = npt.NDArray[np.float64]

DRAWS: Final = 200
_GROUPS: Final = 200  # drawing groups of sentences costs less than drawing sentences, and spreads the same
_PRIOR_TOKENS: Final = 10  # a type with this many tokens takes half of its rate from all types together
_TAIL: Final = 0.025


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of wrong labels, and the range it can be expected in; without any label to judge it is 0 to 1."""

    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class EstimatedRates:
    """Estimated noise: of ``O`` labels, of entity labels, and of the entity labels of each type; and what was counted.

    ``negative`` is the share of ``O`` labels that should be something else, ``positive`` the share of entity labels
    that should be another label (``tau_n`` and ``tau_p`` of the paper). Tokens with an ``unknown`` label have no part.
    """

    negative: Rate
    positive: Rate
    by_type: Mapping[str, Rate]
    negatives: int
    positives: int
    positives_by_type: Mapping[str, int]
    unknown: int


def estimate_noise_rates(
    given: Sequence[npt.NDArray[np.integer[Any]]],
    probabilities: Sequence[npt.NDArray[np.floating[Any]]],
    labels: LabelSet,
    seed: int = 1,
) -> EstimatedRates:
    """Return the noise rates of ``given`` labels, sentence by sentence, judged by out-of-fold ``probabilities``.

    ``given`` holds label numbers, negative where unknown; ``probabilities`` a row of label probabilities for each
    token, from a model that was not trained on the sentence. The same input and seed give the same result; the order
    of the sentences has no influence on the estimates and a small one on their ranges.
    """
    _check(given, probabilities, labels)
    lengths = np.array([len(row) for row in given], dtype=np.int64)
    numbers = np.concatenate([np.zeros(0, dtype=np.int64), *given])
    table = np.concatenate([np.zeros((0, len(labels))), *probabilities])
    found = find_contradictions(numbers, table, lengths, labels)
    weights = _weights(len(given), seed)
    groups = np.repeat(_group_numbers(len(given), weights.shape[1], seed), lengths)
    overall = _positive(found, found.positive, groups, weights)
    types = np.where(found.positive, (numbers - 1) // len(labels.positions), -1)
    counts = {kind: int((types == number).sum()) for number, kind in enumerate(labels.types)}
    by_type = {
        kind: _tempered(_positive(found, types == number, groups, weights), overall, counts[kind])
        for number, kind in enumerate(labels.types)
    }
    return EstimatedRates(
        negative=_negative(found, groups, weights),
        positive=overall,
        by_type=by_type,
        negatives=int(found.negative.sum()),
        positives=int(found.positive.sum()),
        positives_by_type=counts,
        unknown=int((numbers < 0).sum()),
    )


def _check(
    given: Sequence[npt.NDArray[np.integer[Any]]],
    probabilities: Sequence[npt.NDArray[np.floating[Any]]],
    labels: LabelSet,
) -> None:
    if len(given) != len(probabilities):
        raise InputError(
            f"{len(given)} sentences with labels, {len(probabilities)} with probabilities", remedy="give both for each"
        )
    for place, (row, table) in enumerate(zip(given, probabilities, strict=True)):
        where = f"sentence {place} (counted from 0)"
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


def _negative(found: Contradictions, groups: npt.NDArray[np.int64], weights: Numbers) -> Rate:
    """Return the rate of the ``O`` labels."""
    if not found.negative.any() or not found.positive.any():
        return Rate(0.0, 0.0, 1.0)

    def total(tokens: npt.NDArray[np.bool_]) -> Numbers:
        return _totals(tokens, groups, weights)

    negatives = total(found.negative)
    seen, clear = total(found.positive & found.seen), total(found.positive & found.clearly_entity)
    estimate = _share(total(found.negative & found.seen), negatives)
    low = _share(_share(total(found.negative & found.clearly_entity), negatives), _share(clear, seen))
    return _rate(estimate, low, _share(total(found.negative & found.perhaps_entity), negatives))


def _positive(
    found: Contradictions, chosen: npt.NDArray[np.bool_], groups: npt.NDArray[np.int64], weights: Numbers
) -> Rate:
    """Return the rate of some entity labels."""
    if not chosen.any() or not found.negative.any():
        return Rate(0.0, 0.0, 1.0)

    def total(tokens: npt.NDArray[np.bool_]) -> Numbers:
        return _totals(tokens, groups, weights)

    positives = total(chosen)
    agreed, clear = total(found.negative & ~found.seen), total(found.negative & found.clearly_outside)
    surely_outside = _share(total(chosen & found.clearly_outside), positives)
    outside = np.minimum(1.0, _share(surely_outside, _share(clear, agreed)))
    right = 1 - outside
    for part in (found.type, found.position):
        right = right * (1 - _share(total(chosen & part.contradicted), total(chosen & part.decided)))
    return _rate(1 - right, surely_outside, _share(total(chosen & found.doubted), positives))


def _share(part: Numbers, whole: Numbers) -> Numbers:
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)


def _rate(estimate: Numbers, low: Numbers, high: Numbers) -> Rate:
    """Return the rate whose first values are those of the sentences themselves and whose others are drawn."""
    value = min(1.0, float(estimate[0]))
    lowest, highest = float(np.quantile(low, _TAIL)), float(np.quantile(np.maximum(estimate, high), 1 - _TAIL))
    return Rate(value, min(value, lowest), max(value, min(1.0, highest)))


def _tempered(rate: Rate, overall: Rate, tokens: int) -> Rate:
    """Return the rate of a type, pulled towards that of all types where few tokens speak for it."""
    own = tokens / (tokens + _PRIOR_TOKENS)
    value = own * rate.estimate + (1 - own) * overall.estimate
    return Rate(value, min(value, rate.low), max(value, rate.high))


def _totals(tokens: npt.NDArray[np.bool_], groups: npt.NDArray[np.int64], weights: Numbers) -> Numbers:
    """Return how many ``tokens`` there are, first in the sentences themselves, then in each draw of them."""
    counts = np.bincount(groups[tokens], minlength=weights.shape[1])
    totals: Numbers = weights @ counts
    return totals


def _group_numbers(sentences: int, groups: int, seed: int) -> npt.NDArray[np.int64]:
    numbers = np.zeros(sentences, dtype=np.int64)
    numbers[Dice(seed, "groups of sentences").shuffled(range(sentences))] = np.arange(sentences) % max(1, groups)
    return numbers


def _weights(sentences: int, seed: int) -> Numbers:
    """Return how often each group of sentences counts: once in the first row, then as drawn with replacement."""
    groups = max(1, min(sentences, _GROUPS))
    dice = Dice(seed, "draws of sentences")
    drawn = [np.bincount([dice.below(groups) for _ in range(groups)], minlength=groups) for _ in range(DRAWS)]
    return np.vstack([np.ones(groups), *drawn]).astype(np.float64)
