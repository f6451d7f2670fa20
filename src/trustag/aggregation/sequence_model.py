"""Sources as noisy observers of a hidden sequence of true labels, estimated without gold labels.

The true labels of a sentence are a Markov chain. How a source errs depends on what it and the truth were at the token
before. Where it gave no entity label before, it confuses labels by a matrix of its own. Where it did, it goes on, ends
or begins anew, and only that counts: whoever took *New York Times* for a place was wrong once, not three times. Both
are given apart for tokens after a true ``O`` and after a true entity label, so that the rest of a missed or an invented
name is no further evidence either. The parameters are fitted by expectation maximisation, starting from the votes.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trustag.aggregation.confusion import shared_positions, smoothed, smoothed_positions
from trustag.aggregation.source_labels import UNKNOWN, Indices, Probabilities, SourceLabels
from trustag.aggregation.true_labels import Estimate, inside_labels, legal_pairs
from trustag.aggregation.voting import vote_shares

_ITERATIONS: Final = 100
_CONVERGED: Final = 1e-6
_FLOOR: Final = 1e-12
_AFTER_O, _AFTER_ENTITY = 0, 1


@dataclass(frozen=True)
class SequenceParameters:
    """How true labels follow each other, and how each source gives them.

    ``start`` (labels,), ``transitions`` (labels, labels); ``outside`` (sources, 2, true, given) is what a source gives
    after no entity label of its own, after a true ``O`` or entity label; ``inside`` (sources, 2, 3, 3) the same by
    position (O, B, I) after an entity label of its own.
    """

    start: Probabilities
    transitions: Probabilities
    outside: Probabilities
    inside: Probabilities


@dataclass(frozen=True)
class Expected:
    """What is expected of the true labels under some parameters.

    ``pairs`` (tokens, 2, labels) are the probabilities of each label after ``O`` and after an entity label,
    ``continuing`` (tokens, labels) those that each label stood before and its entity goes on here.
    """

    pairs: Probabilities
    continuing: Probabilities
    transitions: Probabilities
    log_likelihood: float


def fit_sequences(sources: SourceLabels) -> tuple[SequenceParameters, Estimate]:
    """Return how each source errs and what is true, as far as the sources agree."""
    expected = _voted(sources)
    history: list[float] = []
    while True:
        parameters = _maximised(sources, expected)
        expected = messages(sources, log_emissions(sources, parameters), parameters)
        history.append(expected.log_likelihood)
        is_flat = len(history) > 1 and history[-1] - history[-2] <= _CONVERGED * abs(history[-2])
        if is_flat or len(history) == _ITERATIONS:
            return parameters, Estimate(expected.pairs.sum(1), expected.continuing, tuple(history))


def log_emissions(sources: SourceLabels, parameters: SequenceParameters) -> Probabilities:
    """Return the log-probability of what all sources gave, by the truth before and here: (tokens, 2, labels)."""
    positions = shared_positions(len(sources.labels))
    total = np.zeros((len(sources.indices), 2, len(sources.labels)))
    for source, (given, before) in enumerate(zip(sources.indices.T, sources.before.T, strict=True)):
        outside = np.log(np.maximum(parameters.outside[source], _FLOOR))
        inside = np.log(np.maximum(parameters.inside[source], _FLOOR))[:, positions]
        apart, within = _contexts(given, before)
        total[apart] += outside.transpose(2, 0, 1)[given[apart]]
        total[within] += inside.transpose(2, 0, 1)[positions[given[within]]]
    return total


def _contexts(given: Indices, before: Indices) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which given labels follow none and which follow an entity label of the same source."""
    known = given != UNKNOWN
    return known & (before <= 0), known & (before > 0)


def _voted(sources: SourceLabels) -> Expected:
    """Return what would be expected if the votes were the truth and tokens were independent."""
    shares = vote_shares(sources)
    before = np.zeros_like(shares)
    before[1:] = shares[:-1]
    before[sources.is_first] = 0.0
    before[sources.is_first, 0] = 1.0
    apart = before[:, :1]
    pairs = np.stack((shares * apart, shares * (1 - apart)), 1)
    later = ~sources.is_first
    return Expected(pairs, before, before[later].T @ shares[later], -np.inf)


