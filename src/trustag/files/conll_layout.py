"""The columns of a CoNLL file: declared by the user, or detected from the start of the file."""

import re
from dataclasses import dataclass, replace
from typing import Final

from trustag.errors import InputError
from trustag.files.formats import ReadOptions
from trustag.files.spelled_tags import is_bare_type
from trustag.text.labels import OUTSIDE, is_label, split_label
from trustag.text.sentences import is_source_name

_CHUNK_TYPES: Final = frozenset({"NP", "VP", "PP", "ADVP", "ADJP", "SBAR", "PRT", "CONJP", "INTJ", "LST", "UCP", "O"})
_SPECIAL: Final = ("token", "label", "gold", "source")
_SCORE: Final = re.compile(r"0(\.\d+)?|1")
_SAMPLE_ROWS: Final = 2_000
_FEW: Final = 0.2  # up to this share of rows without a tag, a column still counts as a column of tags with errors


@dataclass(frozen=True, slots=True)
class ColumnLayout:
    """The names of the columns of a file, and their delimiter; ``_`` columns are ignored.

    ``bare_types`` are the tags without a position that occur at the start of the file.
    """

    names: tuple[str, ...]
    delimiter: str
    detected: bool
    bare_types: frozenset[str] = frozenset()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names)

    @property
    def token(self) -> int:
        """The index of the token column."""
        return self.names.index("token")

    @property
    def label(self) -> int | None:
        """The index of the column of labels to train on, if there is one."""
        return self._find("label")

    @property
    def gold(self) -> int | None:
        """The index of the column of gold labels, if there is one."""
        return self._find("gold")

    @property
    def source(self) -> int | None:
        """The index of the column with the source of each label, if there is one."""
        return self._find("source")

    @property
    def label_columns(self) -> list[int]:
        """The indices of the columns that must contain labels."""
        return [column for column in (self.label, self.gold) if column is not None]

    @property
    def extra(self) -> list[tuple[str, int]]:
        """The name and index of each additional column."""
        return [(name, i) for i, name in enumerate(self.names) if name not in _SPECIAL and name != "_"]

    def is_comment(self, row: str, fields: tuple[str, ...]) -> bool:
        """Tell whether a row is a comment: it starts with ``#`` and does not fit the columns."""
        return row.startswith("#") and (
            len(fields) != self.width or not all(self._is_tag(fields[column]) for column in self.label_columns)
        )

    def description(self) -> str:
        """Return a description of the columns on one line."""
        how = "detected" if self.detected else "as declared"
        delimiter = "tabs" if self.delimiter == "\t" else "spaces"
        return f"{' '.join(self.names)} ({how}, separated by {delimiter})"

    def _is_tag(self, text: str) -> bool:
        return is_label(text) or text in self.bare_types

    def _find(self, name: str) -> int | None:
        return self.names.index(name) if name in self.names else None


def split_fields(row: str, layout: ColumnLayout) -> tuple[str, ...]:
    """Return the fields of ``row``; a blank row has none."""
    return _split(row, layout.delimiter)


def _split(row: str, delimiter: str) -> tuple[str, ...]:
    bare = row.strip(" \t")
    if not bare:
        return ()
    if delimiter == " ":
        return tuple(filter(None, bare.replace("\t", " ").split(" ")))
    return tuple(field.strip(" ") for field in bare.split(delimiter))


def detect_layout(sample: str, name: str, options: ReadOptions) -> ColumnLayout:
    """Return the layout of a file that starts with ``sample``; what ``options`` declare is not detected."""
    rows = sample.split("\n", _SAMPLE_ROWS)[:_SAMPLE_ROWS]
    lines = [(number, line) for number, line in enumerate(rows, 1) if line.strip(" \t")]
    if not lines:
        raise InputError("the file is empty", where=name, remedy="give a file with one token per line")
    delimiter = options.delimiter or ("\t" if _all_have_tabs([line for _, line in lines]) else " ")
    split_lines = [(number, _split(line, delimiter)) for number, line in lines]
    tokens = [(number, row) for number, row in split_lines if not row[0].startswith(("#", "-DOCSTART-"))] or split_lines
    if options.columns is not None:
        layout = ColumnLayout(_checked_names(options.columns), delimiter, detected=False)
        return _with_bare_types(layout, [row for _, row in tokens])
    first_line, first = tokens[0]
    width = len(first)
    for number, row in tokens:
        if len(row) != width:
            raise InputError(
                f"{len(row)} columns here, {width} at line {first_line}",
                where=f"{name}:{number}",
                remedy="correct the row, or declare the columns with --columns",
            )
    columns = list(zip(*[row for _, row in tokens], strict=True))
    numbers = [number for number, _ in tokens]
    names = _annotators(columns) if options.annotators else None
    layout = ColumnLayout(names or _recognise(columns, name, numbers), delimiter, detected=True)
    return _with_bare_types(layout, [row for _, row in tokens])


def _with_bare_types(layout: ColumnLayout, rows: list[tuple[str, ...]]) -> ColumnLayout:
    tags = {row[column] for row in rows if len(row) == layout.width for column in layout.label_columns}
    return replace(layout, bare_types=frozenset(filter(is_bare_type, tags)))


def _all_have_tabs(lines: list[str]) -> bool:
    return all("\t" in line for line in lines if not line.startswith(("#", "-DOCSTART-"))) and any(
        "\t" in line for line in lines
    )


