"""Read word vectors from text files of GloVe, word2vec and fastText: a word and its values on each line.

Only the values of wanted rows are parsed. A wrong row is dropped, with a note that names its line.
"""

import contextlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO, Final, TypeAlias

import numpy as np

from trustag.errors import InputError
from trustag.files.inputs import CHUNK_BYTES, InputFile
from trustag.notes import Note, Watch, unwatched
from trustag.text.sentences import Source
from trustag.vectors.text_layout import RowLayout, read_layout, without_mark
from trustag.vectors.vector_rows import first_wrong_value, parse_rows, split_vector_row
from trustag.vectors.word_vectors import Matrix, WordVectors

Wanted: TypeAlias = Callable[[str], bool] | Collection[str] | None

_LONGEST_LINE: Final = 1 << 24
_BATCH_ROWS: Final = 64  # small enough for the processor cache


@dataclass(slots=True)
class RowTally:
    """Counts of the rows read, kept, and dropped by reason.

    ``parsed`` counts the rows whose values were parsed; the values of unwanted rows are not.
    """

    layout: RowLayout | None = None
    rows: int = 0
    kept: int = 0
    parsed: int = 0
    repeated: int = 0
    wrong_width: int = 0
    wrong_values: int = 0
    wrong_words: int = 0
    first_wrong: str = ""


def read_vectors(file: InputFile, wanted: Wanted = None, watch: Watch = unwatched, also_first: int = 0) -> WordVectors:
    """Return the vectors in ``file`` of the wanted words (``None``: all).

    The first ``also_first`` rows are kept too; files list frequent words first. Of a repeated word, the first row
    counts. If more than half of the rows are wrong, that is an error.
    """
    tally = RowTally()
    batches = list(read_batches(file, tally, wanted, watch, also_first))
    width = tally.layout.width if tally.layout is not None else 0
    matrix = np.concatenate([rows for _, rows in batches]) if batches else np.empty((0, width), np.float32)
    words = tuple(chain.from_iterable(words for words, _ in batches))
    return WordVectors(file.name, words, matrix, tally.rows)


def read_batches(
    file: InputFile, tally: RowTally, wanted: Wanted = None, watch: Watch = unwatched, also_first: int = 0
) -> Iterator[tuple[list[str], Matrix]]:
    """Yield the wanted words with their vectors in batches, and count rows in ``tally``."""
    _check_encoding(file)
    keep = _keeper(wanted, file.encoding)
    with file.open_bytes() as stream:
        collector: _Collector | None = None
        number = 1
        for chunk in _whole_lines(stream, file.name):
            lines = chunk.removesuffix(b"\n").split(b"\n")
            if collector is None:
                tally.layout = layout = read_layout(chunk, file.name)
                collector = _Collector(file, layout.width, tally, watch)
                skipped = 1 if layout.header is not None else 0
                lines, number = lines[skipped:], number + skipped
            yield from collector.take(lines, number, keep, also_first)
            number += len(lines)
        if collector is None:
            read_layout(b"", file.name)
        else:
            yield from collector.finish()
    _check_header(file, tally, watch)
    _check_share_of_wrong_rows(file, tally)


def _check_encoding(file: InputFile) -> None:
    """Raise an error for encodings in which spaces, digits and line ends differ from ASCII."""
    try:
        plain = " 0123456789.\n".encode(file.encoding) == b" 0123456789.\n"
    except LookupError:
        raise InputError(
            f"unknown encoding {file.encoding!r}", where=file.name, remedy="use for example utf-8 or latin-1"
        ) from None
    if not plain:
        raise InputError(
            f"the encoding {file.encoding} is not supported for word vectors",
            where=file.name,
            remedy="save them in UTF-8",
        )


def _keeper(wanted: Wanted, encoding: str) -> Callable[[bytes], bool] | None:
    """Return a function that tells whether to keep a word, given its bytes in the file; ``None`` keeps all words."""
    if wanted is None:
        return None
    if callable(wanted):
        choose = wanted
        return lambda word: choose(word.decode(encoding, errors="replace"))
    return frozenset(_encoded(wanted, encoding)).__contains__


def _encoded(words: Iterable[str], encoding: str) -> Iterator[bytes]:
    for word in words:
        with contextlib.suppress(UnicodeEncodeError):  # a word that the encoding cannot represent is not in the file
            yield word.encode(encoding)


