"""Decisions applied to the corpus: the corrected sentences, and what each decision changed."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from trustag.notes import Note, Watch
from trustag.review.entries import ReviewDecision
from trustag.text.labels import OUTSIDE, Label
from trustag.text.schemes import Scheme, merged_by, write_spans
from trustag.text.sentences import GIVEN, REVIEWED, Sentence
from trustag.text.spans import Span, read_spans


@dataclass(frozen=True, slots=True)
class AppliedChange:
    """A decision that was applied: its words, and their labels before and after."""

    decision: ReviewDecision
    words: tuple[str, ...]
    before: tuple[Label, ...]
    after: tuple[Label, ...]

    @property
    def changed(self) -> int:
        """The number of labels that changed."""
        return sum(old != new for old, new in zip(self.before, self.after, strict=True))

    def as_record(self) -> dict[str, Any]:
        """Return the change as a record for JSON lines."""
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
class CorrectedCorpus:
    """A corpus after review, and every change that was made to it."""

    sentences: tuple[Sentence, ...]
    changes: tuple[AppliedChange, ...]


def correct(
    sentences: Sequence[Sentence], decisions: Iterable[ReviewDecision], scheme: Scheme, watch: Watch
) -> CorrectedCorpus:
    """Return ``sentences`` with ``decisions`` applied in order; the labels they settle are marked as reviewed.

    Labels that were confirmed are marked just like labels that were changed. Where two decisions share tokens, the
    later one wins and ``watch`` receives a note.
    """
    by_sentence: defaultdict[int, list[ReviewDecision]] = defaultdict(list)
    for decision in decisions:
        by_sentence[decision.sentence].append(decision)
    corrected, changes = [], []
    for number, sentence in enumerate(sentences):
        own = by_sentence.get(number, [])
        done = _corrected(sentence, own, scheme, watch)
        # Column formats need the sources of all labels or of none.
        corrected.append(done if not by_sentence or done.token_sources else replace(done, token_sources=_sources(done)))
        for decision in own:
            tokens = slice(decision.first, decision.end)
            changes.append(
                AppliedChange(decision, sentence.tokens[tokens], sentence.labels[tokens], done.labels[tokens])
            )
    return CorrectedCorpus(tuple(corrected), tuple(changes))


def with_decision(spans: Iterable[Span], decision: ReviewDecision) -> list[Span]:
    """Return the entities of a sentence after a decision, which replaces every entity that shares a token with it."""
    others = (span for span in spans if span.end <= decision.first or span.start >= decision.end)
    return sorted((*others, *decision.spans))


def _corrected(sentence: Sentence, decisions: Sequence[ReviewDecision], scheme: Scheme, watch: Watch) -> Sentence:
    spans: list[Span] = read_spans(sentence.labels)
    base, sources = list(sentence.labels), list(_sources(sentence))
    decided: dict[int, ReviewDecision] = {}
    for decision in decisions:
        tokens = range(decision.first, decision.end)
        _note_overlap({token: decided[token] for token in tokens if token in decided}, decision, sentence, watch)
        decided.update(dict.fromkeys(tokens, decision))
        for token in tokens:
            sources[token] = REVIEWED
        if decision.verdict != "rejected" or decision.spans != _overlapping(spans, decision):
            spans = with_decision(spans, decision)
            base[decision.first : decision.end] = [OUTSIDE] * len(tokens)
    if not decisions:
        return sentence
    if spans == read_spans(sentence.labels) and base.count(None) == sentence.labels.count(None):
        return replace(sentence, token_sources=tuple(sources))
    for left, right in merged_by(scheme, spans):
        words = " ".join(sentence.tokens[left.start : right.end])
        watch(Note("suspicious", "adjacent entities merge", f"{scheme} cannot separate them: {words}", sentence.source))
    return replace(sentence, labels=write_spans(spans, base, scheme), token_sources=tuple(sources))


def _overlapping(spans: Iterable[Span], decision: ReviewDecision) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.start < decision.end and span.end > decision.first)


def _note_overlap(
    earlier: Mapping[int, ReviewDecision], decision: ReviewDecision, sentence: Sentence, watch: Watch
) -> None:
    if earlier and any(before.spans != decision.spans for before in earlier.values()):
        words = " ".join(sentence.tokens[token] for token in earlier)
        watch(Note("suspicious", "two decisions on the same words", f"the later one wins: {words}", sentence.source))


def _sources(sentence: Sentence) -> tuple[str, ...]:
    return sentence.token_sources or (GIVEN,) * len(sentence)
