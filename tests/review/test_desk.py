"""The desk: the queue and its filters, decisions on one and on all identical cases, edits, undoing, progress."""

import tempfile
from collections.abc import Iterator
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
    issue,
    write_run,
)
from trustag.errors import InputError
from trustag.review.decisions import ConflictError, DecisionLog, Verdict
from trustag.review.desk import Desk, Ruling
from trustag.review.issue_queue import Filter
from trustag.review.reviewed_run import open_reviewed_run
from trustag.text.spans import Span


def desk_at(folder: Path) -> Desk:
    run = open_reviewed_run(folder)
    return Desk(run, DecisionLog(run.decisions, run.fingerprint))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = desk_at(write_run(tmp_path / "run"))
    yield desk
    desk.close()


def rule(desk: Desk, name: str, verdict: Verdict, *spans: Span, who: str = "Ann", identical: bool = False) -> int:
    ruling = Ruling(name, desk.standing.version(name), verdict, who, "", spans, for_identical=identical)
    return len(desk.decide(ruling))


def names(desk: Desk, chosen: Filter) -> list[str]:
    return [desk.queue.issues[rank].id for rank in desk.ranks(chosen)]


def test_the_queue_is_worst_first_and_filtered(desk: Desk) -> None:
    assert names(desk, Filter()) == [one.id for one in ISSUES]
    assert names(desk, Filter(kind="missed")) == [NEW_YORK]
    assert names(desk, Filter(type="LOC")) == [NEW_YORK, MONDAY]
    assert names(desk, Filter(word="reut")) == [REUTERS, REUTERS_AGAIN, REUTERS_LAST]
    assert names(desk, Filter(word="reut", least=0.9)) == [REUTERS, REUTERS_AGAIN]
    assert names(desk, Filter(show="decided")) == []


def test_decisions_move_issues_from_open_to_decided(desk: Desk) -> None:
    rule(desk, REUTERS, "accepted")
    rule(desk, NEW_YORK, "skipped")
    assert names(desk, Filter()) == [REUTERS_AGAIN, ANN_LEE, MONDAY, REUTERS_LAST]
    assert names(desk, Filter(show="decided")) == [REUTERS]
    assert names(desk, Filter(show="skipped")) == [NEW_YORK]
    progress = desk.progress()
    assert (progress.decided, progress.total) == (1, 6)
    assert progress.covered == pytest.approx(0.95 / sum(one.score for one in ISSUES))


def test_one_goes_on_behind_the_last_and_meets_the_skipped_in_the_end(desk: Desk) -> None:
    seen: list[str] = []
    rank: int | None = 2
    while rank is not None and len(seen) < 7:
        name = desk.queue.issues[rank].id
        seen.append(name)
        rule(desk, name, "skipped" if name == MONDAY and MONDAY not in seen[:-1] else "rejected")
        rank = desk.next_rank(Filter(), rank)
    assert seen == [NEW_YORK, ANN_LEE, MONDAY, REUTERS_LAST, REUTERS, REUTERS_AGAIN, MONDAY]
    assert desk.progress().covered == pytest.approx(1)


def test_identical_cases_are_decided_together_and_undone_together(desk: Desk) -> None:
    rule(desk, REUTERS_LAST, "rejected", who="Bob")
    assert [one.id for one in desk.open_alike(desk.issue(REUTERS))] == [REUTERS_AGAIN]
    assert rule(desk, REUTERS, "accepted", identical=True) == 2
    states = [desk.state(desk.issue(name)) for name in (REUTERS, REUTERS_AGAIN, REUTERS_LAST)]
    assert states == ["accepted", "accepted", "rejected"]
    again = desk.standing.in_force(REUTERS_AGAIN)
    assert again is not None
    assert again.decision.spans == (Span(0, 1, "ORG"),)
    assert len(desk.undo("Ann")) == 2
    assert names(desk, Filter(show="decided")) == [REUTERS_LAST]
    assert desk.undo("Ann") == []


def test_undoing_brings_back_what_was_before_and_leaves_others_alone(desk: Desk) -> None:
    rule(desk, REUTERS, "accepted")
    rule(desk, REUTERS, "rejected")
    desk.undo("Ann")
    assert desk.state(desk.issue(REUTERS)) == "accepted"
    rule(desk, REUTERS, "rejected", who="Bob")
    assert desk.undo("Ann") == []
    assert desk.state(desk.issue(REUTERS)) == "rejected"


def test_an_edit_decides_on_every_word_it_changes(desk: Desk) -> None:
    rule(desk, NEW_YORK, "edited", Span(2, 5, "LOC"))
    entry = desk.standing.in_force(NEW_YORK)
    assert entry is not None
    decision = entry.decision
    assert (decision.verdict, decision.first, decision.end, decision.spans) == ("edited", 2, 5, (Span(2, 5, "LOC"),))


def test_an_edit_that_says_what_one_reading_says_is_that_reading(desk: Desk) -> None:
    rule(desk, NEW_YORK, "edited", Span(3, 5, "LOC"))
    rule(desk, MONDAY, "edited", Span(1, 2, "LOC"))
    assert desk.state(desk.issue(NEW_YORK)) == "accepted"
    assert desk.state(desk.issue(MONDAY)) == "rejected"


