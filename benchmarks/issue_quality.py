"""How well a ranking of labels finds the wrong ones, by the gold column: of tokens, and of entities.

Entities are ranked over the same units for every ranking: each given entity, which is an error if gold has no such
entity; and each entity that the models suggest where none is given, which is one if gold has an entity there. Entities
of gold that nobody gave and nobody suggests are errors that no ranking finds. They count in every average precision.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from trustag.confidence.issues.issue import KINDS, Issue
from trustag.confidence.issues.ranking import shifted_to
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

Numbers = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]

AT = (100, 500)
_LEAST = 1e-3


@dataclass(frozen=True, slots=True)
class Unit:
    """An entity that a ranking scores: its sentence and tokens, and whether it points to an error."""

    sentence: int
    span: Span
    is_error: bool


@dataclass(frozen=True, slots=True)
class Units:
    """All units of a corpus, and how many errors none of them points to."""

    units: tuple[Unit, ...]
    unfound: int

    @property
    def errors(self) -> Marks:
        """Which units point to an error."""
        return np.array([unit.is_error for unit in self.units], dtype=np.bool_)


def units_of(sentences: Sequence[Sentence], issues: Sequence[Issue]) -> Units:
    """Return the units of a corpus whose sentences have gold labels."""
    suggested: dict[int, list[Span]] = {}
    for issue in issues:
        if issue.kind == "missed":
            suggested.setdefault(issue.sentence, []).extend(issue.suggested)
    units: list[Unit] = []
    unfound = 0
    for number, sentence in enumerate(sentences):
        if sentence.gold is None:
            continue
        given, gold = read_spans(sentence.labels), read_spans(sentence.gold)
        missed = [span for span in gold if not any(_overlap(span, other) for other in given)]
        candidates = suggested.get(number, [])
        units += [Unit(number, span, span not in gold) for span in given]
        units += [Unit(number, span, any(_overlap(span, other) for other in missed)) for span in candidates]
        unfound += sum(not any(_overlap(span, other) for other in candidates) for span in missed)
    return Units(tuple(units), unfound)


def by_issues(units: Units, issues: Sequence[Issue], tokens: Sequence[Numbers]) -> Numbers:
    """Return the score of each unit: that of the issue it is part of, or of its most doubtful token."""
    known: dict[tuple[int, Span], float] = {}
    for issue in issues:
        for span in (*issue.given, *issue.suggested):
            known[issue.sentence, span] = issue.score
    worst = by_tokens(units, tokens).tolist()
    pairs = zip(units.units, worst, strict=True)
    return np.array([known.get((unit.sentence, unit.span), other) for unit, other in pairs])


def by_tokens(units: Units, tokens: Sequence[Numbers]) -> Numbers:
    """Return the score of each unit as that of its most doubtful token."""
    return np.array([float(tokens[u.sentence][u.span.start : u.span.end].max()) for u in units.units])


def quality(errors: Marks, scores: Numbers, unfound: int = 0) -> dict[str, Any]:
    """Return average precision and the precision of the beginning of a ranking."""
    ranked = errors[np.argsort(-scores, kind="stable")]
    hits = np.cumsum(ranked)
    precision = hits / np.arange(1, len(ranked) + 1)
    total = int(ranked.sum()) + unfound
    found: dict[str, Any] = {"average_precision": float(precision[ranked].sum() / total) if total else None}
    for count in AT:
        found[f"precision_at_{count}"] = float(precision[count - 1]) if len(ranked) >= count else None
    return found


def detection(errors: Marks, flagged: Marks, unfound: int = 0) -> dict[str, Any]:
    """Return precision, recall and F1 of taking the flagged for errors."""
    both, total = int((errors & flagged).sum()), int(errors.sum()) + unfound
    precision, recall = both / max(int(flagged.sum()), 1), both / max(total, 1)
    return {"precision": precision, "recall": recall, "f1": 2 * precision * recall / max(precision + recall, 1e-12)}


def with_known_kinds(issues: Sequence[Issue], errors: Marks) -> list[Issue]:
    """Return issues ranked as if somebody knew which share of each kind are errors, though not which ones.

    No ranking that weighs kinds against each other can do better by that than this one.
    """
    known: dict[int, float] = {}
    for kind in KINDS:
        own = [number for number, issue in enumerate(issues) if issue.kind == kind]
        scores = np.array([issues[number].score for number in own])
        share = float(np.clip(errors[own].mean(), _LEAST, 1 - _LEAST)) if own else 0.0
        known.update(zip(own, shifted_to(scores, share).tolist(), strict=True))
    return [replace(issue, score=known[number]) for number, issue in enumerate(issues)]


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
