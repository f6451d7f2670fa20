"""CoNLL text: one token per line, columns separated by spaces or tabs, a blank line after every sentence.

The columns are detected from the start of the file and reported in a note; a later row with another number of columns
is an error. A ``-DOCSTART-`` line starts a new document. ``#`` lines above a sentence are its comments, but a line that
fits the columns is a token even if it starts with ``#``. A last column that contains only names of sources (``given``,
``reviewed``, ``none``, ``gazetteer:cities``) is the source of each label. Tags may be types without positions
(``PER``), if all of them are.
"""

import re
from collections.abc import Iterable, Iterator
from typing import BinaryIO, Final

from trustag.errors import InputError
from trustag.files.conll_layout import ColumnLayout, detect_layout, split_fields
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.spelled_tags import SpelledTags
from trustag.notes import Note, Watch
from trustag.text.labels import OUTSIDE, UNKNOWN_MARK, Label
from trustag.text.sentences import Sentence, Source

DOCUMENT_START: Final = "-DOCSTART-"
_FILLER: Final = "-X-"
_SPACE_AT_FIELD_END = re.compile("(?:^|\t) | (?:\t|$)", re.MULTILINE)


class _Rows:
    """Turns chunks of text into sentences, and keeps the state between chunks."""

    def __init__(self, layout: ColumnLayout, name: str, watch: Watch) -> None:
        self.layout = layout
        self.name = name
        self.line = 1
        self.tags = {column: SpelledTags(name, watch) for column in layout.label_columns}
        self.documents = 0
        self.comments: list[str] = []
        # Other whitespace may occur inside a field; rows with it are read one by one.
        field = "\\S++" if layout.delimiter == " " else "(?! )[^\\t\\n]++(?<! )"
        row = re.escape(layout.delimiter).join([field] * layout.width) + "\\n"
        self.regular_run = re.compile(f"(?:(?!#|{DOCUMENT_START})(?:{row})++\\n)*+")

    @property
    def document(self) -> str | None:
        return str(self.documents) if self.documents else None

    def read(self, text: str) -> Iterator[Sentence]:
        """Yield the sentences of ``text``, the next chunk of the file.

        Runs of regular sentences, nearly all of a typical file, are read in bulk; anything else is read row by row.
        """
        position = 0
        while position < len(text):
            run = self.regular_run.match(text, position)
            end = run.end() if run else position
            if end > position:
                yield from self._read_run(text[position:end])
            else:
                end = text.find("\n\n", position) + 2
                end = end if end > 1 else len(text)
                yield from self._read_rows(text[position:end].split("\n"))
            position = end

    def _read_run(self, text: str) -> Iterator[Sentence]:
        """Yield the sentences of a text in which all rows are regular and a blank line follows each sentence."""
        layout, width = self.layout, self.layout.width
        if layout.delimiter == " ":
            fields = text.split()
        else:
            fields = text.replace("\n\n", "\n").replace("\n", layout.delimiter).split(layout.delimiter)
            fields.pop()
        tokens = tuple(fields[layout.token :: width])
        try:
            labels = self._labels(layout.label, fields[layout.label :: width]) if layout.label is not None else None
            gold = self._labels(layout.gold, fields[layout.gold :: width]) if layout.gold is not None else None
        except InputError:
            yield from self._read_rows(text.split("\n"))
            return
        sources = tuple(fields[layout.source :: width]) if layout.source is not None else None
        columns = [(name, tuple(fields[column::width])) for name, column in layout.extra]
        file, document, comments, line, start = self.name, self.document, self._take_comments(), self.line, 0
        for length in [sentence.count("\n") + 1 for sentence in text[:-2].split("\n\n")]:
            end = start + length
            yield Sentence(
                tokens[start:end],
                labels[start:end] if labels is not None else (None,) * length,
                gold[start:end] if gold is not None else None,
                token_sources=sources[start:end] if sources is not None else None,
                source=Source(file, line, True),
                document=document,
                comments=comments,
                columns={name: values[start:end] for name, values in columns} if columns else {},
            )
            comments = ()
            line += length + 1
            start = end
        self.line = line

    def _labels(self, column: int, texts: Iterable[str]) -> tuple[Label, ...]:
        return tuple(map(self.tags[column].__getitem__, texts))

    def _take_comments(self) -> tuple[str, ...]:
        comments, self.comments = tuple(self.comments), []
        return comments

    def _read_rows(self, rows: list[str]) -> Iterator[Sentence]:
        """Yield the sentences of ``rows``, one row at a time; slower, but locates every error."""
        pending: list[tuple[str, ...]] = []
        for number, row in enumerate([*rows, ""], start=self.line):
            fields = split_fields(row, self.layout)
            if not fields:
                if pending:
                    yield self._sentence(tuple(zip(*pending, strict=True)), number - len(pending))
                    pending = []
            elif not pending and fields[0] == DOCUMENT_START:
                self.documents += 1
            elif not pending and self.layout.is_comment(row, fields):
                self.comments.append(row)
            else:
                self._check_row(fields, number)
                pending.append(fields)
        self.line += len(rows) - 1

    def _check_row(self, fields: tuple[str, ...], number: int) -> None:
        layout, where = self.layout, Source(self.name, number)
        if len(fields) != layout.width:
            shown = " ".join(fields)
            shown = shown if len(shown) <= 60 else shown[:57] + "..."
            raise InputError(
                f"expected {layout.width} columns ({', '.join(layout.names)}), found {len(fields)}: {shown!r}",
                where=where,
                remedy="correct the row, or declare the columns with --columns",
            )
        for column in layout.label_columns:
            try:
                self.tags[column][fields[column]]
            except InputError as error:
                raise InputError(error.finding, where=where, remedy=error.remedy) from None

    def _sentence(self, fields: tuple[tuple[str, ...], ...], line: int) -> Sentence:
        layout = self.layout
        tokens = fields[layout.token]
        return Sentence(
            tokens,
            self._labels(layout.label, fields[layout.label]) if layout.label is not None else (None,) * len(tokens),
            self._labels(layout.gold, fields[layout.gold]) if layout.gold is not None else None,
            token_sources=fields[layout.source] if layout.source is not None else None,
            source=Source(self.name, line, token_lines=True),
            document=self.document,
            comments=self._take_comments(),
            columns={name: fields[column] for name, column in layout.extra},
        )