def test_an_edit_into_another_issue_settles_that_too_unless_it_is_decided(tmp_path: Path) -> None:
    issues = (issue(0, 0, 2, 0.9, Span(0, 2, "PER")), issue(0, 4, 5, 0.8, Span(4, 5, "ORG")))
    desk = desk_at(write_run(tmp_path / "run", SENTENCES, issues))
    whole = (Span(0, 3, "PER"), Span(3, 5, "ORG"))
    assert rule(desk, "0-0-2", "edited", *whole) == 2
    assert desk.progress().decided == 2
    desk.undo("Ann")
    assert desk.progress().decided == 0
    rule(desk, "0-4-5", "rejected", who="Bob")
    with pytest.raises(InputError, match="decided on in another issue"):
        rule(desk, "0-0-2", "edited", *whole)
    # What Bob confirmed is part of the sentence by now, and an edit beside it is none of his words.
    assert rule(desk, "0-0-2", "edited", Span(0, 3, "PER"), Span(4, 5, "PER")) == 1
    desk.close()


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
def test_edits_that_make_no_sense_are_refused(desk: Desk, spans: list[Span]) -> None:
    with pytest.raises(InputError, match="edited entities"):
        rule(desk, NEW_YORK, "edited", *spans)
    assert desk.progress().decided == 0


def test_two_desks_at_one_run_see_each_other(desk: Desk, tmp_path: Path) -> None:
    other = desk_at(tmp_path / "run")
    rule(desk, REUTERS, "accepted")
    with pytest.raises(ConflictError) as conflict:
        other.decide(Ruling(REUTERS, 0, "rejected", "Bob"))
    assert conflict.value.latest is not None
    assert conflict.value.latest.decision.reviewer == "Ann"
    assert other.state(other.issue(REUTERS)) == "accepted"
    other.close()


def test_a_comment_decides_nothing(desk: Desk) -> None:
    rule(desk, REUTERS, "commented")
    assert (desk.state(desk.issue(REUTERS)), desk.standing.version(REUTERS)) == ("open", 1)
    assert desk.undo("Ann") == []


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("issues.jsonl", '{"sentence": 0}', "issues.jsonl:1: is no issue"),
        ("issues.jsonl", "[", "issues.jsonl:1: "),
        ("given.jsonl", '{"tokens": ["x"], "ner_tags": ["O"]}', "issues.jsonl:1: tokens 4 to 5 of a sentence with 1"),
    ],
)
def test_files_that_do_not_fit_are_refused(tmp_path: Path, file: str, line: str, message: str) -> None:
    folder = write_run(tmp_path / "run")
    (folder / file).write_text(line + "\n")
    with pytest.raises(InputError, match=message):
        open_reviewed_run(folder)


def test_issues_of_another_corpus_are_refused(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [*SENTENCES[1:], SENTENCES[0]])
    with pytest.raises(InputError, match="take both files from the same run"):
        open_reviewed_run(folder)
    (folder / "given.jsonl").unlink()
    with pytest.raises(InputError, match="holds no given.jsonl"):
        open_reviewed_run(folder)


CLICKS = st.lists(
    st.tuples(
        st.sampled_from(["Ann", "Bob"]),
        st.sampled_from(["accepted", "rejected", "skipped", "commented", "undo", "identical"]),
        st.sampled_from([one.id for one in ISSUES]),
    ),
    max_size=10,
)


@settings(max_examples=30)
@given(clicks=CLICKS)
def test_whoever_opens_the_run_anew_finds_it_as_it_was_left(clicks: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = desk_at(write_run(Path(folder) / "run"))
        for who, what, name in clicks:
            if what == "undo":
                desk.undo(who)
            elif what == "identical":
                rule(desk, name, "accepted", who=who, identical=True)
            else:
                rule(desk, name, what, who=who)  # type: ignore[arg-type]
        again = desk_at(Path(folder) / "run")
        states = [desk.state(one) for one in desk.run.issues]
        assert states == [again.state(one) for one in again.run.issues]
        decided = [one for one, state in zip(desk.run.issues, states, strict=True) if state in {"accepted", "rejected"}]
        for progress in (desk.progress(), again.progress()):
            assert progress.decided == len(decided) == len(desk.standing.final_decisions())
            assert progress.covered == pytest.approx(sum(one.score for one in decided) / desk.queue.total_score)
        desk.close()
        again.close()


def test_decisions_stand_when_the_queue_is_taken_up_in_another_order(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run")
    worst_first = desk_at(folder)
    rule(worst_first, REUTERS_LAST, "accepted")
    worst_first.close()
    run = open_reviewed_run(folder)
    unsure_first = Desk(run, DecisionLog(run.decisions, run.fingerprint), "unsure")
    assert names(unsure_first, Filter(show="all")) == [one.id for one in reversed(ISSUES)]
    assert names(unsure_first, Filter()) == [one.id for one in reversed(ISSUES[:-1])]
    assert names(unsure_first, Filter(order="worst")) == [one.id for one in ISSUES[:-1]]
    unsure_first.close()


def test_one_goes_on_in_the_order_one_asks_for(desk: Desk) -> None:
    seen = [NEW_YORK]
    unsure = Filter(order="unsure")
    while len(seen) < len(ISSUES):
        rule(desk, seen[-1], "accepted")
        rank = desk.next_rank(unsure, desk.queue.rank[seen[-1]])
        assert rank is not None
        seen.append(desk.queue.issues[rank].id)
    assert seen == [NEW_YORK, REUTERS_AGAIN, REUTERS, REUTERS_LAST, MONDAY, ANN_LEE]
    assert desk.place(unsure, desk.ranks(Filter(show="all", order="unsure")), desk.queue.rank[NEW_YORK]) == 3
