"""How a table in a text file is written: what separates its fields, and whether fields are quoted."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from trustag.files.table_columns import find_columns
from trustag.text.labels import is_label

DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
_QUOTE: Final = '"'


@dataclass(frozen=True, slots=True)
class Dialect:
    """The delimiter of a table, whether fields may be quoted, and whether a space follows each delimiter."""

    delimiter: str
    quoted: bool = True
    spaced: bool = False

    def rows(self, lines: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
        """Yield the fields of each row with the number of the line on which it starts; blank rows have no fields."""
        if not self.quoted:
            for number, line in enumerate(lines, start=1):
                bare = line.rstrip("\r\n")
                yield number, bare.split(self.delimiter) if bare else []
            return
        reader = csv.reader(
            lines, delimiter=self.delimiter, quotechar=_QUOTE, strict=True, skipinitialspace=self.spaced
        )
        before = 0
        try:
            for row in reader:
                yield before + 1, row
                before = reader.line_num
        except csv.Error as error:
            raise MalformedRowError(before + 1, str(error)) from None


class MalformedRowError(ValueError):
    """A row that cannot be read; ``line`` is where it starts."""

    def __init__(self, line: int, finding: str) -> None:
        super().__init__(finding)
        self.line = line


def detect_dialect(sample: str, delimiter: str | None = None) -> Dialect:
    """Return the dialect of a table that starts with ``sample``, whose first row is a header.

    The delimiter is the one that finds a column of tokens. Tables separated by tabs are often not quoted at all, so
    that a lone quotation mark is a token.
    """
    header = next((line for line in lines_of(sample) if line.strip()), "")
    chosen = delimiter or next((mark for mark in DELIMITERS if _has_tokens(header, mark)), ",")
    fields = header.rstrip("\r\n").split(chosen)
    spaced = len(fields) > 1 and all(field.startswith(" ") for field in fields[1:])
    quoted = Dialect(chosen, spaced=spaced)
    return quoted if chosen != "\t" or _is_quoted(sample, quoted) else Dialect(chosen, quoted=False)


def is_table(sample: str, *, unlabelled: bool = False) -> bool:
    """Tell whether a text starts with a header that names a column of tokens and one of labels.

    If ``unlabelled``, a column of sentences will do instead of labels. Otherwise any further column will do if commas
    or semicolons separate it; a CoNLL file may begin with the token *word*, but then has a label there.
    """
    header = next((line for line in lines_of(sample) if line.strip()), "")
    for delimiter in DELIMITERS:
        fields = _header_fields(header, delimiter)
        roles = find_columns(fields).roles
        others = len(fields) > 1 and not any(is_label(field.strip()) for field in fields)
        if "token" in roles and (
            "label" in roles or ("sentence" in roles if unlabelled else others and delimiter != "\t")
        ):
            return True
    return False


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of ``text`` with their ends as they are."""
    return iter(io.StringIO(text, newline=""))


def _has_tokens(header: str, delimiter: str) -> bool:
    return "token" in find_columns(_header_fields(header, delimiter)).roles


def _header_fields(header: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([header], delimiter=delimiter, strict=True, skipinitialspace=True), [])
    except csv.Error:
        return []


def _is_quoted(sample: str, dialect: Dialect) -> bool:
    """Tell whether all rows of a sample, whose last one may be cut, have the same width if quotes are honoured."""
    widths: list[int] = []
    try:
        widths.extend(len(row) for _, row in dialect.rows(lines_of(sample)) if row)
    except MalformedRowError:
        cut = sample.rfind("\n") + 1
        if not widths or len(sample) == cut:
            return False
    return len(set(widths[:-1])) <= 1
