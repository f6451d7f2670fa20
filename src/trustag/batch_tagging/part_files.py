"""Output that survives an interruption: lines go into a file beside it, which becomes the output when it is whole."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from trustag.errors import InputError
from trustag.files.outputs import new_file, room_for

_BLOCK: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class PartFile:
    """A file of lines under way, and how many whole lines it had when it was opened."""

    stream: BinaryIO
    lines: int


def part_of(output: Path) -> Path:
    """Return the file in which the lines of an unfinished output are."""
    return output.with_name(f"{output.name}.part")


def lines_so_far(output: Path) -> int:
    """Return how many whole lines an unfinished output has."""
    with suppress(FileNotFoundError), part_of(output).open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(_BLOCK), b""))
    return 0


def _job_of(output: Path) -> Path:
    return output.with_name(f"{output.name}.part.json")


@contextmanager
def resumed(output: Path, job: Mapping[str, object], *, overwrite: bool) -> Iterator[PartFile]:
    """Open the lines of an unfinished output, or begin them; half a line at the end is removed.

    ``job`` says what makes the lines; those of another job are refused, and with ``overwrite`` replaced.
    """
    part, note = part_of(output), _job_of(output)
    if output.exists() and not overwrite:
        raise InputError("already exists", where=output, remedy="choose another name, or --overwrite")
    with room_for(output), part.open("a+b") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError("another process is writing it", where=part, remedy="wait for it") from None
        content = msgspec.json.encode(job, order="sorted")
        if _read(note) != content:
            if stream.seek(0, os.SEEK_END) and not overwrite:
                remedy = "give the same model, input and options, or begin anew with --overwrite"
                raise InputError("was begun with another model, input or options", where=part, remedy=remedy)
            stream.truncate(0)
            with new_file(note, overwrite=True) as described:
                described.write(content)
        try:
            yield PartFile(stream, _whole_lines(stream))
            stream.flush()
            os.fsync(stream.fileno())
        except BaseException:
            stream.flush()
            if not stream.tell():
                discard(output)  # nothing that anybody could continue
            raise


def discard(output: Path) -> None:
    """Remove what an unfinished output left, once it is not needed any more."""
    for path in (part_of(output), _job_of(output)):
        path.unlink(missing_ok=True)


def _read(path: Path) -> bytes:
    with suppress(FileNotFoundError):
        return path.read_bytes()
    return b""


def _whole_lines(stream: BinaryIO) -> int:
    """Return how many whole lines there are, and cut off what follows the last."""
    stream.seek(0)
    lines = size = end = 0
    while block := stream.read(_BLOCK):
        if b"\n" in block:
            lines += block.count(b"\n")
            end = size + block.rindex(b"\n") + 1
        size += len(block)
    stream.truncate(end)
    stream.seek(end)
    return lines
