"""One writer per run folder: a lock that ends with the process that holds it, however that process ends.

Worker processes outlive a killed parent for a moment. They hold a lock of their own while they work, and the next
writer waits for it. A worker that comes too late finds the name of another writer and does nothing.
"""

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import msgspec

from trustag.engines import Arguments, Engine, Result
from trustag.errors import InputError
from trustag.files.outputs import room_for

WRITER: Final = "writer.lock"
WORKERS: Final = "workers.lock"
_LONGEST_WAIT: Final = 60.0
_SECONDS_BETWEEN_TRIES: Final = 0.05


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes into a run: a command, its process, and the time, to the microsecond, at which it began."""

    work: str
    process: int
    host: str
    since: str

    def __str__(self) -> str:
        """Return it in words."""
        began = datetime.fromisoformat(self.since)
        return f"{self.work} (process {self.process} on {self.host}, since {began:%Y-%m-%d %H:%M:%S} UTC)"


@dataclass(frozen=True, slots=True)
class RunLock:
    """The right to write into a run, as long as its process lives and its block lasts."""

    folder: Path
    writer: Writer

    def during(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> Result:
        """Do ``work`` in a worker process; nobody else becomes the writer of the run meanwhile."""
        try:
            handle = os.open(self.folder / WORKERS, os.O_RDWR)
        except FileNotFoundError:
            raise self._is_over() from None
        try:
            _lock(handle, shared=True)
            if _known_writer(self.folder) != self.writer:
                raise self._is_over()
            return work(*arguments, **named)
        finally:
            os.close(handle)

    def _is_over(self) -> InputError:
        return InputError(f"is not being written by {self.writer} any more", where=self.folder, remedy="start again")


class LockedEngine:
    """An engine whose worker processes hold the lock of a run while they work for it.

    Workers on other machines do not write into the run: this process does, which holds its lock.
    """

    def __init__(self, engine: Engine, lock: RunLock) -> None:
        self.engine = engine
        self.lock = lock
        self.runs_here = engine.runs_here
        self.shares_files = engine.shares_files

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Have ``work`` done by the engine and return the future of its result."""
        if self.runs_here or not self.shares_files:  # only the process that holds the lock writes
            return self.engine.submit(work, *arguments, **named)
        return self.engine.submit(self.lock.during, work, *arguments, **named)

    def submit_into(
        self, folder: Path, work: Callable[..., Result], /, *arguments: object, keep: bool = False
    ) -> "Future[Result]":
        """Have work done that leaves files in ``folder``, and return the future of its result."""
        if self.runs_here or not self.shares_files:
            return self.engine.submit_into(folder, work, *arguments, keep=keep)
        return self.engine.submit(self.lock.during, partial(work, *arguments, folder))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing: the engine belongs to whoever started it."""


@contextmanager
def only_writer(folder: Path, work: str) -> Iterator[RunLock]:
    """Be the only process that writes into the run ``folder`` during the block; ``work`` names the command.

    The folder is created if it does not exist, and removed again if nothing is in it at the end.
    """
    created = [path for path in (folder, *folder.parents) if not path.exists()]
    handle = _locked(folder)
    try:
        lock = RunLock(folder, Writer(work, os.getpid(), socket.gethostname(), datetime.now(UTC).isoformat()))
        _take_over(lock)
        yield lock
    finally:
        _leave(folder)
        os.close(handle)
        _remove_empty(created)


def is_lock_file(path: Path) -> bool:
    """Return whether ``path`` is one of the files that locking leaves in a run while it is written."""
    return path.name in {WRITER, WORKERS}


def _locked(folder: Path) -> int:
    """Return a handle on the file of the writer, locked; refuse where another process has it."""
    try:
        while True:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder / WRITER, os.O_RDWR | os.O_CREAT, 0o666)
            if not _lock(handle):
                os.close(handle)
                raise _refusal(folder)
            if _is_at(handle, folder / WRITER):
                return handle
            os.close(handle)  # the writer before removed it between the two steps
    except OSError as error:
        raise InputError(
            f"cannot be locked for writing ({error.strerror})", where=folder, remedy="choose another folder"
        ) from None


def _refusal(folder: Path) -> InputError:
    writer = _known_writer(folder) or "another process"
    return InputError(
        f"is in use by {writer}", where=folder, remedy="wait until that ends or stop it, or choose another folder"
    )


def _take_over(lock: RunLock) -> None:
    """Wait until the workers of a killed writer have ended, and put the new writer in its place."""
    handle = os.open(lock.folder / WORKERS, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        began = time.monotonic()
        while not _lock(handle):
            if time.monotonic() - began > _LONGEST_WAIT:
                writer = _known_writer(lock.folder) or "an earlier process"
                finding = f"worker processes of {writer} still write into it"
                raise InputError(finding, where=lock.folder, remedy="end them, then try again")
            time.sleep(_SECONDS_BETWEEN_TRIES)
        with room_for(lock.folder / WRITER):
            (lock.folder / WRITER).write_text(json.dumps(asdict(lock.writer)), encoding="utf-8")
    finally:
        os.close(handle)


def _leave(folder: Path) -> None:
    """Remove the files of the lock, but not under workers that are still at work."""
    try:
        handle = os.open(folder / WORKERS, os.O_RDWR)
    except OSError:
        pass
    else:
        if _lock(handle):
            (folder / WORKERS).unlink(missing_ok=True)
        os.close(handle)
    (folder / WRITER).unlink(missing_ok=True)


def _lock(handle: int, *, shared: bool = False) -> bool:
    """Lock an open file for this process alone, and tell whether that worked; or with others, as soon as it may."""
    if sys.platform == "win32":  # where Python has no locks that several processes may share
        return True
    import fcntl  # noqa: PLC0415 - there is none on Windows

    try:
        fcntl.flock(handle, fcntl.LOCK_SH if shared else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.stat())
    except FileNotFoundError:
        return False


def _known_writer(folder: Path) -> Writer | None:
    try:
        return msgspec.json.decode((folder / WRITER).read_bytes(), type=Writer)
    except (OSError, msgspec.DecodeError):
        return None


def _remove_empty(created: list[Path]) -> None:
    for path in created:
        try:
            path.rmdir()
        except OSError:
            return
