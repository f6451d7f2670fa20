"""Decisions put into the corpus: corrected sentences, and what became of every label that was decided on."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from trustag.notes import Note, Watch
from trustag.review.decisions import Decision
from trustag.text.labels import OUTSIDE, Label
from trustag.text.schemes import Scheme, merged_by, write_spans
from trustag.text.sentences import GIVEN, REVIEWED, Sentence
from trustag.text.spans import Span, read_spans


@dataclass(frozen=True, slots=True)
class Change:
    """A decision that was applied: the words it is about, and their labels before and after."""

    decision: Decision
    words: tuple[str, ...]
    before: tuple[Label, ...]
    after: tuple[Label, ...]

    @property
    def changed(self) -> int:
        """How many labels are other ones now."""
        return sum(old != new for old, new in zip(self.before, self.after, strict=True))

    def as_record(self) -> dict[str, Any]:
        """Return the same for a list of changes in JSON."""
        decision = self.decision
        return {
            "issue": decision.issue or None,
            "sentence": decision.sentence,
            "first": decision.first,
            "end": decision.end,
            "words": self.words,
            "before": self.before,
            "after": self.after,
            "verdict": decision.verdict,
            "reviewer": decision.reviewer or None,
            "at": decision.at or None,
            "comment": decision.comment or None,
        }


@dataclass(frozen=True, slots=True)
class Corrected:
    """A corpus after review, and everything that was done to it."""

    sentences: tuple[Sentence, ...]
    changes: tuple[Change, ...]


def correct(sentences: Sequence[Sentence], decisions: Iterable[Decision], scheme: Scheme, watch: Watch) -> Corrected:
    """Return ``sentences`` with what was decided, in the order of ``decisions``; labels decided on are marked reviewed.

    A label that was confirmed is marked like one that was changed. Where two decisions share tokens the later one
    counts, and that is noted.
    """
    by_sentence: defaultdict[int, list[Decision]] = defaultdict(list)
    for decision in decisions:
        by_sentence[decision.sentence].append(decision)
    corrected, changes = [], []
    for number, sentence in enumerate(sentences):
        own = by_sentence.get(number, [])
        done = _corrected(sentence, own, scheme, watch)
        # Formats in columns need the sources of all labels or of none.
        corrected.append(done if not by_sentence or done.token_sources else replace(done, token_sources=_sources(done)))
        for decision in own:
            place = slice(decision.first, decision.end)
            changes.append(Change(decision, sentence.tokens[place], sentence.labels[place], done.labels[place]))
    return Corrected(tuple(corrected), tuple(changes))


def with_decision(spans: Iterable[Span], decision: Decision) -> list[Span]:
    """Return the entities of a sentence after a decision: those of the decision take the place of all they touch."""
    others = (span for span in spans if span.end <= decision.first or span.start >= decision.end)
    return sorted((*others, *decision.spans))


def _corrected(sentence: Sentence, decisions: Sequence[Decision], scheme: Scheme, watch: Watch) -> Sentence:
    spans: list[Span] = read_spans(sentence.labels)
    base, sources = list(sentence.labels), list(_sources(sentence))
    decided: dict[int, Decision] = {}
    for decision in decisions:
        tokens = range(decision.first, decision.end)
        _note_overlap({token: decided[token] for token in tokens if token in decided}, decision, sentence, watch)
        decided.update(dict.fromkeys(tokens, decision))
        for token in tokens:
            sources[token] = REVIEWED
        if decision.verdict != "rejected" or decision.spans != _touched(spans, decision):
            spans = with_decision(spans, decision)
            base[decision.first : decision.end] = [OUTSIDE] * len(tokens)
    if not decisions:
        return sentence
    if spans == read_spans(sentence.labels) and base.count(None) == sentence.labels.count(None):
        return replace(sentence, token_sources=tuple(sources))
    for left, right in merged_by(scheme, spans):
        words = " ".join(sentence.tokens[left.start : right.end])
        watch(Note("suspicious", "neighbours become one", f"{scheme} cannot keep them apart: {words}", sentence.source))
    return replace(sentence, labels=write_spans(spans, base, scheme), token_sources=tuple(sources))


def _touched(spans: Iterable[Span], decision: Decision) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.start < decision.end and span.end > decision.first)


def _note_overlap(earlier: Mapping[int, Decision], decision: Decision, sentence: Sentence, watch: Watch) -> None:
    if earlier and any(before.spans != decision.spans for before in earlier.values()):
        words = " ".join(sentence.tokens[token] for token in earlier)
        watch(Note("suspicious", "two decisions on the same words", f"the later one counts: {words}", sentence.source))


def _sources(sentence: Sentence) -> tuple[str, ...]:
    return sentence.token_sources or (GIVEN,) * len(sentence)
