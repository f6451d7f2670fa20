"""Open a user's file whatever its state: gzip, byte-order mark, CRLF, standard input, or not a text at all."""

import codecs
import gzip
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, NoReturn, cast

from trustag.errors import InputError, printable

STANDARD_STREAM: Final = Path("-")
CHUNK_BYTES: Final = 1 << 16  # what a processor keeps in its cache is read fastest
_GZIP_MAGIC: Final = b"\x1f\x8b"
# Ways to spell text in ASCII; some can spell half of a character.
_NOTATIONS: Final = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape", "utf-7"})
_UTF16_MARKS: Final = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class InputFile:
    """A file to read: its path (``-`` is standard input), its declared encoding, and the name to show in messages."""

    path: Path
    encoding: str = "utf-8"
    shown_as: str | None = None

    @property
    def name(self) -> str:
        """The name messages use."""
        if self.shown_as is not None:
            return self.shown_as
        return "<stdin>" if self.path == STANDARD_STREAM else printable(str(self.path))

    @contextmanager
    def open_bytes(self) -> Iterator[BinaryIO]:
        """Open for reading bytes, unpacking gzip; problems of the file become one-line errors."""
        try:
            with _opened(self.path) as stream:
                yield stream
        except FileNotFoundError:
            raise InputError("no such file", where=self.name, remedy="check the path") from None
        except IsADirectoryError:
            raise InputError("is a folder, not a file", where=self.name, remedy="name a file in it") from None
        except PermissionError:
            raise InputError("may not be read", where=self.name, remedy="check its permissions") from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise InputError(
                f"broken gzip data ({error})", where=self.name, remedy="fetch or pack the file again"
            ) from None
        except OSError as error:
            raise InputError(f"cannot be read ({error.strerror})", where=self.name, remedy="check the path") from None

    def read_bytes(self) -> bytes:
        """Return the whole content, unpacked."""
        with self.open_bytes() as stream:
            return stream.read()

    def chunks(self, keep_newlines: bool = False) -> Iterator[str]:
        """Yield the decoded text in pieces of whole lines, with plain newlines unless ``keep_newlines``.

        Bytes that do not fit the encoding and NUL characters are errors that name their line.
        """
        encoding = _lookup(self.encoding, self.name)
        lines_before = 0
        with self.open_bytes() as stream:
            for number, piece in enumerate(_whole_lines(stream, encoding)):
                text = self._decoded(piece, encoding, lines_before)
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

    def _decoded(self, piece: bytes, encoding: str, lines_before: int) -> str:
        try:
            return piece.decode(encoding)
        except UnicodeDecodeError as error:
            before = piece[: error.start].decode(encoding, errors="replace")
            line = lines_before + _count_line_ends(before) + 1
            if piece.startswith(_UTF16_MARKS):
                remedy = "the file looks like UTF-16; declare it with --encoding utf-16"
            else:
                remedy = "declare the encoding, for example --encoding latin-1"
            raise InputError(
                f"byte 0x{piece[error.start]:02x} is not valid {self.encoding}",
                where=f"{self.name}:{line}",
                remedy=remedy,
            ) from None

    def _refuse_nul(self, text: str, lines_before: int) -> NoReturn:
        line = lines_before + _count_line_ends(text[: text.index("\0")]) + 1
        raise InputError(
            "NUL character: binary data, or a text in another encoding",
            where=f"{self.name}:{line}",
            remedy="name a text file, or declare its encoding, for example --encoding utf-16",
        )


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open ``path`` or standard input, through gzip where the first bytes say so."""
    if path == STANDARD_STREAM:
        stream = sys.stdin.buffer
        if not isinstance(stream, io.BufferedReader):
            # What stands in for standard input in an embedding program may be unable to look ahead.
            stream = io.BufferedReader(io.BytesIO(stream.read()))
        yield _unpacked(stream)
        return
    with path.open("rb") as stream:
        yield _unpacked(stream)


def _unpacked(stream: io.BufferedReader) -> BinaryIO:
    if stream.peek(2)[:2] == _GZIP_MAGIC:
        return cast("BinaryIO", gzip.open(stream, "rb"))
    return stream


def _whole_lines(stream: BinaryIO, encoding: str) -> Iterator[bytes]:
    """Yield pieces that end at a line end, so that each decodes on its own; wide encodings come in one piece."""
    if not _ends_lines_with_newline_byte(encoding):
        yield stream.read()
        return
    rest: list[bytes] = []
    while block := stream.read(CHUNK_BYTES):
        cut = block.rfind(b"\n") + 1
        if cut:
            yield b"".join([*rest, block[:cut]])
            rest = [block[cut:]]
        else:
            rest.append(block)
    if rest:
        yield b"".join(rest)


def _count_line_ends(text: str) -> int:
    return text.count("\n") + (text.count("\r") - text.count("\r\n") if "\r" in text else 0)


def _lookup(encoding: str, name: str) -> str:
    try:
        # Not every codec turns bytes into text, and only trying tells which do.
        codec = codecs.lookup(encoding).name if "\n".encode(encoding).decode(encoding) == "\n" else None
    except (LookupError, ValueError):
        codec = None
    if codec is None or codec in _NOTATIONS:
        raise InputError(f"unknown encoding {encoding!r}", where=name, remedy="for example utf-8, latin-1 or cp1252")
    # A byte-order mark is taken off at the beginning of the file only, not of every piece.
    return codec.removesuffix("-sig")


def _ends_lines_with_newline_byte(encoding: str) -> bool:
    return "\n".encode(encoding).endswith(b"\n") and not encoding.startswith(("utf-16", "utf-32", "utf_16", "utf_32"))