def _checked_names(names: tuple[str, ...]) -> tuple[str, ...]:
    if names.count("token") != 1:
        raise InputError(
            f"--columns {','.join(names)}: one column must be called token", remedy="for example token,label"
        )
    doubled = [name for name in names if name != "_" and names.count(name) > 1]
    if doubled:
        raise InputError(
            f"--columns {','.join(names)}: {doubled[0]} occurs twice", remedy="use _ for columns to ignore"
        )
    return names


def _recognise(columns: list[tuple[str, ...]], file: str, lines: list[int]) -> tuple[str, ...]:
    """Return the names of the columns, detected from their values on ``lines``; ambiguous columns are an error."""
    width = len(columns)
    if width == 1:
        return ("token",)
    if width > 2 and all(map(is_source_name, set(columns[-1]))):
        return (*_recognise(columns[:-1], file, lines), "source")
    distinct = [set(column) for column in columns]
    token = 1 if width > 2 and all(value.isdecimal() for value in distinct[0]) and "1" in distinct[0] else 0
    names = [f"column{i + 1}" for i in range(width)]
    names[token] = "token"
    if token == 1:
        names[0] = "index"
    holding_tags = [
        i for i in range(token + 1, width) if all(map(is_label, distinct[i])) and _says_something(distinct[i])
    ]
    holding_tags = holding_tags or [i for i in range(token + 1, width) if _holds_bare_types(distinct[i])]
    chunks = [i for i in holding_tags if width >= 4 and _types(distinct[i]) and _types(distinct[i]) <= _CHUNK_TYPES]
    labels = [i for i in holding_tags if i not in chunks] or holding_tags
    if chunks and labels != chunks:
        names[chunks[0]] = "chunk"
        if chunks[0] == token + 2:
            names[token + 1] = "pos"
    elif token == 0 and labels == [width - 1] and width == 3:
        names[1] = "pos"
    if token == 1 and len(labels) == 2:
        names[labels[0]], names[labels[1]] = "label", "inner"
    elif len(labels) == 1:
        names[labels[0]] = "label"
    elif len(labels) == 2 and labels == [width - 2, width - 1]:
        names[labels[0]], names[labels[1]] = "label", "gold"
    else:
        if not labels:
            _refuse_stray_tag(columns[token + 1 :], file, lines)
        if labels:
            remedy = f"if they are of several annotators, see trustag merge; or choose one, {_example(width)}"
            raise InputError(f"{len(labels)} columns of labels", where=f"{file}:{lines[0]}", remedy=remedy)
        raise InputError("no column contains tags", where=f"{file}:{lines[0]}", remedy=_columns_remedy(width))
    return tuple(_name(name, distinct[i]) for i, name in enumerate(names))


def _name(name: str, values: set[str]) -> str:
    """Return the name of a column; one whose values are fillers, or shares, is better known by these."""
    if _is_filler(values) and name.startswith("column"):
        return "_"
    return "score" if name not in {*_SPECIAL, "index"} and all(map(_SCORE.fullmatch, values)) else name


def _annotators(columns: list[tuple[str, ...]]) -> tuple[str, ...] | None:
    """Return names for the columns of tokens and of the labels of annotators; None if there are no more than two.

    Two columns are labels and gold labels, as everywhere.

    >>> _annotators([("Ann", "sings"), ("B-PER", "O"), ("NN", "VB"), ("O", "O"), ("B-PER", "O")])
    ('token', 'annotator1', '_', 'annotator2', 'annotator3')
    """
    labels = [
        i for i, column in enumerate(columns) if i and all(map(is_label, column)) and _says_something(set(column))
    ]
    if len(labels) <= len(("label", "gold")):
        return None
    numbers = {column: f"annotator{number}" for number, column in enumerate(labels, start=1)}
    return ("token", *(numbers.get(column, "_") for column in range(1, len(columns))))


def _refuse_stray_tag(columns: list[tuple[str, ...]], file: str, lines: list[int]) -> None:
    """Raise an error for the first wrong tag if a column contains tags in all but a few rows."""
    for column in reversed(columns):
        stray = [row for row, value in enumerate(column) if not is_label(value)]
        if _says_something(set(column)) and len(stray) < _FEW * len(column):
            raise InputError(
                f"{column[stray[0]]!r} is not a tag, but is in the column of the tags",
                where=f"{file}:{lines[stray[0]]}",
                remedy="tags are O, B-TYPE, I-TYPE and the like, or - for an unknown label",
            )


def _types(values: set[str]) -> set[str]:
    return {split_label(value)[1] for value in values if value != OUTSIDE and "-" in value[1:]}


def _holds_bare_types(values: set[str]) -> bool:
    """Tell whether the values are ``O`` and types without positions; part-of-speech tags include no ``O``."""
    return OUTSIDE in values and all(is_label(value) or is_bare_type(value) for value in values)


def _says_something(values: set[str]) -> bool:
    """Tell whether the values include labels, not only dashes or question marks."""
    return any(value == OUTSIDE or value[:1].isalpha() for value in values - {"None"})


def _is_filler(values: set[str]) -> bool:
    return values <= {"_", "-X-", "-"}


def _columns_remedy(width: int) -> str:
    return f"tags are O, B-TYPE, I-TYPE and the like; declare the columns, {_example(width)}"


def _example(width: int) -> str:
    columns = ",".join(["token", *["_"] * (width - 2), "label"])
    return f"for example --columns {columns}"
