"""Open input files: gzip, byte-order marks, CRLF and standard input are handled, unreadable files give clear errors."""

import codecs
import gzip
import io
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, NoReturn, cast

from trustag.errors import InputError, printable

STANDARD_STREAM: Final = Path("-")
CHUNK_BYTES: Final = 1 << 16  # fits into the processor cache
LONGEST_LINE: Final = 1 << 28
"""Bytes of the longest line that is read; a device may have an endless one."""
MOST_UNPACKED: Final = 1 << 28
"""Bytes that any gzipped file may unpack to; a large file may unpack to :data:`MOST_TIMES` its size."""
MOST_TIMES: Final = 200
GZIP_MAGIC: Final = b"\x1f\x8b"
# Codecs that write text in ASCII; some can write half of a character.
_NOTATIONS: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "utf-7"})
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read: its path (``-`` is standard input), its encoding, and its name in messages."""

    path: Path
    encoding: str = "utf-8"
    shown_as: str | None = None

    @property
    def name(self) -> str:
        """The name to use in messages."""
        if self.shown_as is not None:
            return self.shown_as
        return "<stdin>" if self.path == STANDARD_STREAM else printable(str(self.path))

    @contextmanager
    def open_bytes(self) -> Iterator[BinaryIO]:
        """Open the file for reading bytes, decompressing gzip; problems with the file raise one-line errors."""
        try:
            with _opened(self.path) as stream:
                yield stream
        except FileNotFoundError:
            raise InputError("no such file", where=self.name, remedy="check the path") from None
        except IsADirectoryError:
            raise InputError("is a folder, not a file", where=self.name, remedy="give a file in it") from None
        except PermissionError:
            raise InputError(
                "permission to read it is denied", where=self.name, remedy="check its permissions"
            ) from None
        except _UnpackedTooLarge as error:
            raise InputError(
                f"unpacks to more than {in_bytes(error.limit)}, far more than text does",
                where=self.name,
                remedy="unpack it yourself if that is right",
            ) from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(
                f"damaged gzip data ({error})", where=self.name, remedy="download or compress the file again"
            ) from None
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", where=self.name, remedy="check the path") from None

    def read_bytes(self) -> bytes:
        """Return the whole content, decompressed."""
        with self.open_bytes() as stream:
            return stream.read()

    def chunks(self, keep_newlines: bool = False) -> Iterator[str]:
        """Yield the decoded text in chunks of whole lines, with line ends as plain newlines unless ``keep_newlines``.

        Invalid bytes and NUL characters raise errors that name their line.
        """
        encoding = _lookup(self.encoding, self.name)
        lines_before = 0
        with self.open_bytes() as stream:
            for number, chunk in enumerate(_whole_lines(stream, encoding, self.name)):
                text = self._decoded(chunk, encoding, lines_before)
                if number == 0:
                    text = text.removeprefix("\ufeff")
                if "\0" in text:
                    self._refuse_nul(text, lines_before)
                lines_before += _count_line_ends(text)
                if "\r" in text and not keep_newlines:
                    text = text.replace("\r\n", "\n").replace("\r", "\n")
                if text:
                    yield text

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text without their line ends."""
        for chunk in self.chunks():
            yield from chunk.removesuffix("\n").split("\n")

    def text(self, keep_newlines: bool = False) -> str:
        """Return the whole decoded text."""
        return "".join(self.chunks(keep_newlines))

    def _decoded(self, chunk: bytes, encoding: str, lines_before: int) -> str:
        try:
            return chunk.decode(encoding)
        except UnicodeDecodeError as error:
            before = chunk[: error.start].decode(encoding, errors="replace")
            line = lines_before + _count_line_ends(before) + 1
            if chunk.startswith(_UTF16_MARKS):
                remedy = "the file looks like UTF-16; declare it with --encoding utf-16"
            else:
                remedy = "declare the encoding, for example --encoding latin-1"
            raise InputError(
                f"byte 0x{chunk[error.start]:02x} is not valid {self.encoding}",
                where=f"{self.name}:{line}",
                remedy=remedy,
            ) from None

    def _refuse_nul(self, text: str, lines_before: int) -> NoReturn:
        line = lines_before + _count_line_ends(text[: text.index("\0")]) + 1
        raise InputError(
            "NUL character: the file is binary, or has another encoding",
            where=f"{self.name}:{line}",
            remedy="give a text file, or declare its encoding, for example --encoding utf-16",
        )


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open ``path`` or standard input; gzip is detected by the first bytes."""
    if path == STANDARD_STREAM:
        stream = sys.stdin.buffer
        if not isinstance(stream, io.BufferedReader):
            # A program that embeds Trustag may replace standard input by a stream that cannot peek.
            stream = io.BufferedReader(io.BytesIO(stream.read()))
        yield _unpacked(stream)
        return
    with path.open("rb") as stream:
        yield _unpacked(stream)


def _unpacked(stream: io.BufferedReader) -> BinaryIO:
    if stream.peek(2)[:2] == GZIP_MAGIC:
        return cast("BinaryIO", _BoundedGzip(stream))
    return stream


class _UnpackedTooLarge(Exception):  # noqa: N818 - never leaves this module
    """A gzipped file unpacks to more than ``limit`` bytes."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


