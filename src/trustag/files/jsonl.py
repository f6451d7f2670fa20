"""JSON Lines with tokens and tags: ``{"tokens": ["EU", ...], "ner_tags": ["B-ORG", ...]}``, one sentence a line.

This is the format with room for everything a sentence holds. The tags may be called ``ner_tags``, ``tags`` or
``labels`` (the first of these that a record has) and are names, null for an unknown label, or numbers. Numbers need
names: a record may give them as ``"names": [...]``, for itself and all records after it; otherwise they come from a
file in the same folder, ``STEM.names.json`` for ``STEM.jsonl``, ``label2id.json`` or ``id2label.json``. The numbers
-100 and -1 are unknown labels. A file may also hold one array of such records.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import STANDARD_STREAM, InputFile
from trustag.files.json_records import read_json_records, write_json_line
from trustag.files.stored_tags import Names, StoredTags, Tag, names_in_order, note_left_out, read_names
from trustag.results import Watch
from trustag.text.sentences import Sentence, Source

T = TypeVar("T")

TAG_KEYS: Final = ("ner_tags", "tags", "labels")
COLUMN_KEYS: Final = {"pos_tags": "pos", "chunk_tags": "chunk"}


class _Record(msgspec.Struct):
    """What one record says, apart from its tags, whose key varies."""

    tokens: tuple[str, ...] | None = None
    gold_tags: tuple[Tag, ...] | None = None
    id: str | int | None = None
    document: str | int | None = None
    comments: tuple[str, ...] | None = None
    token_sources: tuple[str, ...] | None = None
    gaps: tuple[str, ...] | None = None
    columns: dict[str, tuple[str, ...]] | None = None
    names: tuple[str, ...] | None = None


class _Tags(msgspec.Struct):
    tags: tuple[Tag, ...] | None


_KEYS: Final = frozenset(_Record.__struct_fields__)


def read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG001
    """Yield the sentences of ``file``."""
    name = file.name
    stored = StoredTags(lambda: _names_beside(file))
    left_out: Counter[str] = Counter()
    for line, fields in read_json_records(file, dict[str, Any]):
        where = Source(name, line)
        record = _converted(fields, _Record, where)
        if record.names is not None:
            stored = StoredTags(partial(names_in_order, record.names, where))
            if fields.keys() == {"names"}:
                continue
        key = next((key for key in TAG_KEYS if key in fields), None)
        if record.tokens is None or key is None:
            missing = "tokens" if record.tokens is None else "ner_tags"
            raise InputError(
                f"the record has no {missing!r} (keys: {', '.join(fields) or 'none'})",
                where=where,
                remedy='records are {"tokens": [...], "ner_tags": [...]}',
            )
        tags = _converted({"tags": fields[key]}, _Tags, where, key).tags
        columns = _columns(fields, record.columns or {})
        left_out.update(other for other in fields if other not in _KEYS and other != key and other not in columns)
        yield Sentence(
            tokens=record.tokens,
            labels=(None,) * len(record.tokens) if tags is None else stored.labels(tags, where),
            gold=None if record.gold_tags is None else stored.labels(record.gold_tags, where),
            token_sources=record.token_sources,
            source=where,
            id=None if record.id is None else str(record.id),
            document=None if record.document is None else str(record.document),
            comments=record.comments or (),
            gaps=record.gaps,
            columns=(record.columns or {}) | {COLUMN_KEYS[column]: values for column, values in columns.items()},
        )
    note_left_out(left_out, "key", name, watch)


def write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    """Write ``sentences`` to ``stream``, one a line, with everything they hold."""
    for sentence in sentences:
        fields: dict[str, object] = {"tokens": sentence.tokens, "ner_tags": sentence.labels}
        further = {
            "gold_tags": sentence.gold,
            "id": sentence.id,
            "document": sentence.document,
            "comments": sentence.comments or None,
            "token_sources": sentence.token_sources,
            "gaps": sentence.gaps,
            "columns": sentence.columns or None,
        }
        fields.update((key, value) for key, value in further.items() if value is not None)
        write_json_line(stream, fields)


def _converted(fields: dict[str, Any], record_type: type[T], where: Source, key: str = "") -> T:
    try:
        return msgspec.convert(fields, record_type)
    except msgspec.ValidationError as error:
        finding = f"{key!r}: {error}" if key else str(error)
        raise InputError(finding, where=where, remedy="give the value this format asks for") from None


def _columns(fields: dict[str, Any], given: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """Return the further columns with keys of their own that are not ``given`` already and are no mere numbers."""
    return {
        key: tuple(values)
        for key, name in COLUMN_KEYS.items()
        if isinstance(values := fields.get(key), list)
        and name not in given
        and all(isinstance(value, str) for value in values)
    }


def _names_beside(file: InputFile) -> Names:
    if file.path != STANDARD_STREAM:
        folder = file.path.parent
        stem = Path(file.path.name.removesuffix(".gz")).stem
        for name in (f"{stem}.names.json", "label2id.json", "id2label.json"):
            if (folder / name).is_file():
                return read_names(folder / name)
    raise InputError(
        "the tags are numbers without names",
        where=file.name,
        remedy='give them in the first record as "names": [...], or in a file label2id.json beside this one',
    )


FORMAT: Final = FileFormat(
    name="jsonl",
    summary='JSON Lines with tokens: {"tokens": [...], "ner_tags": [...]} and everything else a sentence holds',
    suffixes=(".jsonl", ".ndjson"),
    room=frozenset(
        {"gold", "unknown", "tags", "token_sources", "columns", "id", "document", "comments", "gaps", "empty"}
    ),
    read=read,
    write=write,
)
