"""Entity-level evaluation of a ranking of labels against gold.

A ranking has candidates: given entities that may be wrong, and entities that it suggests where none is given. Errors
are given entities that gold does not have, and gold entities none of whose tokens is given as an entity. Each error
counts once: of several candidates for the same missed entity the one with the highest score is taken. A suggestion next
to a given entity, where gold has both as one, supports the error that is the given entity. Errors without a candidate
count as never found in the average precision.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.experiments.ranking_metrics import Marks, Numbers, detection_quality, ranking_quality
from trustag.issues.issue import Issue
from trustag.issues.ranking import LIKELY
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

Suggested: TypeAlias = Mapping[int, Sequence[Span]]
"""Suggested entities, by the number of their sentence."""


class EntityCandidate(NamedTuple):
    """An entity, given or suggested, that may be an error: its score, and whether the ranking flags it as one."""

    sentence: int
    span: Span
    is_given: bool
    score: float
    is_flagged: bool


@dataclass(frozen=True, slots=True)
class MatchedCandidates:
    """The candidates that count, (candidates,) each: which are errors, scores, which are flagged.

    ``unranked`` is the number of errors without a candidate.
    """

    is_error: Marks
    scores: Numbers
    flagged: Marks
    unranked: int

    @property
    def errors(self) -> int:
        """The number of all errors."""
        return int(self.is_error.sum()) + self.unranked

    def quality(self) -> dict[str, float | None]:
        """Return how well the candidates are ranked, and how well flags find the errors."""
        ranking = ranking_quality(self.is_error, self.scores, self.unranked)
        return {**ranking, **detection_quality(self.is_error, self.flagged, self.unranked)}


def suggested_by_issues(issues: Iterable[Issue]) -> dict[int, list[Span]]:
    """Return the entities that issues suggest where none is given, by sentence."""
    suggested: dict[int, list[Span]] = {}
    for issue in issues:
        if issue.kind == "missed":
            suggested.setdefault(issue.sentence, []).extend(issue.suggested)
    return suggested


def suggested_by_tokens(
    labels: Sequence[npt.NDArray[np.integer[Any]]], probabilities: Sequence[Numbers], names: Sequence[str]
) -> dict[int, list[Span]]:
    """Return the entities that the most probable label of each token gives where ``O`` is given, by sentence.

    ``labels`` holds (tokens,) label indices, ``probabilities`` (tokens, labels), for each sentence.
    """
    suggested: dict[int, list[Span]] = {}
    for number, (row, table) in enumerate(zip(labels, probabilities, strict=True)):
        most_probable = np.where(row == 0, table.argmax(1), 0)
        if most_probable.any():
            suggested[number] = list(read_spans([names[label] for label in most_probable.tolist()]))
    return suggested


def candidates_from_tokens(
    sentences: Sequence[Sentence], suggested: Suggested, scores: Sequence[Numbers], flagged: Sequence[Marks]
) -> Iterator[EntityCandidate]:
    """Yield each given and each suggested entity with the highest score of its tokens, flagged if one of them is."""
    for number, sentence in enumerate(sentences):
        for is_given, spans in ((True, read_spans(sentence.labels)), (False, suggested.get(number, ()))):
            for span in spans:
                own = slice(span.start, span.end)
                score, is_flagged = float(scores[number][own].max()), bool(flagged[number][own].any())
                yield EntityCandidate(number, span, is_given, score, is_flagged)


def candidates_from_issues(
    sentences: Sequence[Sentence], issues: Sequence[Issue], scores: Sequence[Numbers]
) -> Iterator[EntityCandidate]:
    """Yield each given and each suggested entity with the score of its issue, or the highest score of its tokens."""
    known = {(issue.sentence, span): issue.score for issue in issues for span in (*issue.given, *issue.suggested)}
    flagged = [row > LIKELY for row in scores]
    for candidate in candidates_from_tokens(sentences, suggested_by_issues(issues), scores, flagged):
        score = known.get((candidate.sentence, candidate.span), candidate.score)
        yield candidate._replace(score=score, is_flagged=score > LIKELY)


def match_to_gold(sentences: Sequence[Sentence], candidates: Iterable[EntityCandidate]) -> MatchedCandidates:
    """Return which candidates are errors by gold; sentences without gold do not count."""
    by_sentence: dict[int, list[EntityCandidate]] = {}
    for candidate in candidates:
        by_sentence.setdefault(candidate.sentence, []).append(candidate)
    counted: list[tuple[EntityCandidate, bool]] = []
    unranked = 0
    for number, sentence in enumerate(sentences):
        if sentence.gold is not None:
            own, left = _match_sentence(read_spans(sentence.gold), by_sentence.get(number, []))
            counted += own
            unranked += left
    return MatchedCandidates(
        is_error=np.array([is_error for _, is_error in counted], dtype=np.bool_),
        scores=np.array([candidate.score for candidate, _ in counted], dtype=np.float64),
        flagged=np.array([candidate.is_flagged for candidate, _ in counted], dtype=np.bool_),
        unranked=unranked,
    )


def _match_sentence(
    gold: Sequence[Span], candidates: Sequence[EntityCandidate]
) -> tuple[list[tuple[EntityCandidate, bool]], int]:
    """Return the candidates of a sentence that count, each with whether it is an error, and the errors without one."""
    given = {candidate.span: candidate for candidate in candidates if candidate.is_given}
    missed = {span for span in gold if not any(_overlap(span, other) for other in given)}
    to_find = set(missed)
    counted: list[tuple[EntityCandidate, bool]] = []
    suggested = (candidate for candidate in candidates if not candidate.is_given)
    for candidate in sorted(suggested, key=lambda candidate: -candidate.score):
        touched = [span for span in gold if _overlap(span, candidate.span)]
        found = next((span for span in touched if span in to_find), None)
        beside = [other for other in given if other not in gold and any(_overlap(other, span) for span in touched)]
        if found is not None:
            to_find.remove(found)
            counted.append((candidate, True))
        elif beside:
            for span in beside:
                known = given[span]
                score, is_flagged = max(known.score, candidate.score), known.is_flagged or candidate.is_flagged
                given[span] = known._replace(score=score, is_flagged=is_flagged)
        elif not missed.intersection(touched):
            counted.append((candidate, False))
    return counted + [(candidate, span not in gold) for span, candidate in given.items()], len(to_find)


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
