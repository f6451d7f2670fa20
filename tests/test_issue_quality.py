"""The measures of how well wrong labels are found, beside scikit-learn's and counts by hand."""

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from benchmarks.issue_quality import (
    Claim,
    claims_of_issues,
    claims_of_tokens,
    detection,
    quality,
    settled,
    suggested_by_issues,
    suggested_by_tokens,
    with_known_kinds,
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


def found_at(claims: Iterable[Claim]) -> dict[tuple[int, int], tuple[float, bool]]:
    return {(claim.sentence, claim.span.start): (claim.score, claim.is_said) for claim in claims}


def test_entities_are_as_doubtful_as_their_issue_or_else_their_worst_token() -> None:
    by_issue = found_at(claims_of_issues(SENTENCES, ISSUES, TOKENS))
    assert by_issue == {
        (0, 0): (0.2, False),
        (0, 3): (0.9, True),
        (0, 2): (0.8, True),
        (0, 1): (0.3, False),
        (2, 0): (1.0, True),
    }
    said = [np.array([False, True, False, False]), np.zeros(2, np.bool_), np.ones(1, np.bool_)]
    by_token = found_at(claims_of_tokens(SENTENCES, suggested_by_issues(ISSUES), TOKENS, said))
    assert by_token == {
        (0, 0): (0.2, False),
        (0, 3): (0.5, False),
        (0, 2): (0.4, False),
        (0, 1): (0.3, True),
        (2, 0): (1.0, True),
    }


def test_errors_are_wrong_given_entities_and_missed_ones_claimed_or_not() -> None:
    found = settled(SENTENCES, claims_of_issues(SENTENCES, ISSUES, TOKENS))
    assert dict(zip(found.scores.tolist(), found.errors.tolist(), strict=True)) == {
        0.9: True,
        0.8: True,
        0.3: False,
        0.2: False,
    }
    assert found.unclaimed == 1  # nobody suggests the person of the second sentence; the third has no gold
    assert found.total == 3
    assert found.measured()["average_precision"] == pytest.approx(2 / 3)


LONG_NAME = Sentence(
    tuple("abcdef"), ("O", "B-PER", "O", "O", "O", "O"), gold=("B-PER", "I-PER", "O", "B-LOC", "I-LOC", "O")
)


def test_an_error_counts_once_and_what_is_missed_beside_a_given_entity_speaks_for_it() -> None:
    suggested = {0: [Span(0, 1, "PER"), Span(3, 4, "LOC"), Span(4, 5, "LOC"), Span(5, 6, "LOC")]}
    scores, said = [np.array([0.9, 0.1, 0.0, 0.5, 0.6, 0.3])], [np.array([True, False, False, True, True, True])]
    found = settled([LONG_NAME], claims_of_tokens([LONG_NAME], suggested, scores, said))
    assert sorted(zip(found.scores.tolist(), found.errors.tolist(), found.said.tolist(), strict=True)) == [
        (0.3, False, True),
        (0.6, True, True),
        (0.9, True, True),
    ]
    assert found.unclaimed == 0


def test_the_likeliest_labels_of_tokens_suggest_entities_where_o_is_given() -> None:
    names = ("O", "B-PER", "I-PER")
    tables = [np.eye(3)[[1, 2, 1, 0]], np.eye(3)[[0, 0]], np.eye(3)[[1]]]
    rows = [np.array([0, 0, 1, 0]), np.array([0, 1]), np.array([-1])]  # the last label is unknown
    assert suggested_by_tokens(rows, tables, names) == {0: [Span(0, 2, "PER")]}


@given(st.lists(st.booleans(), min_size=1, max_size=30).filter(any), st.data())
def test_average_precision_is_scikit_learns(errors: list[bool], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(errors))))
    scores = np.array(order, dtype=np.float64)
    found = quality(np.array(errors), scores)["average_precision"]
    assert found == pytest.approx(average_precision_score(errors, scores))
    with_unfound = quality(np.array(errors), scores, unfound=sum(errors))["average_precision"]
    assert with_unfound == pytest.approx(found / 2)


def test_detection_counts_errors_nobody_could_find() -> None:
    found = detection(np.array([True, True, False]), np.array([True, False, True]), unfound=2)
    assert found == {"precision": 0.5, "recall": 0.25, "f1": pytest.approx(1 / 3)}


def test_known_kinds_have_the_share_of_errors_that_they_hold_and_keep_their_order() -> None:
    issues = with_known_kinds((*ISSUES, ISSUES[0]), np.array([True, True, False, False]))
    by_kind = {kind: [issue.score for issue in issues if issue.kind == kind] for kind in ("missed", "type")}
    assert {kind: pytest.approx(sum(scores) / 2) for kind, scores in by_kind.items()} == {"missed": 0.5, "type": 0.5}
    assert by_kind["missed"][0] > by_kind["missed"][1]