def read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL file."""
    rows: _Rows | None = None
    waiting: list[str] = []  # joined only once, however long a sentence is
    for chunk in file.chunks():
        cut = chunk.rfind("\n\n") + 2
        if cut == 1 and not (waiting and chunk[0] == "\n"):
            waiting.append(chunk)
            continue
        text = "".join([*waiting, chunk[:cut]])
        waiting = [chunk[cut:]] if cut < len(chunk) else []
        if rows is None:
            rows = _begin(text, file.name, options, watch)
        yield from rows.read(text)
    rest = "".join(waiting)
    if rows is None:
        rows = _begin(rest, file.name, options, watch)
    last_chunk = rows.line
    yield from rows.read(rest)
    if rows.comments:
        watch(Note("left out", "comment after the last sentence", rows.comments[0], Source(file.name, last_chunk)))


def _begin(sample: str, name: str, options: ReadOptions, watch: Watch) -> _Rows:
    layout = detect_layout(sample, name, options)
    watch(Note("info", "columns", layout.description(), Source(name)))
    return _Rows(layout, name, watch)


def write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    """Write ``sentences`` as CoNLL text; a sentence that could not be read back is an error.

    The columns are the token, additional columns of the first sentence, the label, and gold and source if present.
    """
    document: str | None = None
    columns: list[str] | None = None
    for sentence in sentences:
        if columns is None:
            columns = _columns_of(sentence)
        if sentence.document is not None and sentence.document != document:
            document = sentence.document
            marker = [DOCUMENT_START, *(_FILLER for _ in columns[1:])]
            marker[columns.index("label")] = OUTSIDE
            stream.write((options.delimiter.join(marker) + "\n\n").encode())
        if sentence.tokens:
            stream.write(_written(sentence, columns, options.delimiter).encode())


def _columns_of(sentence: Sentence) -> list[str]:
    names = ["token", *sentence.columns, "label"]
    if sentence.gold is not None:
        names.append("gold")
    if sentence.token_sources is not None:
        names.append("source")
    return names


def _written(sentence: Sentence, columns: list[str], delimiter: str) -> str:
    if _columns_of(sentence) != columns:
        raise InputError(
            f"the columns are {', '.join(_columns_of(sentence))}, but those of the first sentence {', '.join(columns)}",
            where=sentence.source,
            remedy="CoNLL text needs the same columns in all sentences; write jsonl instead",
        )
    values: list[tuple[str, ...]] = [sentence.tokens, *sentence.columns.values(), _spelled(sentence.labels)]
    if sentence.gold is not None:
        values.append(_spelled(sentence.gold))
    if sentence.token_sources is not None:
        values.append(sentence.token_sources)
    rows = [delimiter.join(row) for row in zip(*values, strict=True)]
    text = "\n".join(rows)
    _check_readable(sentence, rows, text, (len(columns), delimiter))
    comments = "".join(f"{comment}\n" for comment in sentence.comments)
    return f"{comments}{text}\n\n"


def _spelled(labels: tuple[Label, ...]) -> tuple[str, ...]:
    return tuple([UNKNOWN_MARK if label is None else label for label in labels])


def _check_readable(sentence: Sentence, rows: list[str], text: str, shape: tuple[int, str]) -> None:
    """Raise an error if a value could not be read back: it is empty, or contains a delimiter or line end."""
    width, delimiter = shape
    separators = (width - 1) * len(rows)
    regular = (
        text.count(" ") + text.count("\t") == separators
        if delimiter == " "
        else text.count("\t") == separators and not _SPACE_AT_FIELD_END.search(text)
    )
    if regular and text.count("\n") == len(rows) - 1 and "\r" not in text and "\0" not in text:
        empty = any("" in column for column in (sentence.tokens, *sentence.columns.values()))
        if not empty and sentence.tokens[0] != DOCUMENT_START:
            return
    culprit = next((token for token in sentence.tokens if _unwritable(token, delimiter)), None)
    raise InputError(
        f"the token {culprit!r} cannot be written as CoNLL text"
        if culprit is not None
        else "a column value cannot be written as CoNLL text",
        where=sentence.source,
        remedy="pass --tabs for tokens with spaces, or write jsonl",
    )


def _unwritable(token: str, delimiter: str) -> bool:
    forbidden = " \t\n\r\0" if delimiter == " " else "\t\n\r\0"
    return not token or token == DOCUMENT_START or token != token.strip(" ") or any(mark in token for mark in forbidden)


FORMAT: Final = FileFormat(
    name="conll",
    summary="one token per line in columns, a blank line after each sentence",
    suffixes=(".conll", ".txt", ".tsv", ".bio", ".iob", ".iob2", ".bioes", ".conll03"),
    room=frozenset({"gold", "unknown", "tags", "token_sources", "columns", "document", "comments"}),
    read=read,
    write=write,
)
