"""What can be wrong with a labelled corpus, one check a class.

Every check sees each sentence once and then tells its findings. A finding is ``wrong`` when no healthy corpus has it,
``look`` when a person should judge.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from trustag.noise.sentence_initial_words import SentenceInitialWords
from trustag.noise.truncated_entities import TruncatedEntities
from trustag.text.labels import OUTSIDE
from trustag.text.schemes import Scheme, illegal_labels
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import read_spans

Severity: TypeAlias = Literal["wrong", "look"]

LONG_SENTENCE: Final = 250
SHORT_SENTENCE: Final = 6
_MOJIBAKE = re.compile("[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac")
_INVISIBLE: Final = {"Cf", "Zs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of trouble: how often it occurs, what to do about it, and each place with what was found there."""

    check: str
    severity: Severity
    count: int
    advice: str
    places: tuple[tuple[Source | None, str], ...]


class _Places:
    """A growing list of places for one finding."""

    def __init__(self, check: str, severity: Severity, advice: str) -> None:
        self.check, self.severity, self.advice = check, severity, advice
        self.places: list[tuple[Source | None, str]] = []

    def add(self, source: Source | None, detail: str) -> None:
        self.places.append((source, detail))

    def findings(self) -> Iterator[Finding]:
        if self.places:
            yield Finding(self.check, self.severity, len(self.places), self.advice, tuple(self.places))


class IllegalLabels:
    """Labels that the scheme of the corpus forbids where they stand."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        advice = "convert with --on-illegal repair to read them as conlleval does"
        self._places = _Places(f"labels illegal in {scheme}", "wrong", advice)

    def add(self, sentence: Sentence) -> None:
        """Look at one sentence."""
        for name, labels in (("", sentence.labels), (" (gold)", sentence.gold)):
            for token, before, after in illegal_labels(labels, self.scheme) if labels is not None else ():
                what = f"{before}{name} at {sentence.tokens[token]!r}, read as {after}"
                self._places.add(sentence.line_of(token), what)

    def findings(self) -> Iterator[Finding]:
        """Tell what was found."""
        yield from self._places.findings()


class Lengths:
    """Sentences without tokens, and sentences so long that sentence borders are probably missing."""

    def __init__(self) -> None:
        self._empty = _Places("sentences without tokens", "wrong", "remove them; most formats cannot hold them")
        self._long = _Places(
            f"sentences of more than {LONG_SENTENCE} tokens", "look", "are blank lines missing between sentences?"
        )

    def add(self, sentence: Sentence) -> None:
        """Look at one sentence."""
        if not sentence.tokens:
            self._empty.add(sentence.source, "no token")
        elif len(sentence.tokens) > LONG_SENTENCE:
            self._long.add(sentence.source, f"{len(sentence.tokens):,} tokens")

    def findings(self) -> Iterator[Finding]:
        """Tell what was found."""
        yield from self._empty.findings()
        yield from self._long.findings()


class Characters:
    """Signs of a wrong encoding, and characters nobody can see."""

    def __init__(self) -> None:
        self._broken = _Places(
            "tokens with signs of a wrong encoding", "wrong", "read the original again with --encoding"
        )
        self._hidden = _Places(
            "tokens with invisible characters", "look", "models see them, people do not; remove them"
        )
        self._verdicts: dict[str, str] = {}

    def add(self, sentence: Sentence) -> None:
        """Look at one sentence."""
        for token, text in enumerate(sentence.tokens):
            if text.isascii() and text.isprintable():
                continue
            verdict = self._verdicts.get(text)
            if verdict is None:
                verdict = self._verdicts[text] = _character_trouble(text)
            if verdict:
                places = self._hidden if verdict.startswith("invisible") else self._broken
                places.add(sentence.line_of(token), f"{text!r}: {verdict}")

    def findings(self) -> Iterator[Finding]:
        """Tell what was found."""
        yield from self._broken.findings()
        yield from self._hidden.findings()


def _character_trouble(text: str) -> str:
    if "\ufffd" in text:
        return "replacement character, the original is lost"
    if _MOJIBAKE.search(text):
        return "looks like UTF-8 read as another encoding"
    for character in text:
        category = unicodedata.category(character)
        if category in {"Cc", "Cs", "Cn"}:
            return f"control or unassigned character U+{ord(character):04X}"
        if category in _INVISIBLE and character != " ":
            return f"invisible character U+{ord(character):04X}"
    return ""


class Duplicates:
    """The same sentence again: within a split, across splits (leakage), or with other labels (contradiction)."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, ...], tuple[str, Source | None, int]] = {}
        self._again = _Places("sentences repeated within a split", "look", "they weigh twice in training and scores")
        self._leaked = _Places("sentences that occur in two splits", "wrong", "scores on them say nothing; remove them")
        self._contradicting = _Places(
            "repeated sentences with different labels", "wrong", "at most one of the labellings is right"
        )

    def add(self, sentence: Sentence, split: str) -> None:
        """Look at one sentence of ``split``."""
        if len(sentence.tokens) < SHORT_SENTENCE:
            return
        labels = hash(sentence.labels)
        first = self._seen.setdefault(sentence.tokens, (split, sentence.source, labels))
        if first == (split, sentence.source, labels):
            return
        first_split, first_source, first_labels = first
        what = f"{_shown(sentence)} (first at {first_source})"
        if first_split != split:
            self._leaked.add(sentence.source, what)
        elif first_labels == labels:
            self._again.add(sentence.source, what)
        if first_labels != labels and first_split == split:
            self._contradicting.add(sentence.source, what)

    def findings(self) -> Iterator[Finding]:
        """Tell what was found."""
        for places in (self._leaked, self._contradicting, self._again):
            yield from places.findings()


