"""How well a ranking of labels finds the wrong ones, by the gold column: of tokens, and of entities.

A ranking of entities claims that given entities are wrong, each to some degree, and that others were missed where none
is given. Errors are given entities that gold has not, and entities of gold none of whose tokens is given as one. Each
counts once: of several claims to the same missed entity the surest is taken. A claim that something was missed beside a
given entity, where gold has both as one, speaks for the error that is the given one. Errors to which a ranking makes no
claim count in its average precision as never found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from trustag.issues.issue import KINDS, Issue
from trustag.issues.ranking import LIKELY, shifted_to
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

Numbers = npt.NDArray[np.float64]
Marks = npt.NDArray[np.bool_]
Suggested = Mapping[int, Sequence[Span]]

AT: Final = (100, 500)
_LEAST: Final = 1e-3


class Claim(NamedTuple):
    """An entity of a sentence, given or suggested, that may be an error: how sure that is, and whether it is said."""

    sentence: int
    span: Span
    is_given: bool
    score: float
    is_said: bool


@dataclass(frozen=True, slots=True)
class Settled:
    """Which claims of a ranking point to errors, how sure each was, whether it was said, and what nobody claimed."""

    errors: Marks
    scores: Numbers
    said: Marks
    unclaimed: int

    def measured(self) -> dict[str, Any]:
        """Return average precision, precision of the beginning, and how well errors are told from the rest."""
        return quality(self.errors, self.scores, self.unclaimed) | detection(self.errors, self.said, self.unclaimed)

    @property
    def total(self) -> int:
        """How many errors there are."""
        return int(self.errors.sum()) + self.unclaimed


def suggested_by_issues(issues: Sequence[Issue]) -> dict[int, list[Span]]:
    """Return the entities that issues suggest where none is given, by sentence."""
    suggested: dict[int, list[Span]] = {}
    for issue in issues:
        if issue.kind == "missed":
            suggested.setdefault(issue.sentence, []).extend(issue.suggested)
    return suggested


def suggested_by_tokens(
    rows: Sequence[npt.NDArray[np.int64]], tables: Sequence[Numbers], names: Sequence[str]
) -> dict[int, list[Span]]:
    """Return the entities that the likeliest label of each token makes where ``O`` is given, by sentence."""
    suggested: dict[int, list[Span]] = {}
    for number, (row, table) in enumerate(zip(rows, tables, strict=True)):
        likeliest = np.where(row == 0, table.argmax(1), 0)
        if likeliest.any():
            suggested[number] = list(read_spans([names[label] for label in likeliest.tolist()]))
    return suggested


def claims_of_tokens(
    sentences: Sequence[Sentence], suggested: Suggested, scores: Sequence[Numbers], said: Sequence[Marks]
) -> Iterator[Claim]:
    """Yield a claim for each given and each suggested entity: as sure, and as much said, as that of its worst token."""
    for number, sentence in enumerate(sentences):
        for is_given, spans in ((True, read_spans(sentence.labels)), (False, suggested.get(number, ()))):
            for span in spans:
                own = slice(span.start, span.end)
                yield Claim(number, span, is_given, float(scores[number][own].max()), bool(said[number][own].any()))


def claims_of_issues(
    sentences: Sequence[Sentence], issues: Sequence[Issue], scores: Sequence[Numbers]
) -> Iterator[Claim]:
    """Yield a claim for each given and each suggested entity: that of its issue, or of its worst token."""
    known = {(issue.sentence, span): issue.score for issue in issues for span in (*issue.given, *issue.suggested)}
    said = [row > LIKELY for row in scores]
    for claim in claims_of_tokens(sentences, suggested_by_issues(issues), scores, said):
        score = known.get((claim.sentence, claim.span), claim.score)
        yield claim._replace(score=score, is_said=score > LIKELY)


def settled(sentences: Sequence[Sentence], claims: Iterator[Claim]) -> Settled:
    """Return which claims gold bears out; sentences without gold do not count."""
    by_sentence: dict[int, list[Claim]] = {}
    for claim in claims:
        by_sentence.setdefault(claim.sentence, []).append(claim)
    counted: list[tuple[Claim, bool]] = []
    unclaimed = 0
    for number, sentence in enumerate(sentences):
        if sentence.gold is not None:
            own, left = _settled_in(read_spans(sentence.gold), by_sentence.get(number, []))
            counted += own
            unclaimed += left
    return Settled(
        errors=np.array([is_error for _, is_error in counted], dtype=np.bool_),
        scores=np.array([claim.score for claim, _ in counted], dtype=np.float64),
        said=np.array([claim.is_said for claim, _ in counted], dtype=np.bool_),
        unclaimed=unclaimed,
    )


def _settled_in(gold: Sequence[Span], claims: Sequence[Claim]) -> tuple[list[tuple[Claim, bool]], int]:
    """Return the claims of a sentence that count, each with whether it is an error, and how many errors are left."""
    given = {claim.span: claim for claim in claims if claim.is_given}
    missed = {span for span in gold if not any(_overlap(span, other) for other in given)}
    to_find = set(missed)
    counted: list[tuple[Claim, bool]] = []
    for claim in sorted((claim for claim in claims if not claim.is_given), key=lambda claim: -claim.score):
        touched = [span for span in gold if _overlap(span, claim.span)]
        found = next((span for span in touched if span in to_find), None)
        beside = [other for other in given if other not in gold and any(_overlap(other, span) for span in touched)]
        if found is not None:
            to_find.remove(found)
            counted.append((claim, True))
        elif beside:
            for span in beside:
                known = given[span]
                score, is_said = max(known.score, claim.score), known.is_said or claim.is_said
                given[span] = known._replace(score=score, is_said=is_said)
        elif not missed.intersection(touched):
            counted.append((claim, False))
    return counted + [(claim, span not in gold) for span, claim in given.items()], len(to_find)


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