@dataclass(slots=True)
class _Collector:
    """Collects wanted rows of one file until a batch is full and can be parsed."""

    file: InputFile
    width: int
    tally: RowTally
    watch: Watch
    seen: set[bytes] = field(default_factory=set)
    waiting: dict[bytes, tuple[int, bytes]] = field(default_factory=dict)

    def take(
        self, lines: list[bytes], number: int, keep: Callable[[bytes], bool] | None, also_first: int
    ) -> Iterator[tuple[list[str], Matrix]]:
        """Add lines, the first of which has this line number, and yield the batches that become full."""
        spaces = self.width - 1
        rows = self.tally.rows
        for line_number, line in enumerate(lines, number):
            word, _, values = line.partition(b" ")
            if not word or values.count(b" ") != spaces or line.endswith((b" ", b"\r")):
                if not line.strip():
                    continue
                split = split_vector_row(line, self.width)
                if split is None:
                    rows += 1
                    self._wrong_width(line_number, line)
                    continue
                word, values = split
            rows += 1
            if keep is None or rows <= also_first or keep(word):
                if len(self.waiting) == _BATCH_ROWS or word in self.waiting:
                    yield from self.finish()
                self.waiting[word] = line_number, values
        self.tally.rows = rows

    def finish(self) -> Iterator[tuple[list[str], Matrix]]:
        """Yield the rows of the last batch as words and vectors."""
        waiting, self.waiting = self.waiting, {}
        fresh = [
            (line_number, word, values)
            for word, (line_number, values) in waiting.items()
            if self._is_first(line_number, word)
        ]
        self.tally.parsed += len(fresh)
        matrix = parse_rows([values for _, _, values in fresh], self.width)
        if matrix is None or not np.isfinite(matrix).all():
            fresh, matrix = self._parse_singly(fresh)
        words = [word.decode(self.file.encoding) for _, word, _ in fresh]
        self.seen.update(word for _, word, _ in fresh)
        self.tally.kept += len(words)
        if words:
            yield words, matrix

    def _is_first(self, line_number: int, word: bytes) -> bool:
        if word in self.seen:
            self.tally.repeated += 1
            self._drop(line_number, "repeated word", f"{self._shown(word)} also occurs above; the first row counts")
            return False
        try:
            word.decode(self.file.encoding)
        except UnicodeDecodeError:
            self.tally.wrong_words += 1
            self._drop(line_number, "unreadable word", f"{self._shown(word)} is not valid {self.file.encoding}")
            return False
        return True

    def _parse_singly(self, rows: list[tuple[int, bytes, bytes]]) -> tuple[list[tuple[int, bytes, bytes]], Matrix]:
        right, parsed = [], []
        for line_number, word, values in rows:
            vector = parse_rows([values], self.width)
            if vector is None or not np.isfinite(vector).all():
                self.tally.wrong_values += 1
                self._drop(line_number, "wrong value", f"{self._shown(word)} has {first_wrong_value(values)}")
            else:
                right.append((line_number, word, values))
                parsed.append(vector)
        return right, np.concatenate(parsed) if parsed else np.empty((0, self.width), np.float32)

    def _wrong_width(self, line_number: int, line: bytes) -> None:
        self.tally.wrong_width += 1
        fields = line.split()
        if line[:1].isspace():
            detail = "no word before the values"
        else:
            detail = f"{self._shown(fields[0])} has {len(fields) - 1} values, most rows have {self.width}"
        self._drop(line_number, "wrong number of values", detail)

    def _drop(self, line_number: int, reason: str, detail: str) -> None:
        source = Source(self.file.name, line_number)
        if reason != "repeated word" and not self.tally.first_wrong:
            self.tally.first_wrong = f"line {line_number}: {detail}"
        self.watch(Note("dropped", reason, detail, source))

    def _shown(self, word: bytes) -> str:
        return repr(word.decode(self.file.encoding, errors="replace"))


def _whole_lines(stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield chunks of the file that end at a line end, the first one without a byte-order mark."""
    pieces: list[bytes] = []
    waiting = 0
    first = True
    while block := stream.read(CHUNK_BYTES):
        if first:
            block, first = without_mark(block), False
        cut = block.rfind(b"\n") + 1
        if cut:
            yield b"".join([*pieces, block[:cut]])
            pieces, waiting = [block[cut:]], len(block) - cut
        else:
            pieces.append(block)
            waiting += len(block)
        if waiting > _LONGEST_LINE:
            raise InputError(
                f"a line has more than {_LONGEST_LINE >> 20} MB, too long for a row of word vectors",
                where=name,
                remedy="give a file with rows of 'word v1 v2 ...'",
            )
    if waiting:
        yield b"".join(pieces)


def _check_header(file: InputFile, tally: RowTally, watch: Watch) -> None:
    layout = tally.layout
    if layout is None or layout.header is None:
        return
    promised = layout.header
    if (promised.words, promised.width) != (tally.rows, layout.width):
        detail = (
            f"it states {promised.words:,} words of {promised.width} values, "
            f"but the file has {tally.rows:,} words of {layout.width}"
        )
        watch(Note("suspicious", "header disagrees", detail, Source(file.name, 1)))


def _check_share_of_wrong_rows(file: InputFile, tally: RowTally) -> None:
    for wrong, seen in ((tally.wrong_width, tally.rows), (tally.wrong_values, tally.parsed)):
        if 2 * wrong > seen:
            raise InputError(
                f"{wrong:,} of {seen:,} rows are wrong, the first at {tally.first_wrong}",
                where=file.name,
                remedy="give a file with rows of 'word v1 v2 ...'",
            )