def _shown(sentence: Sentence) -> str:
    text = " ".join(sentence.tokens)
    return text if len(text) <= 60 else text[:57] + "..."


class SurfaceForms:
    """The same words labelled in several ways: with two types, or now as an entity and now as nothing."""

    def __init__(self) -> None:
        self._types: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)

    def collect(self, sentence: Sentence) -> None:
        """First pass: learn which words are entities somewhere."""
        for start, end, kind in read_spans(sentence.labels):
            form = sentence.tokens[start:end]
            self._types[form][kind] += 1
            self._lengths[form[0]].add(len(form))

    def add(self, sentence: Sentence) -> None:
        """Second pass: count where the same words are labelled as nothing at all."""
        tokens, labels = sentence.tokens, sentence.labels
        for start, token in enumerate(tokens):
            if token in self._lengths and labels[start] == OUTSIDE:
                for length in self._lengths[token]:
                    form = tokens[start : start + length]
                    if form in self._types and set(labels[start : start + length]) == {OUTSIDE}:
                        self._types[form][OUTSIDE] += 1

    def findings(self) -> Iterator[Finding]:
        """Tell what was found, the forms with the most dissenting labels first."""
        several = {form: kinds for form, kinds in self._types.items() if len(kinds) > 1}
        ranked = sorted(several.items(), key=lambda item: (max(item[1].values()) - item[1].total(), item[0]))
        for check, wanted in (("with several types", True), ("now as an entity, now as nothing", False)):
            places = _Places(f"word forms labelled {check}", "look", "ambiguous names are normal, slips are not")
            for form, kinds in ranked:
                if (len(kinds.keys() - {OUTSIDE}) > 1) is wanted:
                    shares = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
                    places.add(None, f"{' '.join(form)!r}: {shares}")
            yield from places.findings()


class SentenceStarts:
    """Common words labelled as an entity where they begin a sentence and have their capital letter from it."""

    def __init__(self) -> None:
        self._words = SentenceInitialWords()
        advice = "is it a name? training doubts it (confidence.common_words)"
        self._places = _Places("common words labelled as an entity at the start of a sentence", "look", advice)

    def collect(self, sentence: Sentence) -> None:
        """First pass: learn which words are common."""
        self._words.add(sentence)

    def add(self, sentence: Sentence) -> None:
        """Second pass: look at the first word of one sentence."""
        if self._words.begins_with_entity(sentence):
            self._places.add(sentence.line_of(0), f"{sentence.tokens[0]!r} is {sentence.labels[0]}")

    def findings(self) -> Iterator[Finding]:
        """Tell what was found."""
        yield from self._places.findings()


class LongerNames:
    """Single words labelled as an entity although capitalised words without a label stand beside them."""

    def __init__(self) -> None:
        self._finder = TruncatedEntities()
        advice = "is the whole run the name? training asks models (confidence.cut_names)"
        self._places = _Places("one word labelled in a longer run of capitalised words", "look", advice)

    def collect(self, sentence: Sentence) -> None:
        """First pass: learn what capital letters tell."""
        self._finder.add(sentence)

    def add(self, sentence: Sentence) -> None:
        """Second pass: look at the names of one sentence."""
        for whole, labelled in self._finder.find(sentence):
            words = " ".join(sentence.tokens[whole.start : whole.stop])
            word, label = sentence.tokens[labelled], sentence.labels[labelled]
            self._places.add(sentence.line_of(labelled), f"{word!r} in {words!r} is {label}")

    def findings(self) -> Iterator[Finding]:
        """Tell what was found."""
        yield from self._places.findings()
