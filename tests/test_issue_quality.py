"""The measures of how well wrong labels are found, beside scikit-learn's and counts by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from benchmarks.issue_quality import by_issues, by_tokens, detection, quality, units_of, with_known_kinds
from trustag.confidence.issues.issue import Issue
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


def test_units_are_given_entities_and_suggested_ones_where_none_is_given() -> None:
    units = units_of(SENTENCES, ISSUES)
    found = {(unit.sentence, unit.span.start): unit.is_error for unit in units.units}
    assert found == {(0, 0): False, (0, 3): True, (0, 2): True, (0, 1): False}
    assert units.unfound == 1  # nobody suggests the person of the second sentence; the third has no gold
    assert by_tokens(units, TOKENS).tolist() == [0.2, 0.5, 0.4, 0.3]
    assert by_issues(units, ISSUES, TOKENS).tolist() == [0.2, 0.9, 0.8, 0.3]


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
