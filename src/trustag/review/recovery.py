"""What is whole in a damaged decision log, saved into a new one; the damaged file is kept beside it."""

import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Final

from trustag.errors import InputError
from trustag.files.outputs import remove_drafts
from trustag.review.decisions import DecisionLog, is_cut_short
from trustag.review.entries import COLUMNS, DamagedRowError, Entry, entry_of

_FIRST_COLUMNS: Final = (*COLUMNS[:-1], "NULL")
_PENDING: Final = ("", "-wal", "-shm")
_MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Recovered:
    """Which decisions a damaged log still had, which it had lost, and where the damaged file is now."""

    saved: int
    lost: tuple[int, ...]
    kept_as: Path


def recover(path: Path, fingerprint: str) -> Recovered:
    """Replace a damaged log by one with everything in it that is as it was written."""
    if not path.is_file():
        raise InputError("there is no such file", where=path, remedy="nothing was decided, so nothing was lost")
    entries, last = _whole_entries(path)
    if not entries:
        raise InputError("holds no decision that is whole", where=path, remedy="move the file away to start afresh")
    fresh = path.with_name(f".{path.name}.recovered.part")
    remove_drafts(path)
    log = DecisionLog(fresh, fingerprint)
    log.restore(entries)
    log.close()
    kept_as = _free_name(path)
    for ending in _PENDING:
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(kept_as.with_name(kept_as.name + ending))
    fresh.rename(path)
    found = {entry.number for entry in entries}
    return Recovered(len(found), tuple(sorted(set(range(1, last + 1)) - found)), kept_as)


def _whole_entries(path: Path) -> tuple[list[Entry], int]:
    """Return the entries of a copy of the log that can be read in any way, in their order, and the last number."""
    found: dict[int, Entry] = {}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        for ending in _PENDING[:2]:
            with suppress(FileNotFoundError):
                shutil.copyfile(path.with_name(path.name + ending), copy.with_name(copy.name + ending))
        if is_cut_short(copy):
            _fill_up(copy)
        with closing(sqlite3.connect(copy)) as base:
            base.text_factory = lambda text: text.decode(errors="replace")
            names = [row[1] for row in _rows(base, "PRAGMA table_info(decisions)")]
            columns = COLUMNS if "checksum" in names else _FIRST_COLUMNS
            query = f"SELECT {', '.join(columns)} FROM decisions NOT INDEXED"  # noqa: S608 - our own names
            for order in ("ASC", "DESC"):
                _add(_rows(base, f"{query} ORDER BY number {order}"), found)
            numbers = [row[0] for row in _rows(base, "SELECT seq FROM sqlite_sequence WHERE name = 'decisions'")]
            last = max(found, default=0)
            # A count that is far from all that was found is broken itself.
            last = max([last, *(seq for seq in numbers if isinstance(seq, int) and seq < 2 * last + _MOST)])
            # Around a broken page, the rest is still found by number.
            for number in set(range(1, last + 1)) - found.keys():
                _add(_rows(base, f"{query} WHERE number = {number}"), found)
    return [found[number] for number in sorted(found)], last


def _fill_up(copy: Path) -> None:
    """Let a file be as long as its header says, so that SQLite reads what is there of its last pages."""
    with copy.open("rb+") as stream:
        header = stream.read(100)
        if len(header) == 100:
            width = int.from_bytes(header[16:18], "big")
            stream.truncate(int.from_bytes(header[28:32], "big") * (65536 if width == 1 else width))


def _rows(base: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    """Yield rows up to the first that SQLite cannot read."""
    with suppress(sqlite3.Error, OverflowError):
        yield from base.execute(query)


def _add(rows: Iterable[tuple[object, ...]], found: dict[int, Entry]) -> None:
    for row in rows:
        with suppress(DamagedRowError):
            entry = entry_of(row)
            found[entry.number] = entry


def _free_name(path: Path) -> Path:
    numbered = (f"-{number}" for number in count(2))
    names = (path.with_name(f"{path.name}.damaged{ending}") for ending in chain([""], numbered))
    return next(name for name in names if not name.exists())
