"""Read Arrow and Parquet tables with one sentence per row, in batches of rows.

Tags are strings, or numbers whose names are in the features that the ``datasets`` library stores with a table. The line
number of a source is the number of its row in the file.
"""

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any, BinaryIO, Final

from trustag.errors import InputError, MissingExtraError
from trustag.files.formats import ReadOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode
from trustag.files.raw_texts import TEXT_KEYS, RawText, TextReader
from trustag.files.spelled_tags import SpelledTags
from trustag.files.stored_tags import Names, StoredTags, names_in_order
from trustag.files.tally import Tally
from trustag.files.token_records import COLUMN_KEYS, TAG_KEYS, RecordReader
from trustag.notes import Watch
from trustag.text.sentences import Sentence, Source

# Prefix for additional columns whose own names have another meaning in a table.
COLUMN_PREFIX: Final = "column:"
FEATURES_KEY: Final = b"huggingface"
ROWS_AT_ONCE: Final = 1000
_LABELLED: Final = ReadOptions()
_KINDS: Final = {
    "tokens": ("strings", "nothing"),
    **dict.fromkeys((*TAG_KEYS, "gold_tags"), ("strings", "numbers", "nothing")),
    "id": ("string", "number", "nothing"),
    "document": ("string", "number", "nothing"),
    "comments": ("strings", "nothing"),
    "token_sources": ("strings", "nothing"),
    "gaps": ("strings", "nothing"),
}


def import_pyarrow() -> Any:
    """Return the module ``pyarrow``, or raise an error that says how to install it."""
    try:
        import pyarrow as pa  # noqa: PLC0415
        import pyarrow.parquet  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("reading or writing Hugging Face datasets", "hf") from None
    return pa


def read_table(
    file: InputFile, features: Mapping[str, Any] | None, watch: Watch, options: ReadOptions = _LABELLED
) -> Iterator[Sentence]:
    """Yield the sentences of one Arrow or Parquet file; ``features`` defaults to those stored in the file.

    If labels do not matter, the column of the tags may be missing, and texts may stand for tokens.
    """
    name = file.name
    tally = Tally(name)
    with _open_batches(file) as (schema, batches):
        if options.unlabelled and "tokens" not in schema.names:
            yield from _texts(schema, batches, name, options, watch)
            return
        described = features if features is not None else _features_inside(schema, name)
        layout = _layout(schema, described, name, unlabelled=options.unlabelled)
        tags, gold = (layout.stored(column, watch) for column in (layout.tags or TAG_KEYS[0], "gold_tags"))
        reader = RecordReader(tally, tags, gold, unlabelled=options.unlabelled)
        row = 0
        for batch in batches:
            batch.validate(full=True)
            for column in layout.left_out:
                tally.counts["left out", "extra column", repr(column)] += batch.num_rows
            for values in batch.select(layout.used).to_pylist():
                row += 1
                sentence = reader.sentence(layout.record(values, tally), Source(name, row, is_record=True))
                if sentence is not None:
                    yield sentence
    tally.report(watch)