def messages(sources: SourceLabels, logits: Probabilities, parameters: SequenceParameters) -> Expected:
    """Return what is expected of the true labels, by forward and backward messages; ``logits`` (tokens, 2, labels)."""
    pairs = np.zeros_like(logits)
    continuing = np.zeros(pairs.shape[::2])
    transitions = np.zeros_like(parameters.transitions)
    own_inside = inside_labels(pairs.shape[2])
    going_on = parameters.transitions[np.arange(len(own_inside)), own_inside]
    after_o, after_entity = parameters.transitions[:1], parameters.transitions[1:]
    likelihood = 0.0
    for block in sources.blocks:
        is_token = block >= 0
        own = logits[np.where(is_token, block, 0)]
        highest = own.max((2, 3), keepdims=True)
        emitted = np.exp(own - highest)
        forward, scales = np.empty(emitted[:, :, 0].shape), np.ones(block.shape)
        for step, here in enumerate(is_token):
            if step:
                last = forward[step - 1]
                message = (last[:, :1] @ after_o) * emitted[step, :, 0] + (last[:, 1:] @ after_entity) * emitted[
                    step, :, 1
                ]
            else:
                message = parameters.start * emitted[0, :, 0]
            scales[step] = np.where(here, message.sum(1), 1.0)
            forward[step] = message / scales[step][:, None]
        backward = np.ones(forward.shape[1:])
        for step in range(len(block) - 1, -1, -1):
            here = is_token[step]
            after = (emitted[step] * backward[:, None] / scales[step][:, None, None])[here]
            numbers = block[step, here]
            if step == 0:
                pairs[numbers, 0] = parameters.start * after[:, 0]
                continue
            last = forward[step - 1][here]
            pairs[numbers, 0] = (last[:, :1] @ after_o) * after[:, 0]
            pairs[numbers, 1] = (last[:, 1:] @ after_entity) * after[:, 1]
            continuing[numbers] = last * going_on * after[:, 1, own_inside]
            transitions[:1] += last[:, :1].T @ after[:, 0]
            transitions[1:] += last[:, 1:].T @ after[:, 1]
            backward[here] = np.concatenate((after[:, 0] @ after_o.T, after[:, 1] @ after_entity.T), 1)
        likelihood += float(np.log(scales[is_token]).sum() + highest[..., 0, 0][is_token].sum())
    total = pairs.sum((1, 2))
    continuing[:, 0] = 0.0
    return Expected(
        pairs / total[:, None, None],
        continuing / total[:, None],
        transitions * parameters.transitions,
        likelihood,
    )


def _maximised(sources: SourceLabels, expected: Expected) -> SequenceParameters:
    """Return the parameters under which what is expected is most likely."""
    size, positions = len(sources.labels), shared_positions(len(sources.labels))
    start = expected.pairs[sources.is_first, 0].sum(0) + 1.0
    legal = legal_pairs(size)
    transitions = (expected.transitions + 0.1) * legal
    outside = np.zeros((len(sources.names), 2, size, size))
    inside = np.zeros((len(sources.names), 2, 3, 3))
    for source, (given, before) in enumerate(zip(sources.indices.T, sources.before.T, strict=True)):
        apart, within = _contexts(given, before)
        for label in range(size):
            outside[source, :, :, label] = expected.pairs[apart & (given == label)].sum(0)
            by_position = expected.pairs[within & (given == label)].sum(0)
            for position in range(3):
                inside[source, :, position, positions[label]] += by_position[:, positions == position].sum(1)
    start[2::2] = 0.0
    return SequenceParameters(
        start / start.sum(),
        transitions / transitions.sum(1, keepdims=True),
        smoothed(outside),
        smoothed_positions(inside),
    )
