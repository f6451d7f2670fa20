"""The queue: filters, both orders, positions in them, and identical cases."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.review.small_run import (
    ANN_LEE,
    ISSUES,
    MONDAY,
    NEW_YORK,
    REUTERS,
    REUTERS_AGAIN,
    REUTERS_LAST,
    SENTENCES,
    issue,
    write_run,
)
from trustag.issues.filtering import ORDERS, Order
from trustag.review.issue_queue import IssueFilter, IssueQueue, relative, shifted
from trustag.review.reviewed_run import open_reviewed_run
from trustag.text.spans import Span


@pytest.fixture
def queue(tmp_path: Path) -> IssueQueue:
    return IssueQueue(open_reviewed_run(write_run(tmp_path / "run")))


@pytest.mark.parametrize(
    ("issue_filter", "expected"),
    [
        (IssueFilter(), [one.id for one in ISSUES]),
        (IssueFilter(kind="missed"), [NEW_YORK]),
        (IssueFilter(type="LOC"), [NEW_YORK, MONDAY]),
        (IssueFilter(type="ORG"), [REUTERS, REUTERS_AGAIN, REUTERS_LAST]),
        (IssueFilter(word="reut"), [REUTERS, REUTERS_AGAIN, REUTERS_LAST]),
        (IssueFilter(word="NEW Y"), [NEW_YORK]),
        (IssueFilter(word="reut", least=0.9), [REUTERS, REUTERS_AGAIN]),
        (IssueFilter(kind="boundary", type="PER"), [ANN_LEE]),
        (IssueFilter(kind="boundary", type="LOC"), []),
    ],
)
def test_all_conditions_of_a_filter_apply(queue: IssueQueue, issue_filter: IssueFilter, expected: list[str]) -> None:
    assert [queue.issues[rank].id for rank in queue.matching(issue_filter, "worst")] == expected


def test_the_uncertain_order_puts_the_closest_readings_first(queue: IssueQueue) -> None:
    assert list(queue.matching(IssueFilter(), "unsure")) == [5, 4, 3, 2, 1, 0]


def test_among_scores_that_look_the_same_those_come_first_that_settle_most_at_once(tmp_path: Path) -> None:
    issues = [
        issue(4, 1, 2, 0.9999),
        issue(2, 3, 5, 0.9998, Span(3, 5, "LOC")),
        issue(3, 0, 1, 0.9997, Span(0, 1, "ORG")),
        issue(0, 4, 5, 0.9996, Span(4, 5, "ORG")),
        issue(1, 0, 1, 0.90, Span(0, 1, "ORG")),
    ]
    queue = IssueQueue(open_reviewed_run(write_run(tmp_path / "run", SENTENCES, issues)))
    ordered = [queue.issues[rank] for rank in queue.matching(IssueFilter(), "worst")]
    assert [(found.sentence, queue.items[queue.rank[found.id]].words) for found in ordered] == [
        (0, "Reuters"),  # three identical cases; then in the order of the corpus
        (3, "Reuters"),
        (2, "New York"),
        (4, "Monday"),
        (1, "Reuters"),  # less likely
    ]


def test_a_place_knows_the_form_that_it_is_one_of_several_places_of(queue: IssueQueue) -> None:
    form = queue.form_of(ISSUES[0])
    assert form is not None
    assert (form.text, form.given, len(form.occurrences)) == ("Reuters", "PER", 3)
    assert queue.form_of(ISSUES[4]) is None  # the only Monday


@pytest.mark.parametrize("order", list(ORDERS))
def test_positions_count_the_issues_before(queue: IssueQueue, order: Order) -> None:
    ranks = queue.matching(IssueFilter(), order)
    assert [queue.before(ranks, rank, order) for rank in ranks] == list(range(len(ISSUES)))
    assert queue.before(ranks[1:], ranks[0], order) == 0
    assert queue.before(ranks[:-1], ranks[-1], order) == len(ISSUES) - 1


def test_identical_cases_have_the_same_words_and_the_same_two_readings(tmp_path: Path) -> None:
    issues = [
        issue(0, 4, 5, 0.9, Span(4, 5, "ORG")),
        issue(1, 0, 1, 0.8, Span(0, 1, "ORG")),
        issue(3, 0, 1, 0.7, Span(0, 1, "LOC")),  # another suggestion
        issue(2, 3, 5, 0.6, Span(3, 5, "LOC")),  # other words
    ]
    queue = IssueQueue(open_reviewed_run(write_run(tmp_path / "run", SENTENCES, issues)))
    assert [list(queue.identical(rank)) for rank in range(4)] == [[0, 1], [0, 1], [2], [3]]


def test_issues_are_found_by_sentence_and_by_id(queue: IssueQueue) -> None:
    assert [queue.issues[rank].id for rank in queue.in_sentence(0)] == [REUTERS, ANN_LEE]
    assert list(queue.in_sentence(99)) == []
    assert (queue.rank[MONDAY], queue.items[4].words) == (4, "Monday")
    assert queue.total_score == pytest.approx(sum(one.score for one in ISSUES))


@given(offset=st.integers(0, 50))
def test_relative_spans_shift_back(offset: int) -> None:
    spans = (Span(3, 4, "LOC"), Span(4, 5, "ORG"))
    assert shifted(shifted(spans, offset), -offset) == spans
    assert relative(spans, ISSUES[2]) == (Span(0, 1, "LOC"), Span(1, 2, "ORG"))
