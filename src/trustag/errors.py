"""Errors that the user can fix: one line with the location, the finding and the remedy."""

import errno
from typing import Final

_NO_MEMORY: Final = (
    *("can't allocate memory", "cannot allocate memory", "not enough memory", "out of memory", "bad_alloc"),
    *("can't start new thread", "failed to map segment", "memory allocation"),
    "error return without exception set",  # what is left of it where C code had no memory to say so
)


def printable(text: str) -> str:
    r"""Return ``text`` on one line, with control and other unprintable characters escaped.

    >>> printable("dev\n\x1b[2J.txt")
    'dev\\n\\x1b[2J.txt'
    """
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def is_out_of_memory(error: BaseException) -> bool:
    """Return whether an error, or one that led to it, says that memory or threads are used up.

    Libraries have errors of their own for that.

    >>> is_out_of_memory(RuntimeError("DefaultCPUAllocator: can't allocate memory"))
    True
    """
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in {errno.ENOMEM, errno.EAGAIN}):
        return True
    text = str(error).lower()
    if isinstance(error, RuntimeError | ImportError | SystemError) and any(word in text for word in _NO_MEMORY):
        return True
    earlier = error.__cause__ or error.__context__
    return earlier is not None and is_out_of_memory(earlier)


class TrustagError(Exception):
    """Base class of all errors Trustag raises on purpose; the command line prints one line and exits with code 2."""


class InputError(TrustagError):
    """A file, value or option that cannot be used.

    >>> str(InputError("expected 2 columns, found 1", where="train.txt:7", remedy="add the missing label"))
    'train.txt:7: expected 2 columns, found 1; add the missing label'
    """

    def __init__(self, finding: str, *, where: object = None, remedy: str = "") -> None:
        self.finding = finding
        self.where = where
        self.remedy = remedy
        location = f"{where}: " if where is not None else ""
        advice = f"; {remedy}" if remedy else ""
        super().__init__(printable(f"{location}{finding}{advice}"))


class DiskFullError(InputError):
    """A file cannot be written because the disk is full or the quota is used up."""


class MissingExtraError(TrustagError):
    """An optional dependency that the task needs is not installed."""

    def __init__(self, work: str, extra: str) -> None:
        self.work = work
        self.extra = extra
        super().__init__(f"{work} needs an optional dependency; install it with: pip install 'trustag[{extra}]'")

    def __reduce__(self) -> tuple[type["MissingExtraError"], tuple[str, str]]:
        """Return how to rebuild the error in another process."""
        return type(self), (self.work, self.extra)
