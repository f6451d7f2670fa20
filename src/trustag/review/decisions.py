"""The decision log: an append-only SQLite file, safe on disk as soon as a call returns."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from msgspec import Struct

from trustag.errors import InputError
from trustag.issues.forms import FORM_MARK
from trustag.text.spans import Span

Verdict: TypeAlias = Literal["accepted", "rejected", "edited", "depends", "skipped", "commented", "undone"]

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS corpus (fingerprint TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS decisions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    batch INTEGER NOT NULL,
    issue TEXT NOT NULL,
    verdict TEXT NOT NULL,
    sentence INTEGER NOT NULL,
    first INTEGER NOT NULL,
    end INTEGER NOT NULL,
    spans TEXT NOT NULL,
    comment TEXT NOT NULL,
    reviewer TEXT NOT NULL,
    at TEXT NOT NULL,
    undoes INTEGER REFERENCES decisions (number)
) STRICT;
CREATE INDEX IF NOT EXISTS decisions_by_issue ON decisions (issue, number);
CREATE TRIGGER IF NOT EXISTS decisions_stay BEFORE DELETE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are never deleted'); END;
CREATE TRIGGER IF NOT EXISTS decisions_are_final BEFORE UPDATE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
"""
_SECONDS_TO_WAIT: Final = 10.0


class ReviewDecision(Struct, frozen=True):
    """A reviewer's verdict on the tokens ``first`` to ``end`` (exclusive) of a sentence; ``spans`` are their entities.

    The verdicts ``skipped`` and ``commented`` do not settle any labels; ``undone`` reverts an earlier entry of the log.
    A verdict on a form names its first occurrence and settles no labels either: the decisions on its occurrences, added
    together with it, do. ``depends`` says that the right label of a form depends on the context.
    """

    issue: str
    verdict: Verdict
    sentence: int
    first: int
    end: int
    spans: tuple[Span, ...] = ()
    comment: str = ""
    reviewer: str = ""
    at: str = ""

    @property
    def is_final(self) -> bool:
        """Whether the decision settles the labels."""
        return self.verdict in {"accepted", "rejected", "edited"} and not self.is_on_form

    @property
    def is_verdict(self) -> bool:
        """Whether the decision says what to think of its subject, and stays in force until it is undone."""
        return self.verdict in {"accepted", "rejected", "edited", "depends", "skipped"}

    @property
    def is_on_form(self) -> bool:
        """Whether the subject is a form instead of a single place."""
        return self.issue.startswith(FORM_MARK)


class Entry(Struct, frozen=True):
    """An entry of the log: its number, the number of the first entry of the same action, and the entry it reverts."""

    number: int
    batch: int
    decision: ReviewDecision
    undoes: int | None = None


class NewEntry(Struct, frozen=True):
    """An entry to add, provided that the newest entry on the same issue is still ``version`` (0: there is none)."""

    decision: ReviewDecision
    version: int
    undoes: int | None = None


class ConflictError(Exception):
    """Somebody else has decided on the same issue in the meantime; ``latest`` is the newest entry on it."""

    def __init__(self, latest: Entry | None) -> None:
        self.latest = latest
        super().__init__("the issue has changed since it was shown")


class DecisionLog:
    """The log of one run; several servers and reviewers may write to it at once.

    The log belongs to the corpus with this ``fingerprint``, or with the ``older_fingerprint`` of the first version.
    """

    def __init__(self, path: Path, fingerprint: str, older_fingerprint: str = "") -> None:
        self.path = path
        with self._named_errors():
            # The server handles one request at a time, but possibly in another thread than this one.
            self._base = sqlite3.connect(path, timeout=_SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False)
            self._base.execute("PRAGMA journal_mode = WAL")
            self._base.execute("PRAGMA synchronous = FULL")
            with self._writing():
                for statement in _statements(_SCHEMA):
                    self._base.execute(statement)
                row = self._base.execute("SELECT fingerprint FROM corpus").fetchone()
                if row is None:
                    self._base.execute("INSERT INTO corpus VALUES (?)", (fingerprint,))
        if row is not None and row[0] not in {fingerprint, older_fingerprint}:
            self.close()
            raise InputError(
                "these decisions were made on another corpus", where=path, remedy="move the file away to start afresh"
            )

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries with numbers greater than ``after``, in order."""
        with self._named_errors(), closing(self._base.cursor()) as cursor:
            for row in cursor.execute("SELECT * FROM decisions WHERE number > ? ORDER BY number", (after,)):
                yield _entry(row)

    def add(self, entries: Sequence[NewEntry]) -> list[Entry]:
        """Add all ``entries`` or none, and return them as stored; raises :class:`ConflictError`."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._named_errors(), self._writing():
            for entry in entries:
                latest = self._latest(entry.decision.issue)
                if (latest.number if latest else 0) != entry.version:
                    raise ConflictError(latest)
            (last,) = self._base.execute("SELECT coalesce(max(number), 0) FROM decisions").fetchone()
            batch = last + 1
            rows = [_row(entry, batch + index, batch, at) for index, entry in enumerate(entries)]
            self._base.executemany(f"INSERT INTO decisions VALUES ({', '.join('?' * 12)})", rows)  # noqa: S608 - marks
        return [_entry(row) for row in rows]

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def _latest(self, issue: str) -> Entry | None:
        query = "SELECT * FROM decisions WHERE issue = ? ORDER BY number DESC LIMIT 1"
        row = self._base.execute(query, (issue,)).fetchone()
        return None if row is None else _entry(row)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._base.execute("COMMIT")
        except BaseException:
            # A full disk may already have ended the transaction.
            if self._base.in_transaction:
                self._base.execute("ROLLBACK")
            raise

    @contextmanager
    def _named_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise InputError(
                f"decisions cannot be stored here ({error})", where=self.path, remedy="check the file and its folder"
            ) from None


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of ``script``; a trigger contains semicolons of its own."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _row(entry: NewEntry, number: int, batch: int, at: str) -> tuple[Any, ...]:
    decision = entry.decision
    subject = (decision.issue, decision.verdict, decision.sentence, decision.first, decision.end)
    return (number, batch, *subject, json.dumps(decision.spans), decision.comment, decision.reviewer, at, entry.undoes)


def _entry(row: tuple[Any, ...]) -> Entry:
    number, batch, issue, verdict, sentence, first, end, spans, comment, reviewer, at, undoes = row
    entities = tuple(Span(*span) for span in json.loads(spans))
    decision = ReviewDecision(issue, verdict, sentence, first, end, entities, comment, reviewer, at)
    return Entry(number, batch, decision, undoes)
