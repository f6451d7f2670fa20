"""Review sessions: the queue by status, decisions on one or all identical cases, edits, undo and progress."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
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
    decide,
    issue,
    open_session,
    write_run,
)
from trustag.errors import InputError
from trustag.review.decisions import ConflictError
from trustag.review.issue_queue import IssueFilter
from trustag.review.session import ReviewAction, ReviewSession
from trustag.text.spans import Span


def names(session: ReviewSession, chosen: IssueFilter) -> list[str]:
    return [session.queue.issues[rank].id for rank in session.ranks(chosen)]


def test_decisions_move_issues_from_open_to_decided(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted")
    decide(session, NEW_YORK, "skipped")
    assert names(session, IssueFilter()) == [REUTERS_AGAIN, ANN_LEE, MONDAY, REUTERS_LAST]
    assert names(session, IssueFilter(show="decided")) == [REUTERS]
    assert names(session, IssueFilter(show="skipped")) == [NEW_YORK]
    progress = session.progress()
    assert (progress.decided, progress.total) == (1, 6)
    assert progress.covered == pytest.approx(0.95 / sum(one.score for one in ISSUES))


def test_the_next_issue_follows_the_last_one_and_skipped_issues_come_last(session: ReviewSession) -> None:
    seen: list[str] = []
    rank: int | None = 2
    while rank is not None and len(seen) < 7:
        name = session.queue.issues[rank].id
        seen.append(name)
        decide(session, name, "skipped" if name == MONDAY and MONDAY not in seen[:-1] else "rejected")
        rank = session.next_rank(IssueFilter(), rank)
    assert seen == [NEW_YORK, ANN_LEE, MONDAY, REUTERS_LAST, REUTERS, REUTERS_AGAIN, MONDAY]
    assert session.progress().covered == pytest.approx(1)


def test_identical_cases_are_decided_together_and_undone_together(session: ReviewSession) -> None:
    decide(session, REUTERS_LAST, "rejected", reviewer="Bob")
    assert [one.id for one in session.open_identical(session.issue(REUTERS))] == [REUTERS_AGAIN]
    assert decide(session, REUTERS, "accepted", identical=True) == 2
    statuses = [session.status(session.issue(name)) for name in (REUTERS, REUTERS_AGAIN, REUTERS_LAST)]
    assert statuses == ["accepted", "accepted", "rejected"]
    again = session.state.in_force(REUTERS_AGAIN)
    assert again is not None
    assert again.decision.spans == (Span(0, 1, "ORG"),)
    assert len(session.undo("Ann")) == 2
    assert names(session, IssueFilter(show="decided")) == [REUTERS_LAST]
    assert session.undo("Ann") == []


def test_undo_restores_the_previous_decision_and_leaves_other_reviewers_alone(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted")
    decide(session, REUTERS, "rejected")
    session.undo("Ann")
    assert session.status(session.issue(REUTERS)) == "accepted"
    decide(session, REUTERS, "rejected", reviewer="Bob")
    assert session.undo("Ann") == []
    assert session.status(session.issue(REUTERS)) == "rejected"


def test_an_edit_settles_every_word_it_changes(session: ReviewSession) -> None:
    decide(session, NEW_YORK, "edited", Span(2, 5, "LOC"))
    entry = session.state.in_force(NEW_YORK)
    assert entry is not None
    decision = entry.decision
    assert (decision.verdict, decision.first, decision.end, decision.spans) == ("edited", 2, 5, (Span(2, 5, "LOC"),))


def test_an_edit_equal_to_a_reading_counts_as_that_reading(session: ReviewSession) -> None:
    decide(session, NEW_YORK, "edited", Span(3, 5, "LOC"))
    decide(session, MONDAY, "edited", Span(1, 2, "LOC"))
    assert session.status(session.issue(NEW_YORK)) == "accepted"
    assert session.status(session.issue(MONDAY)) == "rejected"


def test_an_edit_that_overlaps_another_issue_settles_it_too_unless_it_is_decided(tmp_path: Path) -> None:
    issues = (issue(0, 0, 2, 0.9, Span(0, 2, "PER")), issue(0, 4, 5, 0.8, Span(4, 5, "ORG")))
    session = open_session(write_run(tmp_path / "run", SENTENCES, issues))
    whole = (Span(0, 3, "PER"), Span(3, 5, "ORG"))
    assert decide(session, "0-0-2", "edited", *whole) == 2
    assert session.progress().decided == 2
    session.undo("Ann")
    assert session.progress().decided == 0
    decide(session, "0-4-5", "rejected", reviewer="Bob")
    with pytest.raises(InputError, match="already decided in another issue"):
        decide(session, "0-0-2", "edited", *whole)
    # What Bob confirmed is now part of the sentence; an edit next to it does not change his words.
    assert decide(session, "0-0-2", "edited", Span(0, 3, "PER"), Span(4, 5, "PER")) == 1
    session.close()


@pytest.mark.parametrize(
    "spans",
    [
        [Span(3, 5, "LOC"), Span(4, 6, "LOC")],
        [Span(3, 9, "LOC")],
        [Span(3, 3, "LOC")],
        [Span(-1, 2, "LOC")],
        [Span(3, 5, "<b>")],
    ],
)
def test_invalid_edits_are_refused(session: ReviewSession, spans: list[Span]) -> None:
    with pytest.raises(InputError, match="edited entities"):
        decide(session, NEW_YORK, "edited", *spans)
    assert session.progress().decided == 0


def test_two_sessions_on_one_run_see_each_other(session: ReviewSession, tmp_path: Path) -> None:
    other = open_session(tmp_path / "run")
    decide(session, REUTERS, "accepted")
    with pytest.raises(ConflictError) as conflict:
        other.decide(ReviewAction(REUTERS, 0, "rejected", "Bob"))
    assert conflict.value.latest is not None
    assert conflict.value.latest.decision.reviewer == "Ann"
    assert other.status(other.issue(REUTERS)) == "accepted"
    other.close()


def test_a_comment_settles_nothing(session: ReviewSession) -> None:
    decide(session, REUTERS, "commented")
    assert (session.status(session.issue(REUTERS)), session.state.version(REUTERS)) == ("open", 1)
    assert session.undo("Ann") == []


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Bob"]),
        st.sampled_from(["accepted", "rejected", "skipped", "commented", "undo", "identical"]),
        st.sampled_from([one.id for one in ISSUES]),
    ),
    max_size=10,
)


@settings(max_examples=30)
@given(actions=ACTIONS)
def test_a_reopened_run_is_as_it_was_left(actions: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        session = open_session(write_run(Path(folder) / "run"))
        for reviewer, what, name in actions:
            if what == "undo":
                session.undo(reviewer)
            elif what == "identical":
                decide(session, name, "accepted", reviewer=reviewer, identical=True)
            else:
                decide(session, name, what, reviewer=reviewer)  # type: ignore[arg-type]
        again = open_session(Path(folder) / "run")
        statuses = [session.status(one) for one in session.run.issues]
        assert statuses == [again.status(one) for one in again.run.issues]
        decided = [
            one for one, status in zip(session.run.issues, statuses, strict=True) if status in {"accepted", "rejected"}
        ]
        for progress in (session.progress(), again.progress()):
            assert progress.decided == len(decided) == len(session.state.final_decisions())
            assert progress.covered == pytest.approx(sum(one.score for one in decided) / session.queue.total_score)
        session.close()
        again.close()


def test_decisions_persist_when_the_queue_is_opened_in_another_order(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    worst_first = open_session(folder)
    decide(worst_first, REUTERS_LAST, "accepted")
    worst_first.close()
    unsure_first = open_session(folder, "unsure")
    assert names(unsure_first, IssueFilter(show="all")) == [one.id for one in reversed(ISSUES)]
    assert names(unsure_first, IssueFilter()) == [one.id for one in reversed(ISSUES[:-1])]
    assert names(unsure_first, IssueFilter(order="worst")) == [one.id for one in ISSUES[:-1]]
    unsure_first.close()


def test_the_next_issue_follows_the_order_of_the_filter(session: ReviewSession) -> None:
    seen = [NEW_YORK]
    unsure = IssueFilter(order="unsure")
    while len(seen) < len(ISSUES):
        decide(session, seen[-1], "accepted")
        rank = session.next_rank(unsure, session.queue.rank[seen[-1]])
        assert rank is not None
        seen.append(session.queue.issues[rank].id)
    assert seen == [NEW_YORK, REUTERS_AGAIN, REUTERS, REUTERS_LAST, MONDAY, ANN_LEE]
    assert (
        session.position(unsure, session.ranks(IssueFilter(show="all", order="unsure")), session.queue.rank[NEW_YORK])
        == 3
    )
