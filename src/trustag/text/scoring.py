"""Entity scores as conlleval and seqeval compute them: an entity is correct if its boundaries and its type are.

A share with an empty denominator is 0.0: precision without predicted entities, recall without gold entities, F1 without
either. So a labelling without entities scores 0.0 throughout. Unknown labels are not part of entities and do not count
for the token accuracy.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import TypeAlias

from trustag.errors import InputError
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.spans import Span, read_spans
from trustag.text.strict import read_strict_spans

LabelPair: TypeAlias = tuple[Sequence[Label], Sequence[Label]]


def share(part: float, whole: float) -> float:
    """Return ``part / whole``, or 0.0 if ``whole`` is 0."""
    return part / whole if whole else 0.0


@dataclass(frozen=True, slots=True)
class Counts:
    """The number of gold entities (``support``), of predicted entities (``found``), and of correct ones among these.

    >>> counts = Counts(correct=1, found=2, support=4)
    >>> counts.precision, counts.recall, round(counts.f1, 3)
    (0.5, 0.25, 0.333)
    """

    correct: int
    found: int
    support: int

    @property
    def precision(self) -> float:
        """The share of predicted entities that are correct; 0.0 if there are none."""
        return share(self.correct, self.found)

    @property
    def recall(self) -> float:
        """The share of gold entities that were found; 0.0 if there are none."""
        return share(self.correct, self.support)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall; 0.0 if no entity is correct."""
        return share(2 * self.correct, self.found + self.support)


@dataclass(frozen=True, slots=True)
class Average:
    """Precision, recall and F1 averaged over types, and the number of entities behind them."""

    precision: float
    recall: float
    f1: float
    support: int


@dataclass(frozen=True, slots=True)
class EntityScores:
    """The result of comparing a labelling with gold: entity counts by type (sorted by name) and token counts.

    ``compared`` tokens have a known label on both sides; ``alike`` of them have the same label.
    """

    by_type: Mapping[str, Counts]
    sentences: int
    tokens: int
    compared: int
    alike: int
    unknown_gold: int
    unknown_predicted: int

    def of_entities(self, by_type: Mapping[str, Counts]) -> "EntityScores":
        """Return these scores with other entity counts."""
        return replace(self, by_type=by_type)

    @property
    def micro(self) -> Counts:
        """The counts over all types; their F1 is the usual F1 of NER."""
        every = self.by_type.values()
        return Counts(sum(c.correct for c in every), sum(c.found for c in every), sum(c.support for c in every))

    @property
    def macro(self) -> Average:
        """The unweighted mean over types; 0.0 if there are no types."""
        return _averaged(self.by_type.values(), [1] * len(self.by_type))

    @property
    def weighted(self) -> Average:
        """The mean over types weighted by support; 0.0 if there are no gold entities."""
        return _averaged(self.by_type.values(), [counts.support for counts in self.by_type.values()])

    @property
    def accuracy(self) -> float:
        """The share of compared tokens with the same label, as written; 0.0 if no token can be compared."""
        return share(self.alike, self.compared)


def _averaged(every: Iterable[Counts], weights: Sequence[int]) -> Average:
    rows = list(zip(every, weights, strict=True))
    total = sum(weights)
    return Average(
        share(fsum(counts.precision * weight for counts, weight in rows), total),
        share(fsum(counts.recall * weight for counts, weight in rows), total),
        share(fsum(counts.f1 * weight for counts, weight in rows), total),
        sum(counts.support for counts, _ in rows),
    )


def entities_of(labels: Sequence[Label], strict: Scheme | None = None) -> list[Span]:
    """Return the entities of ``labels`` as conlleval reads them, or only those legal in the scheme ``strict``."""
    return read_spans(labels) if strict is None else read_strict_spans(labels, strict)


class EntityTally:
    """Counts entities one sentence at a time, so that the corpus need not be in memory.

    >>> tally = EntityTally()
    >>> tally.add(gold=["B-PER", "I-PER", "O"], predicted=["B-PER", "O", "O"])
    >>> tally.result().micro
    Counts(correct=0, found=1, support=1)
    """

    def __init__(self, strict: Scheme | None = None) -> None:
        self._strict = strict
        self._correct: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._support: Counter[str] = Counter()
        self._sentences = self._tokens = self._compared = self._alike = 0
        self._unknown_gold = self._unknown_predicted = 0

    def add(self, gold: Sequence[Label], predicted: Sequence[Label]) -> None:
        """Add one sentence; both labellings need one label per token."""
        check_lengths(gold, predicted)
        self._count_tokens(gold, predicted)
        expected = entities_of(gold, self._strict)
        found = entities_of(predicted, self._strict)
        self._support.update(span.type for span in expected)
        self._found.update(span.type for span in found)
        self._correct.update(span.type for span in set(expected).intersection(found))

    def _count_tokens(self, gold: Sequence[Label], predicted: Sequence[Label]) -> None:
        unknown_gold, unknown_predicted = gold.count(None), predicted.count(None)
        alike = sum(a == b for a, b in zip(gold, predicted, strict=True))
        unknown_both = 0
        if unknown_gold and unknown_predicted:
            unknown_both = sum(a is None and b is None for a, b in zip(gold, predicted, strict=True))
        self._sentences += 1
        self._tokens += len(gold)
        self._compared += len(gold) - unknown_gold - unknown_predicted + unknown_both
        self._alike += alike - unknown_both
        self._unknown_gold += unknown_gold
        self._unknown_predicted += unknown_predicted

    def result(self) -> EntityScores:
        """Return the scores of everything added so far."""
        types = sorted({*self._found, *self._support})
        return EntityScores(
            {kind: Counts(self._correct[kind], self._found[kind], self._support[kind]) for kind in types},
            self._sentences,
            self._tokens,
            self._compared,
            self._alike,
            self._unknown_gold,
            self._unknown_predicted,
        )


def check_lengths(gold: Sequence[Label], predicted: Sequence[Label]) -> None:
    """Raise an error if two labellings differ in length."""
    if len(gold) != len(predicted):
        raise InputError(
            f"{len(predicted)} predicted labels for {len(gold)} gold labels", remedy="give one label per token in both"
        )


def score_labels(pairs: Iterable[LabelPair], strict: Scheme | None = None) -> EntityScores:
    """Return the scores of (gold, predicted) labellings, one pair per sentence.

    By default, labels of any scheme are read as conlleval and seqeval read them. With ``strict``, an entity counts only
    if seqeval's strict mode accepts it in that scheme.

    >>> scores = score_labels([(["B-PER", "I-PER", "B-LOC"], ["I-PER", "I-PER", "B-ORG"])])
    >>> scores.micro.f1, sorted(scores.by_type)
    (0.5, ['LOC', 'ORG', 'PER'])
    >>> score_labels([(["B-PER", "I-PER"], ["I-PER", "I-PER"])], strict=Scheme.IOB2).micro.f1
    0.0
    """
    tally = EntityTally(strict)
    for gold, predicted in pairs:
        tally.add(gold, predicted)
    return tally.result()
