"""What is estimated of the true labels, however it was estimated, and what follows from it for spans."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trustag.aggregation.source_labels import Probabilities, SourceLabels
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.spans import Span

_FLOOR: Final = 1e-12


@dataclass(frozen=True)
class Estimate:
    """What is true with which probability: ``probabilities`` (tokens, labels) of IOB2 labels.

    ``continuing`` (tokens, labels) is the probability that a label stood at the token before and its entity goes on
    here; 0 for ``O`` and at the first token of a sentence. ``history`` is the log-likelihood by step of the estimation.
    """

    probabilities: Probabilities
    continuing: Probabilities
    history: tuple[float, ...] = ()

    @property
    def expected_entities(self) -> float:
        """The expected number of true entities."""
        return float(self.probabilities[:, 1::2].sum())

    def span_probability(self, labels: LabelSet, first: int, span: Span, length: int) -> float:
        """Return the probability that ``span``, in a sentence of ``length`` that begins at ``first``, is an entity."""
        begins = labels.index[f"B-{span.type}"] if f"B-{span.type}" in labels.index else labels.index["B"]
        found, label = float(self.probabilities[first + span.start, begins]), begins
        for token in range(span.start + 1, span.end):
            found *= self._goes_on(first + token, label)
            label = begins + 1
        return found * (1 - self._goes_on(first + span.end, label)) if span.end < length else found

    def _goes_on(self, token: int, label: int) -> float:
        """Return the probability that the entity of ``label``, where it stands before ``token``, goes on there."""
        before = max(float(self.probabilities[token - 1, label]), _FLOOR)
        return min(1.0, float(self.continuing[token, label]) / before)


def of_independent_tokens(sources: SourceLabels, probabilities: Probabilities) -> Estimate:
    """Return the estimate under which the labels of neighbouring tokens do not depend on each other."""
    continuing = np.zeros_like(probabilities)
    continuing[1:] = probabilities[:-1] * probabilities[1:][:, inside_labels(probabilities.shape[1])]
    continuing[sources.is_first] = 0.0
    continuing[:, 0] = 0.0
    return Estimate(probabilities, continuing)


def as_iobes(sources: SourceLabels, estimate: Estimate) -> tuple[LabelSet, Probabilities]:
    """Return the same probabilities for labels in IOBES: (tokens, labels)."""
    labels = LabelSet.of(sources.labels.types, Scheme.IOBES)
    going_on = np.zeros_like(estimate.continuing)
    going_on[:-1] = estimate.continuing[1:]
    ending = np.maximum(estimate.probabilities - going_on, 0.0)
    found = np.zeros((len(going_on), len(labels)))
    found[:, 0] = estimate.probabilities[:, 0]
    for number in range(len(sources.labels.types)):
        first, inner = 1 + 2 * number, 2 + 2 * number
        parts = (going_on[:, first], going_on[:, inner], ending[:, inner], ending[:, first])
        for position, part in zip("BIES", parts, strict=True):
            found[:, 1 + 4 * number + labels.positions.index(position)] = part
    return labels, found / found.sum(1, keepdims=True)


def inside_labels(size: int) -> NDArray[np.intp]:
    """Return for each of ``size`` IOB2 labels the one that goes on with its entity; ``O`` for ``O``.

    >>> inside_labels(5).tolist()
    [0, 2, 2, 4, 4]
    """
    return np.array([0, *(number + number % 2 for number in range(1, size))], dtype=np.intp)


def legal_pairs(size: int) -> NDArray[np.bool_]:
    """Return which of ``size`` IOB2 labels may follow which (labels, labels): ``O``, then B and I of each type."""
    legal = np.ones((size, size), dtype=np.bool_)
    for inside in range(2, size, 2):
        legal[:, inside] = False
        legal[[inside - 1, inside], inside] = True
    return legal


def best_labels(sources: SourceLabels, estimate: Estimate) -> NDArray[np.intp]:
    """Return the legal labels with the highest product of probabilities (tokens,): the Viterbi algorithm."""
    size = estimate.probabilities.shape[1]
    scores = np.log(np.maximum(estimate.probabilities, _FLOOR))
    forbidden = np.where(legal_pairs(size), 0.0, -np.inf)
    start = np.where(np.arange(size) % 2 == 1, 0.0, -np.inf)
    start[0] = 0.0
    best = np.zeros(len(scores), dtype=np.intp)
    for block in sources.blocks:
        for step, path in _backwards(block, scores, start, forbidden):
            here = block[step] >= 0
            best[block[step, here]] = path[here]
    return best


def _backwards(
    block: NDArray[np.intp], scores: Probabilities, start: Probabilities, forbidden: Probabilities
) -> Iterator[tuple[int, NDArray[np.intp]]]:
    """Yield the best label of each sentence of a block at each step, from the last step to the first."""
    is_token = block >= 0
    own = scores[np.where(is_token, block, 0)]
    reached = start + own[0]
    pointers = np.empty(own.shape, dtype=np.intp)
    for step in range(1, len(block)):
        through = reached[:, :, None] + forbidden
        pointers[step] = through.argmax(1)
        reached = np.where(is_token[step][:, None], through.max(1) + own[step], reached)
    path = reached.argmax(1)
    for step in range(len(block) - 1, -1, -1):
        yield step, path
        if step:
            path = np.where(is_token[step], pointers[step][np.arange(len(path)), path], path)
