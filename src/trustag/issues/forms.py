"""Forms: the same words with the same given label wherever they occur, to be decided on all at once.

Dictionaries label a name by the name, so a wrong entry is wrong nearly everywhere. A form is either an entity as it is
given, by its words and its type, or words at which no entity is given although models see one somewhere.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log2
from typing import Final, TypeAlias

from trustag.issues.issue import Issue
from trustag.text.labels import OUTSIDE
from trustag.text.sentences import REVIEWED, Sentence
from trustag.text.spans import read_spans

Words: TypeAlias = tuple[str, ...]

FORM_MARK: Final = "form "
OTHER_BOUNDARIES: Final = "other boundaries"
# How many occurrences the doubt in all forms counts for, beside the doubt in a form's own ones.
_SHARED_OCCURRENCES: Final = 1.0


@dataclass(frozen=True, slots=True)
class Occurrence:
    """Where a form occurs: tokens ``first`` to ``end`` (exclusive) of a sentence, and the issue there, if any."""

    sentence: int
    first: int
    end: int
    issue: Issue | None = None

    @property
    def id(self) -> str:
        """The name of the place, the same as that of an issue on just these tokens."""
        return f"{self.sentence}-{self.first}-{self.end}"

    @property
    def doubt(self) -> float:
        """How likely the given label is wrong here, as far as models doubt it."""
        return 0.0 if self.issue is None else self.issue.score

    def seen(self, given: str | None) -> str:
        """Return what models see where ``given`` is given: a type, ``O``, or that entities have other boundaries."""
        if self.issue is None:
            return given or OUTSIDE
        touching = [span for span in self.issue.suggested if span.start < self.end and span.end > self.first]
        if not touching:
            return OUTSIDE
        is_same_place = touching[0][:2] == (self.first, self.end)
        return touching[0].type if is_same_place else OTHER_BOUNDARIES


@dataclass(frozen=True, slots=True)
class Form:
    """Words with the type they are given, None where no entity is given, and everywhere they occur like that.

    ``gain`` is what a decision is expected to teach, in bits: over all occurrences where models see the same
    boundaries, how uncertain it is whether the given label is right.
    """

    words: Words
    given: str | None
    occurrences: tuple[Occurrence, ...]
    gain: float = 0.0

    @property
    def id(self) -> str:
        """A name that is the same in every corpus, and unlike that of any issue."""
        return FORM_MARK + json.dumps([self.given, *self.words], ensure_ascii=False)

    @property
    def text(self) -> str:
        """The words, with spaces between them."""
        return " ".join(self.words)

    @property
    def label(self) -> str:
        """The given type, or ``O``."""
        return self.given or OUTSIDE

    @property
    def errors(self) -> float:
        """How many occurrences look wrong to the models."""
        return sum(occurrence.doubt for occurrence in self.occurrences)

    @property
    def doubt(self) -> float:
        """The share of occurrences that look wrong to the models."""
        return self.errors / len(self.occurrences)

    @property
    def seen(self) -> dict[str, int]:
        """What models see how often, most frequent first: types, ``O``, or other boundaries."""
        return dict(Counter(occurrence.seen(self.given) for occurrence in self.occurrences).most_common())


def find_forms(sentences: Sequence[Sentence], issues: Iterable[Issue]) -> list[Form]:
    """Return every given form and every form that models miss, those first whose decision is expected to teach most.

    Labels that a person has reviewed are no occurrences, since nothing is left to be decided there. Nor are the words
    of a missed form where models see another entity that overlaps them.
    """
    by_sentence: defaultdict[int, list[Issue]] = defaultdict(list)
    for issue in issues:
        by_sentence[issue.sentence].append(issue)
    index = WordIndex(_missed_words(sentences, by_sentence))
    found: defaultdict[tuple[Words, str | None], list[Occurrence]] = defaultdict(list)
    for number, sentence in enumerate(sentences):
        for first, end, given in form_places(sentence, index):
            touching = [one for one in by_sentence.get(number, ()) if one.first < end and one.end > first]
            if given is not None or all((one.first, one.end) == (first, end) for one in touching):
                place = Occurrence(number, first, end, touching[0] if touching else None)
                found[sentence.tokens[first:end], given].append(place)
    return sorted(_with_gains(found), key=lambda form: (-form.gain, -len(form.occurrences), form.words, form.label))


def worst_first(forms: Iterable[Form]) -> list[Form]:
    """Return forms in the order of how many occurrences look wrong."""
    return sorted(forms, key=lambda form: (-form.errors, -len(form.occurrences), form.words, form.label))


class WordIndex:
    """Finds sequences of words in sentences."""

    def __init__(self, sequences: Iterable[Words]) -> None:
        by_first: defaultdict[str, set[Words]] = defaultdict(set)
        for words in sequences:
            by_first[words[0]].add(words)
        self._by_first = {first: sorted(own, key=len, reverse=True) for first, own in by_first.items()}

    def places(self, tokens: Words) -> Iterator[tuple[int, int]]:
        """Yield the first token and the end of every match, left to right, longer ones first."""
        for first, word in enumerate(tokens):
            for words in self._by_first.get(word, ()):
                if tokens[first : first + len(words)] == words:
                    yield first, first + len(words)


def form_places(sentence: Sentence, index: WordIndex) -> Iterator[tuple[int, int, str | None]]:
    """Yield the entities of a sentence, and the words of ``index`` where none is given (None), but nothing reviewed."""
    for start, end, kind in read_spans(sentence.labels):
        # A type of that name could not be told from no entity.
        if kind != OUTSIDE and _is_open(sentence, start, end):
            yield start, end, kind
    for first, end in index.places(sentence.tokens):
        if _is_open(sentence, first, end) and all(label == OUTSIDE for label in sentence.labels[first:end]):
            yield first, end, None


def _is_open(sentence: Sentence, first: int, end: int) -> bool:
    return sentence.token_sources is None or REVIEWED not in sentence.token_sources[first:end]


def _missed_words(sentences: Sequence[Sentence], by_sentence: dict[int, list[Issue]]) -> Iterator[Words]:
    for number, issues in by_sentence.items():
        for issue in issues:
            if not issue.given:
                yield from (sentences[number].tokens[span.start : span.end] for span in issue.suggested)


def _with_gains(found: dict[tuple[Words, str | None], list[Occurrence]]) -> Iterator[Form]:
    """Yield forms with their gains; missed and given forms differ in how much they are doubted on the whole."""
    same_boundaries = {
        key: [one.doubt for one in places if one.seen(key[1]) != OTHER_BOUNDARIES] for key, places in found.items()
    }
    shared = {
        is_missed: _mean(
            [doubt for key, own in same_boundaries.items() if (key[1] is None) == is_missed for doubt in own]
        )
        for is_missed in (True, False)
    }
    for (words, given), places in found.items():
        doubts = same_boundaries[words, given]
        weight = len(doubts) + _SHARED_OCCURRENCES
        wrong = (sum(doubts) + _SHARED_OCCURRENCES * shared[given is None]) / weight
        yield Form(words, given, tuple(places), len(doubts) * entropy(wrong))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def entropy(probability: float) -> float:
    """Return how much is learned from the answer to a question that is "yes" with this probability, in bits.

    >>> entropy(0.5), entropy(1.0)
    (1.0, 0.0)
    """
    return fsum(-share * log2(share) for share in (probability, 1.0 - probability) if 0.0 < share < 1.0)
