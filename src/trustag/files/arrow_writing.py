"""Write sentences as rows of an Arrow table, with the features that the ``datasets`` library needs.

The schema of a table must be known before the first row, but which columns a corpus needs is known only after its last
sentence. The rows are therefore buffered in a temporary file, and the table gets exactly the columns that are used.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from pathlib import Path
from typing import Any, Final

import msgspec

from trustag.files.arrow_tables import COLUMN_PREFIX, FEATURES_KEY, ROWS_AT_ONCE, import_pyarrow
from trustag.files.inputs import InputFile
from trustag.files.json_records import read_json_lines, write_json_line
from trustag.files.stored_tags import TagNumbers
from trustag.files.token_records import COLUMN_KEYS, TAG_KEYS, record_of
from trustag.text.sentences import Sentence

_FIELDS: Final = ("id", "tokens", "ner_tags", "gold_tags", "document", "comments", "token_sources", "gaps")
_TEXTS: Final = frozenset({"id", "document"})
_TAGGED: Final = frozenset({"ner_tags", "gold_tags"})
_TAKEN: Final = frozenset({*_FIELDS, *TAG_KEYS, *COLUMN_KEYS})


@dataclass(frozen=True, slots=True)
class BufferedRows:
    """Rows buffered in a temporary file, and the columns that they use."""

    path: Path
    rows: int
    columns: frozenset[str]


def buffer_rows(sentences: Iterable[Sentence], path: Path, tags: Sequence[str]) -> BufferedRows:
    """Write ``sentences`` as rows to the temporary file ``path``, with labels as indices into ``tags``."""
    numbers = TagNumbers(tags)
    rows = 0
    columns = {"tokens", "ner_tags"}
    with path.open("wb") as stream:
        for sentence in sentences:
            row = record_of(sentence)
            row["ner_tags"] = numbers.of(sentence.labels, sentence)
            if sentence.gold is not None:
                row["gold_tags"] = numbers.of(sentence.gold, sentence)
            for name, values in row.pop("columns", {}).items():
                row[_column_name(name)] = values
            columns.update(row)
            write_json_line(stream, row)
            rows += 1
    return BufferedRows(path, rows, frozenset(columns))


def features(parts: Iterable[BufferedRows], tags: Sequence[str]) -> dict[str, Any]:
    """Return the features of a table for all ``parts``, in the notation that every version of ``datasets`` reads."""
    filled = reduce(frozenset.union, (part.columns for part in parts), frozenset[str]())
    text = {"dtype": "string", "_type": "Value"}
    tag = {"names": list(tags), "_type": "ClassLabel"}
    return {
        name: text if name in _TEXTS else {"feature": tag if name in _TAGGED else text, "_type": "Sequence"}
        for name in [*(name for name in _FIELDS if name in filled), *sorted(filled.difference(_FIELDS))]
    }


def arrow_schema(columns: dict[str, Any]) -> Any:
    """Return the Arrow schema of a table with these features, which are also stored in its metadata."""
    pa = import_pyarrow()
    types = {
        name: pa.string() if name in _TEXTS else pa.list_(pa.int64() if name in _TAGGED else pa.string())
        for name in columns
    }
    return pa.schema(types, {FEATURES_KEY: msgspec.json.encode({"info": {"features": columns}})})


def arrow_batches(part: BufferedRows, schema: Any) -> Iterator[Any]:
    """Yield the buffered rows as record batches of ``schema``."""
    if part.rows == 0:
        return
    pa = import_pyarrow()
    rows = (row for _, row in read_json_lines(InputFile(part.path), dict[str, Any]))
    while some := list(islice(rows, ROWS_AT_ONCE)):
        yield pa.RecordBatch.from_pylist(some, schema=schema)


def _column_name(name: str) -> str:
    return COLUMN_PREFIX + name if name in _TAKEN or name.startswith(COLUMN_PREFIX) else name