class _BoundedGzip(gzip.GzipFile):
    """A gzipped file of which no more is unpacked than text can become; a few kilobytes can be gigabytes of zeros."""

    def __init__(self, packed: io.BufferedReader) -> None:
        super().__init__(fileobj=packed, mode="rb")
        self._packed = packed
        self._unpacked = 0

    def read(self, size: int | None = -1) -> bytes:
        """Return up to ``size`` bytes, or all of them; more than the limit is an error."""
        limit = most_unpacked(_size(self._packed))
        left = limit - self._unpacked + 1
        data = super().read(left if size is None or size < 0 else min(size, left))
        self._unpacked += len(data)
        if self._unpacked > limit:
            raise _UnpackedTooLarge(limit)
        return data


def _size(stream: io.BufferedReader) -> int:
    """Return the size of a regular file, and zero for streams, whose size is not known."""
    try:
        return os.fstat(stream.fileno()).st_size
    except OSError:
        return 0


def most_unpacked(packed: int) -> int:
    """Return how many bytes may come out of ``packed`` compressed bytes."""
    return max(MOST_UNPACKED, MOST_TIMES * packed)


def in_bytes(count: int) -> str:
    """Return a number of bytes in words.

    >>> in_bytes(1 << 28), in_bytes(3 << 30)
    ('256 MiB', '3 GiB')
    """
    return f"{count >> 30} GiB" if count >> 30 else f"{count >> 20} MiB"


def _whole_lines(stream: BinaryIO, encoding: str, name: str) -> Iterator[bytes]:
    """Yield chunks that end at a line end, so that each can be decoded alone; UTF-16 and UTF-32 give a single chunk."""
    if not _ends_lines_with_newline_byte(encoding):
        whole = stream.read(LONGEST_LINE + 1)
        if len(whole) > LONGEST_LINE:
            finding = f"more than {in_bytes(LONGEST_LINE)} of {encoding}, which are read as a whole"
            raise InputError(finding, where=name, remedy="convert the file to UTF-8")
        yield whole
        return
    rest: list[bytes] = []
    lines, waiting = 0, 0
    while block := stream.read(CHUNK_BYTES):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield b"".join([*rest, block[:cut]])
            lines += block.count(b"\n")
            rest, waiting = [block[cut:]], len(block) - cut
        else:
            rest.append(block)
            waiting += len(block)
        if waiting > LONGEST_LINE:
            finding = f"a line of more than {in_bytes(LONGEST_LINE)}"
            raise InputError(finding, where=f"{name}:{lines + 1}", remedy="give a text file with shorter lines")
    if rest:
        yield b"".join(rest)


def _count_line_ends(text: str) -> int:
    return text.count("\n") + (text.count("\r") - text.count("\r\n") if "\r" in text else 0)


def _lookup(encoding: str, name: str) -> str:
    try:
        # Some codecs do not convert between bytes and text; only trying shows which.
        codec = codecs.lookup(encoding).name if "\n".encode(encoding).decode(encoding) == "\n" else None
    except (LookupError, ValueError):
        codec = None
    if codec is None or codec in _NOTATIONS:
        raise InputError(
            f"unknown encoding {encoding!r}", where=name, remedy="use for example utf-8, latin-1 or cp1252"
        )
    # A byte-order mark is removed only at the start of the file, not of every chunk.
    return codec.removesuffix("-sig")


def _ends_lines_with_newline_byte(encoding: str) -> bool:
    return "\n".encode(encoding).endswith(b"\n") and not encoding.startswith(("utf-16", "utf-32", "utf_16", "utf_32"))
