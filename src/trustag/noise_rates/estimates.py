"""Estimated noise rates: what they are, how labels are grouped for them, and how sampling error is found."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.text.label_sets import LabelSet
from trustag.text.labels import split_label
from trustag.text.resampling import TAIL, Numbers, Resampling

Marks: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = npt.NDArray[np.integer[Any]]

DRAWS: Final = 200
_PRIOR_TOKENS: Final = 10  # a type with this many tokens takes half of its rate from all types together


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of wrong labels, and the range it can be expected in; without any label to look at it is 0 to 1."""

    estimate: float
    low: float
    high: float


NOTHING_KNOWN: Final = Rate(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class EstimatedRates:
    """Estimated noise: of ``O`` labels, of entity labels, of those of each type, of each label; and what was counted.

    ``negative`` is the share of ``O`` labels that should be something else, ``positive`` the share of entity labels
    that should be another label (``tau_n`` and ``tau_p`` of the paper). Tokens with an ``unknown`` label have no part.
    """

    negative: Rate
    positive: Rate
    by_type: Mapping[str, Rate]
    by_label: Mapping[str, Rate]
    negatives: int
    positives: int
    positives_by_type: Mapping[str, int]
    unknown: int


def token_resampling(lengths: Sequence[int], seed: int) -> Resampling:
    """Return the draws of sentences of these ``lengths`` in which tokens are counted."""
    return Resampling(lengths, DRAWS, seed, "sentences")


def rate_of_draws(estimate: Numbers, low: Numbers, high: Numbers) -> Rate:
    """Return the rate whose first values are those of the sentences themselves and whose others are drawn."""
    value = min(1.0, float(estimate[0]))
    lowest, highest = float(np.quantile(low, TAIL)), float(np.quantile(np.maximum(estimate, high), 1 - TAIL))
    return Rate(value, min(value, lowest), max(value, min(1.0, highest)))


def grouped_rates(
    numbers: Indices, labels: LabelSet, negative: Rate, rate_of: Callable[[Marks], Rate]
) -> EstimatedRates:
    """Return the rates of all label ``numbers`` and of their groups; ``rate_of`` estimates that of some entity labels.

    The rate of a type is pulled towards that of all types where few tokens speak for it, that of a label towards that
    of its type.
    """
    overall = rate_of(numbers > 0)
    kinds = [split_label(label)[1] for label in labels.labels[1:]]
    members = {kind: [number for number, own in enumerate(kinds, start=1) if own == kind] for kind in labels.types}
    tokens = {kind: np.isin(numbers, own) for kind, own in members.items()}
    by_type = {kind: _tempered(rate_of(own), overall, int(own.sum())) for kind, own in tokens.items()}
    by_label = {
        label: _tempered(rate_of(numbers == number), by_type[kind], int((numbers == number).sum()))
        for number, (label, kind) in enumerate(zip(labels.labels[1:], kinds, strict=True), start=1)
    }
    return EstimatedRates(
        negative=negative,
        positive=overall,
        by_type=by_type,
        by_label=by_label,
        negatives=int((numbers == 0).sum()),
        positives=int((numbers > 0).sum()),
        positives_by_type={kind: int(own.sum()) for kind, own in tokens.items()},
        unknown=int((numbers < 0).sum()),
    )


def _tempered(rate: Rate, wider: Rate, tokens: int) -> Rate:
    """Return the rate of a group, pulled towards that of a wider one where few tokens speak for it."""
    own = tokens / (tokens + _PRIOR_TOKENS)
    value = own * rate.estimate + (1 - own) * wider.estimate
    return Rate(value, min(value, rate.low), max(value, rate.high))
