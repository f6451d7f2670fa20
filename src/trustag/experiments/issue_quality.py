"""How well the issues of a run find wrong labels, compared with other rankings from the same probabilities."""

from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from trustag.experiments.cleanlab_ranking import cleanlab_ranking
from trustag.experiments.entity_errors import (
    EntityCandidate,
    candidates_from_issues,
    candidates_from_tokens,
    match_to_gold,
    suggested_by_issues,
    suggested_by_tokens,
)
from trustag.experiments.ranking_metrics import Marks, Numbers, detection_quality, ranking_quality
from trustag.experiments.reanalysis import Reanalysis
from trustag.issues.effort import USUAL_SHARE, review_effort
from trustag.issues.issue import KINDS, Issue
from trustag.issues.listing import Issues
from trustag.issues.ranking import LIKELY, shifted_to

OURS: Final = "trustag"
CLEANLAB: Final = "cleanlab"
SELF_CONFIDENCE: Final = "self-confidence"
CLEANLAB_WITH_OURS: Final = "cleanlab, our suggestions"
"""cleanlab's scores of the entities that our issues suggest."""
KINDS_KNOWN: Final = "kinds known"
"""Our issues, if the share of errors among the issues of each kind were known."""

_SMALLEST_SHARE: Final = 1e-3


class _Rankings:
    """Scores and flags of every label by each ranking, (tokens,) each, and the same sentence by sentence."""

    def __init__(self, labels: Reanalysis) -> None:
        self.given: npt.NDArray[np.int64] = labels.corpus.label_ids.numpy()
        self.ends = np.cumsum(labels.corpus.lengths)[:-1]
        heldout = labels.heldout
        confidence = heldout[np.arange(len(self.given)), self.given.clip(min=0)].astype(np.float64)
        self.rows = np.split(self.given, self.ends)
        self.tables = np.split(heldout / heldout.sum(1, keepdims=True), self.ends)
        ours = labels.analysis.columns["wrong"].astype(np.float64)
        self.scores: dict[str, Numbers] = {OURS: ours, SELF_CONFIDENCE: 1.0 - confidence}
        self.flags: dict[str, Marks] = {OURS: ours > LIKELY, SELF_CONFIDENCE: confidence < LIKELY}
        if find_spec(CLEANLAB) is not None:
            self.scores[CLEANLAB], self.flags[CLEANLAB] = cleanlab_ranking(self.rows, self.tables)

    def by_sentence(self, name: str) -> tuple[list[Numbers], list[Marks]]:
        return np.split(self.scores[name], self.ends), np.split(self.flags[name], self.ends)


def issue_quality(labels: Reanalysis) -> dict[str, Any]:
    """Return how well each ranking finds the wrong labels of a run and its wrong entities, and what a review is worth.

    The corpus must have gold labels. cleanlab is compared where it is installed.
    """
    rankings = _Rankings(labels)
    gold = labels.corpus.gold_ids
    if gold is None:
        raise ValueError("the corpus has no gold labels")
    known = (rankings.given >= 0) & (gold.numpy() >= 0)
    is_wrong = (rankings.given != gold.numpy())[known]
    tokens = {
        name: {
            **ranking_quality(is_wrong, scores[known]),
            **detection_quality(is_wrong, rankings.flags[name][known]),
        }
        for name, scores in rankings.scores.items()
    }
    found = Issues(labels.sentences, labels.analysis.issues)
    is_error = np.array([_is_error(found, issue) for issue in found], dtype=np.bool_)
    matched = {
        name: match_to_gold(found.sentences, candidates)
        for name, candidates in _candidates(labels, found, rankings, is_error).items()
    }
    return {
        "tokens": tokens,
        "entities": {name: own.quality() for name, own in matched.items()},
        "errors": {"tokens": int(is_wrong.sum()), "entities": matched[OURS].errors},
        "review": review_quality(found.issues, is_error),
        "kinds": quality_by_kind(found.issues, is_error),
    }


def _candidates(
    labels: Reanalysis, found: Issues, rankings: _Rankings, is_error: Marks
) -> dict[str, Iterable[EntityCandidate]]:
    """Return the entity-level candidates of each ranking."""
    sentences, names = found.sentences, labels.corpus.labels.labels
    by_tokens = suggested_by_tokens(rankings.rows, rankings.tables, names)
    ours, _ = rankings.by_sentence(OURS)
    candidates: dict[str, Iterable[EntityCandidate]] = {OURS: candidates_from_issues(sentences, found.issues, ours)}
    for name in (CLEANLAB, SELF_CONFIDENCE):
        if name in rankings.scores:
            candidates[name] = candidates_from_tokens(sentences, by_tokens, *rankings.by_sentence(name))
    if CLEANLAB in rankings.scores:
        by_issues = suggested_by_issues(found.issues)
        candidates[CLEANLAB_WITH_OURS] = candidates_from_tokens(sentences, by_issues, *rankings.by_sentence(CLEANLAB))
    candidates[KINDS_KNOWN] = candidates_from_issues(sentences, with_known_kinds(found.issues, is_error), ours)
    return candidates


def with_known_kinds(issues: Sequence[Issue], is_error: Marks) -> list[Issue]:
    """Return issues scored as if the share of errors of each kind were known, though not which issues they are.

    No ranking that only weighs the kinds against each other can do better.
    """
    known: dict[int, float] = {}
    for kind in KINDS:
        own = [number for number, issue in enumerate(issues) if issue.kind == kind]
        scores = np.array([issues[number].score for number in own])
        share = float(np.clip(is_error[own].mean(), _SMALLEST_SHARE, 1 - _SMALLEST_SHARE)) if own else 0.0
        known.update(zip(own, shifted_to(scores, share).tolist(), strict=True))
    return [replace(issue, score=known[number]) for number, issue in enumerate(issues)]


def review_quality(issues: Sequence[Issue], is_error: Marks) -> dict[str, float]:
    """Return what the effort curve promises of a review, and what that review finds of the errors among the issues."""
    effort = review_effort(issues)
    count = effort.needed(USUAL_SHARE)
    return {
        "issues": len(issues),
        "reviewed": count,
        "promised": effort.share(count),
        "caught": int(is_error[:count].sum()) / max(int(is_error.sum()), 1),
        "estimated_errors": effort.total,
        "errors": int(is_error.sum()),
    }


def quality_by_kind(issues: Sequence[Issue], is_error: Marks) -> dict[str, dict[str, float]]:
    """Return the number of issues of each kind, and the estimated and the true number of errors among them."""
    return {
        kind: {
            "issues": sum(issue.kind == kind for issue in issues),
            "estimated_errors": sum(issue.score for issue in issues if issue.kind == kind),
            "errors": sum(int(error) for issue, error in zip(issues, is_error, strict=True) if issue.kind == kind),
        }
        for kind in KINDS
    }


def _is_error(found: Issues, issue: Issue) -> bool:
    sentence = found.sentences[issue.sentence]
    own = slice(issue.first, issue.end)
    return sentence.gold is not None and sentence.gold[own] != sentence.labels[own]
