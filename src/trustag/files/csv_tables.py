"""CSV and TSV tables with a header and one token per row, as spreadsheets and dataframe libraries write them.

The columns are found by their names: sentences (`Sentence #`, `sentence_id`, …), tokens (`Word`, `token`), labels
(`Tag`, `label`, `ner`), `gold` and `source`; all others are kept as additional columns. `--columns` names them by
position instead. Fields are separated by commas, semicolons or tabs, and may be quoted. A new value in the column of
sentences starts a sentence; an empty one continues it. Without that column, blank lines separate sentences. An empty
label is unknown. Fields are written with commas, or with tabs if asked for (`--tabs`).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO, Final

from trustag.errors import InputError
from trustag.files.csv_dialect import DELIMITERS, Dialect, MalformedRowError, detect_dialect, lines_of
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.spelled_tags import SpelledTags
from trustag.files.table_columns import IGNORED, ROLES, Role, TableColumns, checked_columns, is_role
from trustag.files.tally import Tally
from trustag.notes import Note, Watch
from trustag.text.labels import UNKNOWN_MARK, Label
from trustag.text.sentences import Sentence, Source

_QUOTED: Final = frozenset('"\r\n')


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    chunks = file.chunks(keep_newlines=True)
    first = next(chunks, "")
    dialect = detect_dialect(first, options.delimiter)
    rows = dialect.rows(chain.from_iterable(map(lines_of, chain([first], chunks))))
    try:
        reader = _begin(rows, dialect, file.name, options, watch)
        yield from reader.sentences(rows)
    except MalformedRowError as error:
        raise InputError(
            f"the row cannot be read ({error})",
            where=f"{file.name}:{error.line}",
            remedy='write a quotation mark inside a quoted field twice: ""',
        ) from None


def _begin(
    rows: Iterator[tuple[int, list[str]]], dialect: Dialect, name: str, options: ReadOptions, watch: Watch
) -> "_TableReader":
    line, header = next(((line, row) for line, row in rows if row), (0, []))
    if not header:
        raise InputError("the file is empty", where=name, remedy="give a table with a header and one token per row")
    if options.columns is not None and len(options.columns) != len(header):
        raise InputError(
            f"--columns names {len(options.columns)} columns, the header {len(header)}",
            where=f"{name}:{line}",
            remedy="name every column; _ ignores one",
        )
    columns = checked_columns(options.columns or header, f"{name}:{line}", unlabelled=options.unlabelled)
    how = "as declared" if options.columns else "by the header"
    quoting = "" if dialect.quoted else ", quotation marks are ordinary characters"
    shown = f"{columns.description()} ({how}, separated by {DELIMITERS.get(dialect.delimiter, 'spaces')}{quoting})"
    watch(Note("info", "columns", shown, Source(name)))
    return _TableReader(columns, name, watch)


@dataclass(slots=True)
class _TableReader:
    """Turns the rows of a table into sentences."""

    columns: TableColumns
    name: str
    watch: Watch
    tags: dict[Role, SpelledTags] = field(init=False)
    tally: Tally = field(init=False)
    pending: list[list[str]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    count: int = 0
    seen: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.tags = {"label": SpelledTags(self.name, self.watch), "gold": SpelledTags(self.name, self.watch)}
        self.tally = Tally(self.name)

    def sentences(self, rows: Iterable[tuple[int, list[str]]]) -> Iterator[Sentence]:
        """Yield the sentences of all rows."""
        numbered = self.columns.index("sentence")
        current: str | None = None
        for line, row in rows:
            if not any(row):
                if numbered is None and self.pending:
                    yield self._finished(None)
                continue
            if len(row) != self.columns.width:
                raise InputError(
                    f"{len(row)} fields here, {self.columns.width} in the header",
                    where=f"{self.name}:{line}",
                    remedy="correct the row, or quote fields that contain the separator",
                )
            number = None if numbered is None else row[numbered].strip() or current
            if number != current and self.pending:
                yield self._finished(current)
            current = number
            self.pending.append(row)
            self.lines.append(line)
        if self.pending:
            yield self._finished(current)
        if numbered is None and self.count == 1:
            self.watch(
                Note("suspicious", "one sentence", "no column of sentences and no blank line", Source(self.name))
            )
        self.tally.report(self.watch)

    def _finished(self, number: str | None) -> Sentence:
        """Return the sentence of the pending rows; its number is its id unless it only counts."""
        source = Source(
            self.name, self.lines[0], self.lines == [*range(self.lines[0], self.lines[0] + len(self.lines))]
        )
        self.count += 1
        if number is not None and number in self.seen:
            self.watch(Note("suspicious", "rows of a sentence that are apart", f"{number!r} again", source))
        if number is not None:
            self.seen.add(number)
        values = list(zip(*self.pending, strict=True))
        lines = self.lines
        self.pending, self.lines = [], []
        label, gold, sources = (self.columns.index(role) for role in ("label", "gold", "source"))
        return Sentence(
            tokens=values[self.columns.roles["token"]],
            labels=(None,) * len(lines) if label is None else self._labels("label", values[label], lines),
            gold=None if gold is None else self._labels("gold", values[gold], lines),
            token_sources=None if sources is None else values[sources],
            source=source,
            id=None if number == str(self.count) else number,
            columns={name: values[index] for name, index in self.columns.extra},
        )

    def _labels(self, role: Role, texts: tuple[str, ...], lines: list[int]) -> tuple[Label, ...]:
        found: list[Label] = []
        for text, line in zip(texts, lines, strict=True):
            if not text.strip():
                self.tally.add("info", "empty label", f"unknown {role}")
                found.append(None)
                continue
            try:
                found.append(self.tags[role][text.strip()])
            except InputError as error:
                raise InputError(error.finding, where=f"{self.name}:{line}", remedy=error.remedy) from None
        return tuple(found)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    delimiter = "\t" if options.delimiter == "\t" else ","
    header: list[str] | None = None
    for number, sentence in enumerate(sentences, start=1):
        names = _names_of(sentence)
        if header is None:
            header = names
            stream.write(_row(header, delimiter))
        if names != header:
            raise InputError(
                f"the columns are {', '.join(names)}, but those of the first sentence {', '.join(header)}",
                where=sentence.source,
                remedy="a table needs the same columns in all sentences; write jsonl instead",
            )
        stream.write(_rows_of(sentence, number, delimiter))


def _names_of(sentence: Sentence) -> list[str]:
    optional = {"gold": sentence.gold is not None, "source": sentence.token_sources is not None}
    for name in sentence.columns:
        if is_role(name) or name != name.strip() or name in {"", IGNORED}:
            raise InputError(
                f"the name of the column {name!r} means something else in a table",
                where=sentence.source,
                remedy="rename the column, or write jsonl instead",
            )
    return ["sentence", "token", *sentence.columns, *(role for role in ROLES[2:] if optional.get(role, True))]


def _rows_of(sentence: Sentence, number: int, delimiter: str) -> bytes:
    values = [sentence.tokens, *sentence.columns.values(), _spelled(sentence.labels)]
    if sentence.gold is not None:
        values.append(_spelled(sentence.gold))
    if sentence.token_sources is not None:
        values.append(sentence.token_sources)
    if any("\0" in text for column in values for text in column):
        raise InputError(
            "a NUL character cannot be written as a table", where=sentence.source, remedy="write jsonl instead"
        )
    return b"".join(_row([str(number), *row], delimiter) for row in zip(*values, strict=True))


def _spelled(labels: tuple[Label, ...]) -> tuple[str, ...]:
    return tuple(UNKNOWN_MARK if label is None else label for label in labels)


def _row(fields: Iterable[str], delimiter: str) -> bytes:
    return (delimiter.join(_field(text, delimiter) for text in fields) + "\n").encode()


def _field(text: str, delimiter: str) -> str:
    if text and text == text.strip() and delimiter not in text and _QUOTED.isdisjoint(text):
        return text
    return '"' + text.replace('"', '""') + '"'


FORMAT: Final = FileFormat(
    name="csv",
    summary="CSV or TSV table with a header and one token per row",
    suffixes=(".csv",),
    room=frozenset({"gold", "unknown", "tags", "token_sources", "columns"}),
    read=_read,
    write=_write,
)
