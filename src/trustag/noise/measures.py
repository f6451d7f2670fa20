"""The noise of a labelling measured against gold labels: entity precision and recall, and token noise rates.

A rate with an empty denominator is 0.0. Tokens with an unknown label or gold label are not counted in any rate.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, Label, canonical_position, split_label
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.scoring import Counts, EntityTally, share
from trustag.text.sentences import Sentence

_TokenPair: TypeAlias = tuple[Label, Label]


@dataclass(frozen=True, slots=True)
class WrongPositives:
    """Counts of positive labels that differ from gold, by kind of error."""

    gold_outside: int
    wrong_type: int
    wrong_position: int
    both_wrong: int

    @property
    def total(self) -> int:
        """All wrong positive labels."""
        return self.gold_outside + self.wrong_type + self.wrong_position + self.both_wrong


@dataclass(frozen=True, slots=True)
class NoiseMeasures:
    """The noise of a labelling: entity counts against gold, and token counts in ``scheme`` (``None``: as written).

    ``negatives`` counts the tokens labelled ``O``; ``wrong_negatives`` counts those of them that are part of a gold
    entity.
    """

    scheme: Scheme | None
    entities: Counts
    tokens: int
    positives: int
    wrong_positives: WrongPositives
    negatives: int
    wrong_negatives: int
    unknown_labels: int
    unknown_gold: int

    @property
    def tau_p(self) -> float:
        """The share of positive labels that differ from gold."""
        return share(self.wrong_positives.total, self.positives)

    @property
    def tau_n(self) -> float:
        """The share of ``O`` labels whose gold label is not ``O``."""
        return share(self.wrong_negatives, self.negatives)


class NoiseTally:
    """Measures noise one sentence at a time.

    >>> tally = NoiseTally()
    >>> tally.add(gold=["B-PER", "I-PER", "O", "B-LOC"], predicted=["B-ORG", "I-PER", "O", "O"])
    >>> tally.result().tau_p, tally.result().tau_n, tally.result().wrong_positives.wrong_type
    (0.5, 0.5, 1)
    """

    def __init__(self, scheme: Scheme | None = None) -> None:
        self._scheme = scheme
        self._entities = EntityTally()
        self._pairs: Counter[_TokenPair] = Counter()

    def add(self, gold: Sequence[Label], predicted: Sequence[Label]) -> None:
        """Add the labels of one sentence (``predicted``) and its gold labels."""
        self._entities.add(gold, predicted)
        if self._scheme is not None:
            gold, predicted = convert_labels(gold, self._scheme), convert_labels(predicted, self._scheme)
        self._pairs.update(zip(predicted, gold, strict=True))

    def result(self) -> NoiseMeasures:
        """Return the measures of everything added so far."""
        scores = self._entities.result()
        positives = negatives = 0
        faults: Counter[str] = Counter()
        for (label, gold), count in self._pairs.items():
            if label is not None and gold is not None:
                faults[_fault(label, gold)] += count
                positives += count if label != OUTSIDE else 0
                negatives += count if label == OUTSIDE else 0
        return NoiseMeasures(
            scheme=self._scheme,
            entities=scores.micro,
            tokens=scores.tokens,
            positives=positives,
            wrong_positives=WrongPositives(
                faults["gold outside"], faults["wrong type"], faults["wrong position"], faults["both wrong"]
            ),
            negatives=negatives,
            wrong_negatives=faults["missed"],
            unknown_labels=scores.unknown_predicted,
            unknown_gold=scores.unknown_gold,
        )


def _fault(label: str, gold: str) -> str:
    """Return the kind of error of a known label, or an empty string if it is correct."""
    if label == OUTSIDE:
        return "" if gold == OUTSIDE else "missed"
    if gold == OUTSIDE:
        return "gold outside"
    position, kind = split_label(label)
    gold_position, gold_kind = split_label(gold)
    right_position = canonical_position(position) == canonical_position(gold_position)
    if kind == gold_kind:
        return "" if right_position else "wrong position"
    return "wrong type" if right_position else "both wrong"


def measure_noise(sentences: Iterable[Sentence], scheme: Scheme | None = None) -> NoiseMeasures:
    """Return the noise of the labels of ``sentences`` against their gold labels; tokens are compared in ``scheme``."""
    tally = NoiseTally(scheme)
    for sentence in sentences:
        if sentence.gold is None:
            raise InputError(
                "no gold labels to measure against", where=sentence.source, remedy="give a corpus with a gold column"
            )
        tally.add(sentence.gold, sentence.labels)
    return tally.result()
