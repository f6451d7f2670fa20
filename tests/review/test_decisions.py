"""The decision log: what it stores, that it is append-only, and that nobody overwrites anybody else."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.review.decisions import ConflictError, DecisionLog
from trustag.review.entries import Entry, NewEntry, ReviewDecision
from trustag.text.spans import Span

ACCEPTED = ReviewDecision("1-0-2", "accepted", 1, 0, 2, (Span(0, 2, "PER"),), "sure", "Ann")


@pytest.fixture
def log(tmp_path: Path) -> Iterator[DecisionLog]:
    log = DecisionLog(tmp_path / "decisions.sqlite", "corpus")
    yield log
    log.close()


def test_added_entries_are_visible_to_others_and_after_closing(log: DecisionLog) -> None:
    (added,) = log.add([NewEntry(ACCEPTED, 0)])
    assert (added.number, added.batch, added.decision.spans) == (1, 1, ACCEPTED.spans)
    assert added.decision.at
    other = DecisionLog(log.path, "corpus")
    assert list(other.entries()) == [added]
    assert list(other.entries(after=1)) == []
    other.close()


def test_a_second_decision_must_name_the_first(log: DecisionLog) -> None:
    (first,) = log.add([NewEntry(ACCEPTED, 0)])
    other = DecisionLog(log.path, "corpus")
    with pytest.raises(ConflictError) as conflict:
        other.add([NewEntry(ReviewDecision("0-0-1", "skipped", 0, 0, 1), 0), NewEntry(ACCEPTED, 0)])
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


def test_a_full_disk_is_reported_and_the_log_works_again_once_there_is_room(log: DecisionLog) -> None:
    (pages,) = log._base.execute("PRAGMA page_count").fetchone()
    log._base.execute(f"PRAGMA max_page_count = {pages}")
    long = ReviewDecision("0-0-1", "accepted", 0, 0, 1, comment="x" * 100_000)
    with pytest.raises(InputError, match="full"):
        log.add([NewEntry(ACCEPTED, 0), NewEntry(long, 0)])
    assert list(log.entries()) == []
    log._base.execute("PRAGMA max_page_count = 100000")
    assert len(log.add([NewEntry(ACCEPTED, 0), NewEntry(long, 0)])) == 2


def test_decisions_on_another_corpus_are_refused(log: DecisionLog) -> None:
    with pytest.raises(InputError, match="another corpus; move the file away"):
        DecisionLog(log.path, "another")


def test_a_file_that_is_not_a_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "decisions.sqlite"
    path.write_bytes(b"something else entirely" * 100)
    with pytest.raises(InputError, match="decisions cannot be stored here"):
        DecisionLog(path, "corpus")


# The format that users have on disk; it must stay readable whatever the code looks like.
STORED = """
CREATE TABLE corpus (fingerprint TEXT NOT NULL) STRICT;
CREATE TABLE decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT, batch INTEGER NOT NULL, issue TEXT NOT NULL, verdict TEXT NOT NULL,
    sentence INTEGER NOT NULL, first INTEGER NOT NULL, end INTEGER NOT NULL, spans TEXT NOT NULL,
    comment TEXT NOT NULL, reviewer TEXT NOT NULL, at TEXT NOT NULL, undoes INTEGER REFERENCES decisions (number)
) STRICT;
INSERT INTO corpus VALUES ('corpus');
INSERT INTO decisions VALUES (1, 1, '1-0-2', 'accepted', 1, 0, 2, '[[0, 2, "PER"]]', 'sure', 'Ann', '2025-01-01', NULL);
INSERT INTO decisions VALUES (2, 2, '1-0-2', 'undone', 1, 0, 2, '[]', '', 'Ann', '2025-01-02', 1);
"""


def test_an_existing_database_opens_and_accepts_new_entries(tmp_path: Path) -> None:
    base = sqlite3.connect(tmp_path / "decisions.sqlite")
    base.executescript(STORED)
    base.close()
    log = DecisionLog(tmp_path / "decisions.sqlite", "corpus")
    accepted, undone = log.entries()
    assert accepted == Entry(
        1, 1, ReviewDecision("1-0-2", "accepted", 1, 0, 2, (Span(0, 2, "PER"),), "sure", "Ann", "2025-01-01")
    )
    assert (undone.decision.verdict, undone.undoes) == ("undone", 1)
    (added,) = log.add([NewEntry(ACCEPTED, 2)])
    assert added.number == 3
    log.close()
