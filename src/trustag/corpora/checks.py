"""Checks for problems in a labelled corpus, one class per check.

A check gets the sentences one by one and then yields its findings. Checks with a method ``collect`` need two passes. A
finding is ``wrong`` if it is certainly an error, and ``look`` if a person should decide.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from trustag.noise.sentence_initial_words import SentenceInitialWords
from trustag.noise.truncated_entities import TruncatedEntities
from trustag.text.labels import OUTSIDE, similar_types
from trustag.text.schemes import Scheme, illegal_labels
from trustag.text.scripts import in_words
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import read_spans

Severity: TypeAlias = Literal["wrong", "look"]

LONG_SENTENCE: Final = 250
SHORT_SENTENCE: Final = 6
_MOJIBAKE = re.compile("[\u00c2\u00c3][\u0080-\u00bf]|\u00e2\u20ac")
_INVISIBLE: Final = {"Cf", "Zs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One kind of problem: how often it occurs, what to do about it, and the location and details of each case."""

    check: str
    severity: Severity
    count: int
    advice: str
    places: tuple[tuple[Source | None, str], ...]


class _FindingBuilder:
    """Collects the cases of one finding."""

    def __init__(self, check: str, severity: Severity, advice: str) -> None:
        self.check, self.severity, self.advice = check, severity, advice
        self.places: list[tuple[Source | None, str]] = []

    def add(self, source: Source | None, detail: str) -> None:
        self.places.append((source, detail))

    def findings(self) -> Iterator[Finding]:
        if self.places:
            yield Finding(self.check, self.severity, len(self.places), self.advice, tuple(self.places))


class IllegalLabels:
    """Labels that are illegal at their position in the scheme of the corpus."""

    def __init__(self, scheme: Scheme) -> None:
        self.scheme = scheme
        advice = "convert with --on-illegal repair to change them to what conlleval reads"
        self._found = _FindingBuilder(f"labels that are illegal in {scheme}", "wrong", advice)

    def add(self, sentence: Sentence) -> None:
        """Check one sentence."""
        for name, labels in (("", sentence.labels), (" (gold)", sentence.gold)):
            for token, before, after in illegal_labels(labels, self.scheme) if labels is not None else ():
                what = f"{before}{name} at {sentence.tokens[token]!r}, read as {after}"
                self._found.add(sentence.line_of(token), what)

    def findings(self) -> Iterator[Finding]:
        """Yield the findings."""
        yield from self._found.findings()


class Lengths:
    """Sentences without tokens, and sentences so long that sentence boundaries are probably missing."""

    def __init__(self) -> None:
        self._empty = _FindingBuilder(
            "sentences without tokens", "wrong", "remove them; some formats cannot store them"
        )
        self._long = _FindingBuilder(
            f"sentences of more than {LONG_SENTENCE} tokens", "look", "are blank lines missing between sentences?"
        )

    def add(self, sentence: Sentence) -> None:
        """Check one sentence."""
        if not sentence.tokens:
            self._empty.add(sentence.source, "no tokens")
        elif len(sentence.tokens) > LONG_SENTENCE:
            self._long.add(sentence.source, f"{len(sentence.tokens):,} tokens")

    def findings(self) -> Iterator[Finding]:
        """Yield the findings."""
        yield from self._empty.findings()
        yield from self._long.findings()


class Characters:
    """Signs of a wrong encoding, and invisible characters."""

    def __init__(self) -> None:
        self._broken = _FindingBuilder(
            "tokens with signs of a wrong encoding", "wrong", "read the original file with the right --encoding"
        )
        self._hidden = _FindingBuilder(
            "tokens with invisible characters", "look", "remove them; they make equal-looking words differ"
        )
        self._verdicts: dict[str, str] = {}

    def add(self, sentence: Sentence) -> None:
        """Check one sentence."""
        for token, text in enumerate(sentence.tokens):
            if text.isascii() and text.isprintable():
                continue
            verdict = self._verdicts.get(text)
            if verdict is None:
                verdict = self._verdicts[text] = _character_trouble(text)
            if verdict:
                builder = self._hidden if verdict.startswith("invisible") else self._broken
                builder.add(sentence.line_of(token), f"{text!r}: {verdict}")

    def findings(self) -> Iterator[Finding]:
        """Yield the findings."""
        yield from self._broken.findings()
        yield from self._hidden.findings()


