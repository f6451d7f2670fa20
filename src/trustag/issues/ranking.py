"""How likely each given label is wrong, on one scale for ``O`` and for entity labels.

Two kinds of models speak of a label: those that did not see it, and those that were trained on it, which show whether
it can be learned at all. They err for different reasons; their log-odds are averaged.

Neither is on the same scale for ``O`` labels as for entity labels. Where entities were missed, a model learns that half
of them are ``O``, doubts the right half as much as the wrong one, and so an unlikely entity label is a far weaker sign
of an error than an unlikely ``O``. The noise rates know better: with the log-odds of either group shifted to the point
where they add up to as many wrong labels as its rate says, both are on one scale. But rates are estimates, and far too
low where noise is systematic. So both are used, the log-odds as they stand and those shifted to the rates, and their
probabilities are averaged: a label that looks wrong to either stays high in the list. Clean sentences, where there are
some, show rates that include systematic noise, though they say less of random noise; then all three are averaged.
Labels that were ruled out beforehand, by what is known of words, keep a tenth of their chance to be right.
"""

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

Numbers: TypeAlias = npt.NDArray[np.floating[Any]]
Marks: TypeAlias = npt.NDArray[np.bool_]

LIKELY: Final = 0.5
"""A label above this is more likely wrong than right."""
_BELIEF_IN_RATES: Final = 0.4
_LEFT_IF_KNOWN_WRONG: Final = 0.1
_SMALLEST: Final = 1e-6
_WIDEST: Final = 40.0
_HALVINGS: Final = 60


@dataclass(frozen=True, slots=True)
class Ranking:
    """What to add to the log-odds against ``O`` labels and against entity labels, if the noise rates are right.

    ``clean`` are the same two by the rates that clean sentences show, where there are such.
    """

    negative: float = 0.0
    positive: float = 0.0
    clean: tuple[float, float] | None = None

    def how_wrong(
        self,
        confidence: Numbers,
        training_confidence: Numbers | None,
        is_entity: Marks,
        known_wrong: Marks | None = None,
    ) -> Numbers:
        """Return how likely labels are wrong, by the confidence of models that did not see them, and that did."""
        odds = against(confidence, training_confidence)
        shifted = from_log_odds(odds + np.where(is_entity, self.positive, self.negative))
        if self.clean is None:
            wrong = _BELIEF_IN_RATES * shifted + (1 - _BELIEF_IN_RATES) * from_log_odds(odds)
        else:
            negative, positive = self.clean
            wrong = (shifted + from_log_odds(odds + np.where(is_entity, positive, negative)) + from_log_odds(odds)) / 3
        return wrong if known_wrong is None else np.where(known_wrong, 1 - _LEFT_IF_KNOWN_WRONG * (1 - wrong), wrong)


def fitted_ranking(
    given: npt.NDArray[np.integer[Any]],
    confidence: Numbers,
    training_confidence: Numbers | None,
    rates: tuple[float, float],
    clean_rates: tuple[float, float] | None = None,
) -> Ranking:
    """Return the ranking for the labels of a corpus, numbered with ``O`` as 0 and negative where unknown.

    ``rates`` are the shares of the ``O`` labels and of the entity labels that are taken to be wrong; ``clean_rates``
    the same as clean sentences show them.
    """
    odds = against(confidence, training_confidence)
    outside, entity = odds[given == 0], odds[given > 0]
    shifts = _shift_to(outside, rates[0]), _shift_to(entity, rates[1])
    if clean_rates is None:
        return Ranking(*shifts)
    return Ranking(*shifts, (_shift_to(outside, clean_rates[0]), _shift_to(entity, clean_rates[1])))


def against(confidence: Numbers, training_confidence: Numbers | None) -> Numbers:
    """Return the log-odds against labels: the mean over both kinds of models, or those of the only one."""
    own = -log_odds(confidence)
    return own if training_confidence is None else (own - log_odds(training_confidence)) / 2


def shifted_to(wrong: Numbers, rate: float) -> Numbers:
    """Return how likely labels are wrong with all log-odds moved alike, so far that their mean is ``rate``.

    >>> shifted_to(np.array([0.2, 0.5, 0.8]), 0.5).round(2).tolist()
    [0.2, 0.5, 0.8]
    """
    odds = log_odds(wrong)
    return from_log_odds(odds + _shift_to(odds, rate))


def _shift_to(odds: Numbers, rate: float) -> float:
    """Return what makes the mean probability of ``odds`` equal to ``rate``; nothing where either gives no hold."""
    if not len(odds) or not 0.0 < rate < 1.0:
        return 0.0
    low, high = -_WIDEST, _WIDEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if from_log_odds(odds + middle).mean() > rate:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def log_odds(probabilities: Numbers) -> Numbers:
    """Return the log-odds of probabilities, of which none is taken for certain."""
    inside: Numbers = np.clip(np.asarray(probabilities, dtype=np.float64), _SMALLEST, 1.0 - _SMALLEST)
    return np.log(inside) - np.log1p(-inside)


def from_log_odds(odds: Numbers) -> Numbers:
    """Return the probabilities that log-odds stand for."""
    shares: Numbers = 1.0 / (1.0 + np.exp(-odds))
    return shares