def _texts(schema: Any, batches: Iterator[Any], name: str, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield the texts of a table that has no tokens; rows without a text are sentences without tokens."""
    key = next((key for key in TEXT_KEYS if key in schema.names and _kind(schema.field(key).type) == "string"), None)
    if key is None:
        shown = ", ".join(map(repr, schema.names))
        raise InputError(f"no column of tokens or texts among {shown}", where=name, remedy="add the column text")
    reader = TextReader(options, watch)
    row = 0
    for batch in batches:
        batch.validate(full=True)
        for text in batch.column(key).to_pylist():
            row += 1
            yield from reader.sentences(RawText(text or "", None, Source(name, row, is_record=True)))


@dataclass(frozen=True, slots=True)
class _Layout:
    """What each column of a table contains."""

    name: str
    tags: str | None
    class_names: Mapping[str, tuple[str, ...]]
    fields: list[str] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)

    @property
    def used(self) -> list[str]:
        return [*self.fields, *self.columns]

    def stored(self, column: str, watch: Watch) -> StoredTags:
        return StoredTags(partial(self._names_of, column), SpelledTags(self.name, watch))

    def _names_of(self, column: str) -> Names:
        if column not in self.class_names:
            raise InputError(
                f"the tags in column {column!r} are numbers without names",
                where=self.name,
                remedy="save the table with ClassLabel features, or with tags as strings",
            )
        return names_in_order(self.class_names[column], Source(self.name))

    def record(self, values: dict[str, Any], tally: Tally) -> dict[str, Any]:
        """Return one row as a record, without additional columns that do not have one value per token."""
        record = {name: values[name] for name in self.fields}
        tokens = record["tokens"] or ()
        columns = {}
        for column, name in self.columns.items():
            strings = self._strings(column, values[column])
            if strings is not None and len(strings) == len(tokens):
                columns[name] = strings
            elif values[column] is not None:
                tally.add("left out", "extra column", repr(column))
        return {**record, "columns": columns}

    def _strings(self, column: str, values: list[Any] | None) -> list[str] | None:
        if values is None or all(isinstance(value, str) for value in values):
            return values
        names = self.class_names.get(column, ())
        if all(isinstance(value, int) and 0 <= value < len(names) for value in values):
            return [names[value] for value in values]
        return None


def _layout(schema: Any, features: Mapping[str, Any], name: str, *, unlabelled: bool) -> _Layout:
    kinds = {column.name: _kind(column.type) for column in schema}
    if len(kinds) < len(schema):
        raise InputError("two columns have the same name", where=name, remedy="rename one of them")
    tags = next((key for key in TAG_KEYS if key in kinds), None)
    if "tokens" not in kinds or (tags is None and not unlabelled):
        raise InputError(
            f"no column {'ner_tags' if 'tokens' in kinds else 'tokens'!r} among {', '.join(map(repr, kinds))}",
            where=name,
            remedy="add the columns tokens and ner_tags",
        )
    for column in ("tokens", *([] if tags is None else [tags])):
        if kinds[column] not in _KINDS[column]:
            raise InputError(
                f"the column {column!r} has the type {schema.field(column).type}",
                where=name,
                remedy="store one list per row",
            )
    class_names = {column: names for column in kinds if (names := _class_names(features.get(column)))}
    layout = _Layout(name, tags, class_names)
    for column, kind in kinds.items():
        if column == tags or (column not in TAG_KEYS and kind in _KINDS.get(column, ())):
            layout.fields.append(column)
        elif column not in _KINDS and (kind == "strings" or (kind == "numbers" and column in class_names)):
            layout.columns[column] = COLUMN_KEYS.get(column, column.removeprefix(COLUMN_PREFIX))
        elif kind != "nothing":
            layout.left_out.append(column)
    return layout


def _kind(column_type: Any) -> str:
    """Return the kind of values in a column; the plural means one list per row."""
    types = import_pyarrow().types
    if types.is_dictionary(column_type):
        return _kind(column_type.value_type)
    if types.is_string(column_type) or types.is_large_string(column_type) or types.is_string_view(column_type):
        return "string"
    if types.is_integer(column_type):
        return "number"
    if types.is_null(column_type):
        return "nothing"
    if types.is_list(column_type) or types.is_large_list(column_type) or types.is_fixed_size_list(column_type):
        inner = _kind(column_type.value_type)
        return {"string": "strings", "number": "numbers", "nothing": "nothing"}.get(inner, "other")
    return "other"


def _class_names(feature: object) -> tuple[str, ...]:
    """Return the names of a ClassLabel feature or of a list of them, or an empty tuple."""
    while True:
        if isinstance(feature, list) and len(feature) == 1:
            feature = feature[0]
        elif isinstance(feature, dict) and "feature" in feature:
            feature = feature["feature"]
        else:
            break
    names = feature.get("names") if isinstance(feature, dict) else None
    return tuple(map(str, names)) if isinstance(names, list) else ()


def _features_inside(schema: Any, name: str) -> Mapping[str, Any]:
    stored = (schema.metadata or {}).get(FEATURES_KEY)
    return features_of(decode(stored, dict[str, Any], Source(name)).get("info")) if stored else {}


def features_of(info: object) -> Mapping[str, Any]:
    """Return the features in a dataset description of the ``datasets`` library, or an empty mapping."""
    features = info.get("features") if isinstance(info, dict) else None
    return features if isinstance(features, dict) else {}


@contextmanager
def _open_batches(file: InputFile) -> Iterator[tuple[Any, Iterator[Any]]]:
    """Open a Parquet file, Arrow file or Arrow stream and yield its schema and its batches of rows."""
    pa = import_pyarrow()
    with file.open_bytes() as stream:
        source = _seekable(stream)
        try:
            yield _batches(pa, source)
        except (pa.ArrowException, OSError, UnicodeDecodeError, MemoryError) as error:
            # A damaged length can request more memory than there is; such errors have no message.
            found = " ".join(str(error).split()) or "impossible sizes"
            raise InputError(
                f"not a readable table ({found})", where=file.name, remedy="download or save the file again"
            ) from None


def _batches(pa: Any, source: BinaryIO) -> tuple[Any, Iterator[Any]]:
    magic = source.read(6)
    source.seek(0)
    if magic.startswith(b"PAR1"):
        table = pa.parquet.ParquetFile(source)
        return table.schema_arrow, table.iter_batches(batch_size=ROWS_AT_ONCE)
    if magic == b"ARROW1":
        blocks = pa.ipc.open_file(source)
        return blocks.schema, map(blocks.get_batch, range(blocks.num_record_batches))
    blocks = pa.ipc.open_stream(source)
    return blocks.schema, iter(blocks)


def _seekable(stream: BinaryIO) -> BinaryIO:
    """Return a stream in which seeking is cheap."""
    return stream if isinstance(stream, io.BufferedReader) and stream.seekable() else io.BytesIO(stream.read())
