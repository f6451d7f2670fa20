"""Pair two labellings of the same text, sentence by sentence, and check that the tokens are the same."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Final

from trustag.errors import InputError
from trustag.text.labels import OUTSIDE, Label
from trustag.text.schemes import Scheme, SchemeEvidence, scheme_of_pairs
from trustag.text.scoring import LabelPair
from trustag.text.sentences import Sentence, Source
from trustag.text.strict import first_foreign_label, foreign_label_error

_REMEDY: Final = "compare labellings of the same sentences and tokens, in the same order"


def paired_labels(
    gold: Iterable[Sentence], predicted: Iterable[Sentence], strict: Scheme | None = None
) -> Iterator[LabelPair]:
    """Yield the gold and predicted labels of each sentence, with only one pair of sentences in memory at a time.

    Sentences of ``gold`` with gold labels are compared by these. If the tokens differ, an error names both locations.
    A label that does not exist in the scheme ``strict`` is an error too. Sentences without tokens are skipped, since
    some formats cannot represent them.
    """
    for truth, guess in same_sentences((gold, predicted)):
        truth_labels = truth.labels if truth.gold is None else truth.gold
        yield _checked(truth_labels, truth, strict), _checked(guess.labels, guess, strict)


def same_sentences(corpora: Sequence[Iterable[Sentence]]) -> Iterator[tuple[Sentence, ...]]:
    """Yield the sentences of several labellings of one text side by side; any other text is an error.

    Only one sentence of each is in memory at a time. Sentences without tokens are skipped.
    """
    last: tuple[Sentence | None, ...] = (None,) * len(corpora)
    for number, row in enumerate(zip_longest(*map(_with_tokens, corpora)), start=1):
        first, present = row[0], [sentence for sentence in row if sentence is not None]
        if len(present) < len(row):
            missing = next(side for side, sentence in enumerate(row) if sentence is None)
            raise _missing_sentence(present[0], last[missing], number)
        for other in present[1:]:
            if first.tokens != other.tokens:
                raise _different_tokens(first, other)
        yield tuple(present)
        last = row


def labels_beside_gold(sentences: Iterable[Sentence], strict: Scheme | None = None) -> Iterator[LabelPair]:
    """Yield the gold labels and the labels of each sentence; a sentence without gold labels is an error."""
    for sentence in _with_tokens(sentences):
        if sentence.gold is None:
            raise InputError(
                "no gold labels to compare with",
                where=sentence.source,
                remedy="name the gold column, as in --columns token,label,gold, or give two files: GOLD PRED",
            )
        yield _checked(sentence.gold, sentence, strict), _checked(sentence.labels, sentence, strict)


class SchemesTally:
    """Detects the schemes of two labellings, one sentence at a time."""

    def __init__(self) -> None:
        self._gold: Counter[tuple[Label, Label]] = Counter()
        self._predicted: Counter[tuple[Label, Label]] = Counter()

    def add(self, gold: Sequence[Label], predicted: Sequence[Label]) -> None:
        """Add the labels of one sentence."""
        self._gold.update(zip((OUTSIDE, *gold), (*gold, OUTSIDE), strict=True))
        self._predicted.update(zip((OUTSIDE, *predicted), (*predicted, OUTSIDE), strict=True))

    def result(self) -> tuple[SchemeEvidence, SchemeEvidence]:
        """Return the schemes of gold and predicted labels."""
        return scheme_of_pairs(self._gold), scheme_of_pairs(self._predicted)


def _with_tokens(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    return (sentence for sentence in sentences if sentence.tokens)


def _checked(labels: tuple[Label, ...], sentence: Sentence, strict: Scheme | None) -> tuple[Label, ...]:
    foreign = None if strict is None else first_foreign_label(labels, strict)
    if strict is not None and foreign is not None:
        raise foreign_label_error(labels[foreign], strict, sentence.line_of(foreign))
    return labels


def _missing_sentence(present: Sentence, last: Sentence | None, number: int) -> InputError:
    """Return the error for a sentence that not all sides have."""
    ended = "is empty" if last is None else f"ends with sentence {number - 1} at {_location(last)}"
    finding = f"sentence {number} exists only here: the other labelling {ended}"
    return InputError(finding, where=present.source, remedy=_REMEDY)


def _different_tokens(gold: Sentence, predicted: Sentence) -> InputError:
    """Return the error for two sentences whose tokens differ, at the first difference."""
    both = zip(gold.tokens, predicted.tokens, strict=False)
    shared = min(len(gold), len(predicted))
    token = next((number for number, (a, b) in enumerate(both) if a != b), shared)
    if token < shared:
        location = predicted.line_of(token)
        finding = f"token {gold.tokens[token]!r}, but {location} has {predicted.tokens[token]!r}"
        return InputError(finding, where=gold.line_of(token), remedy=_REMEDY)
    longer, shorter = (gold, predicted) if len(gold) > shared else (predicted, gold)
    finding = f"token {longer.tokens[token]!r}, but the sentence at {_location(shorter)} ends after {shared} tokens"
    return InputError(finding, where=longer.line_of(token), remedy=_REMEDY)


def _location(sentence: Sentence) -> Source:
    return sentence.source or Source("an unknown location")