def _character_trouble(text: str) -> str:
    if "\ufffd" in text:
        return "replacement character; the original is lost"
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
    """Repeated sentences: within a split, across splits (leakage), or with different labels (contradiction)."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, ...], tuple[str, Source | None, int]] = {}
        self._again = _FindingBuilder("sentences repeated within a split", "look", "they count more than once")
        self._leaked = _FindingBuilder(
            "sentences that occur in two splits", "wrong", "remove them; they inflate scores"
        )
        self._contradicting = _FindingBuilder(
            "repeated sentences with different labels",
            "wrong",
            "at most one of the labellings is right; those of several annotators: trustag merge",
        )

    def add(self, sentence: Sentence, split: str) -> None:
        """Check one sentence of ``split``."""
        if not sentence.tokens:
            return
        labels = hash(sentence.labels)
        first = self._seen.setdefault(sentence.tokens, (split, sentence.source, labels))
        if first == (split, sentence.source, labels):
            return
        first_split, first_source, first_labels = first
        what = f"{_shown(sentence)} (first at {first_source})"
        if first_split != split:
            self._leaked.add(sentence.source, what)
        elif len(sentence.tokens) < SHORT_SENTENCE:
            return  # short sentences are often repeated within a split, rightly
        elif first_labels == labels:
            self._again.add(sentence.source, what)
        if first_labels != labels and first_split == split:
            self._contradicting.add(sentence.source, what)

    def findings(self) -> Iterator[Finding]:
        """Yield the findings."""
        for builder in (self._leaked, self._contradicting, self._again):
            yield from builder.findings()


def _shown(sentence: Sentence) -> str:
    text = in_words(sentence.tokens)
    return text if len(text) <= 60 else text[:57] + "..."


class SurfaceForms:
    """The same words with several labels: two types, or sometimes an entity and sometimes not."""

    def __init__(self) -> None:
        self._types: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        self._lengths: defaultdict[str, set[int]] = defaultdict(set)

    def collect(self, sentence: Sentence) -> None:
        """First pass: collect the words that are an entity somewhere."""
        for start, end, kind in read_spans(sentence.labels):
            form = sentence.tokens[start:end]
            self._types[form][kind] += 1
            self._lengths[form[0]].add(len(form))

    def add(self, sentence: Sentence) -> None:
        """Second pass: count where the same words are labelled ``O``."""
        tokens, labels = sentence.tokens, sentence.labels
        for start, token in enumerate(tokens):
            if token in self._lengths and labels[start] == OUTSIDE:
                for length in self._lengths[token]:
                    form = tokens[start : start + length]
                    if form in self._types and set(labels[start : start + length]) == {OUTSIDE}:
                        self._types[form][OUTSIDE] += 1

    def findings(self) -> Iterator[Finding]:
        """Yield the findings; forms with the most minority labels come first."""
        several = {form: kinds for form, kinds in self._types.items() if len(kinds) > 1}
        ranked = sorted(several.items(), key=lambda item: (max(item[1].values()) - item[1].total(), item[0]))
        for check, wanted in (("with several types", True), ("sometimes as an entity, sometimes as O", False)):
            builder = _FindingBuilder(f"word forms labelled {check}", "look", "ambiguous, or label errors?")
            for form, kinds in ranked:
                if (len(kinds.keys() - {OUTSIDE}) > 1) is wanted:
                    shares = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
                    builder.add(None, f"{in_words(form)!r}: {shares}")
            yield from builder.findings()


def similar_type_findings(counts: Mapping[str, int]) -> Iterator[Finding]:
    """Yield a finding if some types are probably one; ``counts`` are the entities of each type."""
    found = _FindingBuilder("types that are probably one", "look", "rename all but one of them")
    for group in similar_types(counts):
        found.add(None, ", ".join(f"{kind!r} {counts[kind]:,}" for kind in group))
    yield from found.findings()


class SentenceStarts:
    """Sentence-initial common words that are labelled as an entity."""

    def __init__(self) -> None:
        self._words = SentenceInitialWords()
        advice = "check whether it is a name; training distrusts it (method.sentence_initial_words)"
        self._found = _FindingBuilder("sentence-initial common words labelled as an entity", "look", advice)

    def collect(self, sentence: Sentence) -> None:
        """First pass: count how common each word is."""
        self._words.add(sentence)

    def add(self, sentence: Sentence) -> None:
        """Second pass: check the first word of one sentence."""
        if self._words.begins_with_entity(sentence):
            self._found.add(sentence.line_of(0), f"{sentence.tokens[0]!r} is {sentence.labels[0]}")

    def findings(self) -> Iterator[Finding]:
        """Yield the findings."""
        yield from self._found.findings()


class LongerNames:
    """Truncated entities: one labelled word next to capitalised words without a label."""

    def __init__(self) -> None:
        self._finder = TruncatedEntities()
        advice = "check whether the whole run is the name; training lets models decide (method.truncated_entities)"
        self._found = _FindingBuilder("single labelled words in a longer run of capitalised words", "look", advice)

    def collect(self, sentence: Sentence) -> None:
        """First pass: collect how entities and other words are capitalised."""
        self._finder.add(sentence)

    def add(self, sentence: Sentence) -> None:
        """Second pass: check the entities of one sentence."""
        for whole, labelled in self._finder.find(sentence):
            words = in_words(sentence.tokens[whole.start : whole.stop])
            word, label = sentence.tokens[labelled], sentence.labels[labelled]
            self._found.add(sentence.line_of(labelled), f"{word!r} in {words!r} is {label}")

    def findings(self) -> Iterator[Finding]:
        """Yield the findings."""
        yield from self._found.findings()
