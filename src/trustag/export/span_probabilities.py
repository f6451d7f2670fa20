"""The exact probability of entities from the messages of a CRF, with numpy alone.

The same sums as in ``trustag.crf.span_posteriors``, which is the readable version and the reference in the tests.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from trustag.text.labels import OUTSIDE, canonical_position, entity_types, split_label
from trustag.text.spans import Span

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class CRFMessages:
    """Scores and messages of a batch, (tokens, sentences, labels), log-partitions and lengths (sentences,).

    All are divided by the temperature of the model already.
    """

    scores: Scores
    forward: Scores
    backward: Scores
    log_partition: Scores
    lengths: npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SpanGrammar:
    """Which labels follow each other inside an entity, the labels of each type (padded with -1), and the chain."""

    continues: npt.NDArray[np.bool_]
    type_labels: npt.NDArray[np.int64]
    types: dict[str, int]
    transitions: Scores
    start: Scores
    end: Scores

    @classmethod
    def of(cls, labels: Sequence[str], transitions: Scores, start: Scores, end: Scores) -> Self:
        """Return the grammar of ``labels`` with the scores of a chain at its temperature."""
        parts = [("", "") if label == OUTSIDE else split_label(label) for label in labels]
        known = [(canonical_position(position) if position else "", kind) for position, kind in parts]
        continues = np.array(
            [
                [before in {"B", "I"} and after in {"I", "E"} and kind == next_kind for after, next_kind in known]
                for before, kind in known
            ]
        )
        types = {kind: number for number, kind in enumerate(entity_types(labels))}
        own = [[label for label, (_, kind) in enumerate(known) if kind == wanted] for wanted in types]
        width = max(map(len, own), default=0)
        padded = np.array([row + [-1] * (width - len(row)) for row in own], np.int64).reshape(len(own), width)
        return cls(continues, padded, types, transitions, start, end)

    def probabilities(self, found: CRFMessages, spans: Sequence[Sequence[Span]]) -> list[float]:
        """Return the probability that each span is an entity of its type, sentence after sentence."""
        rows = [(sentence, s.start, s.end, self.types[s.type]) for sentence, own in enumerate(spans) for s in own]
        if not rows:
            return []
        sentence, start, end, kind = np.array(rows).T
        padded = self.type_labels[kind]
        labels = padded.clip(0)
        own = found.scores[start[:, None], sentence[:, None], labels]
        own[padded < 0] = -np.inf
        with np.errstate(invalid="ignore", divide="ignore"):
            forward = self._entering(found, sentence, start, labels) + own
            inner = labels[:, :, None], labels[:, None, :]
            transitions = np.where(self.continues[inner], self.transitions[inner], -np.inf)
            widths = end - start
            for offset in range(1, int(widths.max())):
                token = np.minimum(start + offset, end - 1)
                scores = found.scores[token[:, None], sentence[:, None], labels]
                further = _log_sum(forward[:, :, None] + transitions, 1) + scores
                forward = np.where((offset < widths)[:, None], further, forward)
            leaving = self._leaving(found, sentence, end, labels)
            total = _log_sum(forward + leaving, 1) - found.log_partition[sentence]
        probabilities: list[float] = np.exp(total).clip(0, 1).tolist()
        return probabilities

    def _entering(
        self,
        found: CRFMessages,
        sentence: npt.NDArray[np.int64],
        start: npt.NDArray[np.int64],
        labels: npt.NDArray[np.int64],
    ) -> Scores:
        """Return the log-sums over the label sequences that enter ``labels`` without continuing an entity."""
        before = found.forward[(start - 1).clip(0), sentence]
        moves = np.where(self.continues.T[labels], -np.inf, self.transitions.T[labels])
        inner = _log_sum(before[:, None] + moves, 2)
        return np.where((start == 0)[:, None], self.start[labels], inner)

    def _leaving(
        self,
        found: CRFMessages,
        sentence: npt.NDArray[np.int64],
        end: npt.NDArray[np.int64],
        labels: npt.NDArray[np.int64],
    ) -> Scores:
        """Return the log-sums over the label sequences that leave ``labels`` without continuing the entity."""
        following = end.clip(max=len(found.scores) - 1)
        after = found.scores[following, sentence] + found.backward[following, sentence]
        moves = np.where(self.continues[labels], -np.inf, self.transitions[labels])
        inner = _log_sum(after[:, None] + moves, 2)
        return np.where((end == found.lengths[sentence])[:, None], self.end[labels], inner)


def _log_sum(values: Scores, axis: int) -> Scores:
    """Return the log-sum-exp along ``axis``; of nothing but minus infinity it is minus infinity."""
    largest = values.max(axis, keepdims=True)
    safe = np.where(np.isfinite(largest), largest, 0.0)
    sums: Scores = np.log(np.exp(values - safe).sum(axis)) + safe.squeeze(axis)
    return sums
