"""The log of decisions: what it keeps, that it only grows, and that nobody overwrites anybody."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.review.decisions import ConflictError, Decision, DecisionLog, Entry, NewEntry
from trustag.review.standing import folded
from trustag.text.spans import Span

ACCEPTED = Decision("1-0-2", "accepted", 1, 0, 2, (Span(0, 2, "PER"),), "sure", "Ann")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[DecisionLog]:
    log = DecisionLog(tmp_path / "decisions.sqlite", "corpus")
    yield log
    log.close()


def test_what_is_added_is_there_for_others_and_after_closing(log: DecisionLog) -> None:
    (added,) = log.add([NewEntry(ACCEPTED, 0)])
    assert (added.number, added.batch, added.decision.spans) == (1, 1, ACCEPTED.spans)
    assert added.decision.at
    other = DecisionLog(log.path, "corpus")
    assert list(other.entries()) == [added]
    assert list(other.entries(after=1)) == []
    other.close()


def test_a_second_decision_needs_to_know_of_the_first(log: DecisionLog) -> None:
    (first,) = log.add([NewEntry(ACCEPTED, 0)])
    other = DecisionLog(log.path, "corpus")
    with pytest.raises(ConflictError) as conflict:
        other.add([NewEntry(Decision("0-0-1", "skipped", 0, 0, 1), 0), NewEntry(ACCEPTED, 0)])
    assert conflict.value.latest == first
    assert list(log.entries()) == [first]  # all or nothing
    other.add([NewEntry(ACCEPTED, first.number)])
    assert len(list(log.entries())) == 2
    other.close()


@pytest.mark.parametrize("statement", ["DELETE FROM decisions", "UPDATE decisions SET reviewer = 'Bob'"])
def test_nothing_is_ever_deleted_or_changed(log: DecisionLog, statement: str) -> None:
    log.add([NewEntry(ACCEPTED, 0)])
    base = sqlite3.connect(log.path)
    with pytest.raises(sqlite3.IntegrityError, match="never"):
        base.execute(statement)
    base.close()


def test_a_full_disk_is_told_and_decisions_go_on_when_there_is_room_again(log: DecisionLog) -> None:
    (pages,) = log._base.execute("PRAGMA page_count").fetchone()
    log._base.execute(f"PRAGMA max_page_count = {pages}")
    long = Decision("0-0-1", "accepted", 0, 0, 1, comment="x" * 100_000)
    with pytest.raises(InputError, match="full"):
        log.add([NewEntry(ACCEPTED, 0), NewEntry(long, 0)])
    assert list(log.entries()) == []
    log._base.execute("PRAGMA max_page_count = 100000")
    assert len(log.add([NewEntry(ACCEPTED, 0), NewEntry(long, 0)])) == 2


def test_decisions_on_another_corpus_are_refused(log: DecisionLog) -> None:
    with pytest.raises(InputError, match="another corpus; move the file away"):
        DecisionLog(log.path, "another")


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "decisions.sqlite"
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(InputError, match="decisions cannot be kept there"):
        DecisionLog(path, "corpus")


CLICKS = st.lists(
    st.tuples(st.sampled_from(["a", "b"]), st.sampled_from(["accepted", "rejected", "skipped", "commented", "undone"])),
    max_size=12,
)


@given(clicks=CLICKS)
def test_in_force_is_the_last_thing_said_that_was_not_taken_back(clicks: list[tuple[str, str]]) -> None:
    entries: list[Entry] = []
    stacks: dict[str, list[Entry]] = {"a": [], "b": []}  # the oracle: a pile of verdicts, undoing takes one off
    for number, (issue, verdict) in enumerate(clicks, start=1):
        undoes = None
        if verdict == "undone":
            if not stacks[issue]:
                continue
            undoes = stacks[issue].pop().number
        entry = Entry(number, number, Decision(issue, verdict, 0, 0, 1, reviewer="Ann"), undoes)  # type: ignore[arg-type]
        entries.append(entry)
        if verdict not in {"undone", "commented"}:
            stacks[issue].append(entry)
    standing = folded(entries)
    for issue, stack in stacks.items():
        assert standing.in_force(issue) == (stack[-1] if stack else None)
    final = [e.decision for s in stacks.values() for e in s[-1:] if e.decision.verdict in {"accepted", "rejected"}]
    assert sorted(standing.final_decisions(), key=str) == sorted(final, key=str)
    assert standing.entries() == entries
