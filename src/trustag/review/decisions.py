"""The decision log: an append-only SQLite file, safe on disk as soon as a call returns, checked when it is opened."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from trustag.errors import InputError
from trustag.review.entries import COLUMNS, DamagedRowError, Entry, NewEntry, entry_of, row_of

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
    undoes INTEGER REFERENCES decisions (number),
    checksum TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS decisions_by_issue ON decisions (issue, number);
CREATE TRIGGER IF NOT EXISTS decisions_stay BEFORE DELETE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are never deleted'); END;
CREATE TRIGGER IF NOT EXISTS decisions_are_final BEFORE UPDATE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are never changed'); END;
"""
_SELECTED: Final = ", ".join(COLUMNS)
_INSERTION: Final = f"INSERT INTO decisions ({_SELECTED}) VALUES ({', '.join('?' * len(COLUMNS))})"  # noqa: S608
_SECONDS_TO_WAIT: Final = 10.0


class ConflictError(Exception):
    """Somebody else has decided on the same issue in the meantime; ``latest`` is the newest entry on it."""

    def __init__(self, latest: Entry | None) -> None:
        self.latest = latest
        super().__init__("the issue has changed since it was shown")


class DecisionLog:
    """The log of one run; several reviewers may write to it at once.

    The log belongs to the corpus with this ``fingerprint``, or with the ``older_fingerprint`` of the first version.
    """

    def __init__(self, path: Path, fingerprint: str, older_fingerprint: str = "") -> None:
        self.path = path
        if is_cut_short(path):
            raise damage(path, "its end is missing")
        with self._named_errors():
            # The server handles one request at a time, but possibly in another thread than this one.
            self._base = sqlite3.connect(path, timeout=_SECONDS_TO_WAIT, isolation_level=None, check_same_thread=False)
            (finding,) = self._base.execute("PRAGMA integrity_check(1)").fetchone()
            if finding != "ok":
                self.close()
                raise damage(path, " ".join(finding.split()))
            known = self._prepared(fingerprint)
        if known not in {fingerprint, older_fingerprint}:
            self.close()
            raise InputError(
                "these decisions were made on another corpus", where=path, remedy="move the file away to start afresh"
            )

    def entries(self, after: int = 0) -> Iterator[Entry]:
        """Yield the entries with numbers greater than ``after``, in order."""
        query = f"SELECT {_SELECTED} FROM decisions WHERE number > ? ORDER BY number"  # noqa: S608 - our own names
        with self._named_errors(), closing(self._base.cursor()) as cursor:
            for row in cursor.execute(query, (after,)):
                yield entry_of(row)

    def add(self, entries: Sequence[NewEntry]) -> list[Entry]:
        """Add all ``entries`` or none, and return them as stored; raises :class:`ConflictError`."""
        at = datetime.now(UTC).isoformat(timespec="seconds")
        with self._named_errors(), self._writing():
            for entry in entries:
                latest = self._latest(entry.decision.issue)
                if (latest.number if latest else 0) != entry.version:
                    raise ConflictError(latest)
            (last,) = self._base.execute("SELECT coalesce(max(number), 0) FROM decisions").fetchone()
            added = [entry.stored(number, last + 1, at) for number, entry in enumerate(entries, last + 1)]
            self._base.executemany(_INSERTION, map(row_of, added))
        return added

    def restore(self, entries: Sequence[Entry]) -> None:
        """Write entries of another log into this one, which is empty, all or none."""
        with self._named_errors(), self._writing():
            self._base.executemany(_INSERTION, map(row_of, entries))

    def close(self) -> None:
        """Close the file."""
        self._base.close()

    def _prepared(self, fingerprint: str) -> str:
        """Make the file a log if it is empty, and return the corpus that it belongs to."""
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = FULL")
        with self._writing():
            for statement in _statements(_SCHEMA):
                self._base.execute(statement)
            columns = {row[1] for row in self._base.execute("PRAGMA table_info(decisions)")}
            if "checksum" not in columns:
                self._base.execute("ALTER TABLE decisions ADD COLUMN checksum TEXT")
            row = self._base.execute("SELECT fingerprint FROM corpus").fetchone()
            if row is None:
                self._base.execute("INSERT INTO corpus VALUES (?)", (fingerprint,))
        return fingerprint if row is None else str(row[0])

    def _latest(self, issue: str) -> Entry | None:
        query = f"SELECT {_SELECTED} FROM decisions WHERE issue = ? ORDER BY number DESC LIMIT 1"  # noqa: S608
        row = self._base.execute(query, (issue,)).fetchone()
        return None if row is None else entry_of(row)

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
        except DamagedRowError as error:
            raise damage(self.path, str(error)) from None
        except sqlite3.Error as error:
            # An error without a code is Python's own: text that is not UTF-8.
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF == sqlite3.SQLITE_CORRUPT:
                raise damage(self.path, str(error)) from None
            raise InputError(
                f"decisions cannot be stored here ({error})", where=self.path, remedy="check the file and its folder"
            ) from None


def damage(path: Path, finding: str) -> InputError:
    """Return the error that says that a log is damaged, and how to go on."""
    remedy = f"save what is whole with: trustag review {path.parent} --recover"
    return InputError(f"is damaged: {finding}", where=path, remedy=remedy)


def is_cut_short(path: Path) -> bool:
    """Tell whether a log has fewer pages than its header says; SQLite itself would read what is missing as zeros."""
    pending = path.with_name(f"{path.name}-wal")
    if not path.is_file() or (pending.is_file() and pending.stat().st_size):
        return False  # what is pending may not have reached the file yet
    with path.open("rb") as stream:
        header = stream.read(100)
    if not header.startswith(b"SQLite format 3\0"):
        return False
    if len(header) < 100:
        return True
    width = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    return path.stat().st_size < pages * (65536 if width == 1 else width)


def _statements(script: str) -> Iterator[str]:
    """Yield the statements of ``script``; a trigger contains semicolons of its own."""
    statement = ""
    for line in script.splitlines():
        statement += line + "\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
