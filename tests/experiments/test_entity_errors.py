"""Entity-level evaluation of a ranking against gold, by hand-made counts."""

from collections.abc import Iterable

import numpy as np
import pytest

from trustag.experiments.entity_errors import (
    EntityCandidate,
    candidates_from_issues,
    candidates_from_tokens,
    match_to_gold,
    suggested_by_issues,
    suggested_by_tokens,
)
from trustag.issues.issue import Issue
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

SENTENCES = (
    Sentence(("a", "b", "c", "d"), ("B-PER", "O", "O", "B-LOC"), gold=("B-PER", "O", "B-ORG", "B-MISC")),
    Sentence(("e", "f"), ("O", "O"), gold=("B-PER", "O")),
    Sentence(("g",), ("B-PER",)),
)
ISSUES = (
    Issue(0, 3, 4, "type", (Span(3, 4, "LOC"),), (Span(3, 4, "MISC"),), 0.9, 0.1, 0.8),
    Issue(0, 2, 3, "missed", (), (Span(2, 3, "PER"),), 0.8, 0.1, 0.8),
    Issue(0, 1, 2, "missed", (), (Span(1, 2, "PER"),), 0.3, 0.1, 0.8),
)
TOKENS = [np.array([0.2, 0.3, 0.4, 0.5]), np.zeros(2), np.ones(1)]


def found_at(candidates: Iterable[EntityCandidate]) -> dict[tuple[int, int], tuple[float, bool]]:
    return {
        (candidate.sentence, candidate.span.start): (candidate.score, candidate.is_flagged) for candidate in candidates
    }


def test_entities_are_scored_like_their_issue_or_else_their_worst_token() -> None:
    by_issue = found_at(candidates_from_issues(SENTENCES, ISSUES, TOKENS))
    assert by_issue == {
        (0, 0): (0.2, False),
        (0, 3): (0.9, True),
        (0, 2): (0.8, True),
        (0, 1): (0.3, False),
        (2, 0): (1.0, True),
    }
    flagged = [np.array([False, True, False, False]), np.zeros(2, np.bool_), np.ones(1, np.bool_)]
    by_token = found_at(candidates_from_tokens(SENTENCES, suggested_by_issues(ISSUES), TOKENS, flagged))
    assert by_token == {
        (0, 0): (0.2, False),
        (0, 3): (0.5, False),
        (0, 2): (0.4, False),
        (0, 1): (0.3, True),
        (2, 0): (1.0, True),
    }


def test_errors_are_wrong_given_entities_and_missed_ones_ranked_or_not() -> None:
    found = match_to_gold(SENTENCES, candidates_from_issues(SENTENCES, ISSUES, TOKENS))
    assert dict(zip(found.scores.tolist(), found.is_error.tolist(), strict=True)) == {
        0.9: True,
        0.8: True,
        0.3: False,
        0.2: False,
    }
    assert found.unranked == 1  # nothing suggests the person of the second sentence; the third has no gold
    assert found.errors == 3
    assert found.quality()["average_precision"] == pytest.approx(2 / 3)


LONG_NAME = Sentence(
    tuple("abcdef"), ("O", "B-PER", "O", "O", "O", "O"), gold=("B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O")
)


def test_an_error_counts_once_and_what_is_missed_beside_a_given_entity_speaks_for_it() -> None:
    suggested = {0: [Span(0, 1, "PER"), Span(3, 4, "LOC"), Span(4, 5, "LOC"), Span(5, 6, "LOC")]}
    scores, flagged = [np.array([0.9, 0.1, 0.0, 0.5, 0.6, 0.3])], [np.array([True, False, False, True, True, True])]
    found = match_to_gold([LONG_NAME], candidates_from_tokens([LONG_NAME], suggested, scores, flagged))
    assert sorted(zip(found.scores.tolist(), found.is_error.tolist(), found.flagged.tolist(), strict=True)) == [
        (0.3, False, True),
        (0.6, True, True),
        (0.9, True, True),
    ]
    assert found.unranked == 0


def test_the_likeliest_labels_of_tokens_suggest_entities_where_o_is_given() -> None:
    names = ("O", "B-PER", "I-PER")
    tables = [np.eye(3)[[1, 2, 1, 0]], np.eye(3)[[0, 0]], np.eye(3)[[1]]]
    rows = [np.array([0, 0, 1, 0]), np.array([0, 1]), np.array([-1])]  # the last label is unknown
    assert suggested_by_tokens(rows, tables, names) == {0: [Span(0, 2, "PER")]}
