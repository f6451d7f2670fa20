"""SpERT's JSON: ``tokens`` and ``entities`` with a type and token indices, the end exclusive; an array or JSON Lines.

Relations are not read, only counted as left out. ``gold_entities`` contains gold labels, ``orig_id`` the id of the
sentence.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

import msgspec

from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import write_json_array
from trustag.files.tally import Tally, counted_records
from trustag.files.text_spans import token_spans
from trustag.files.token_spans import labels_from_token_spans
from trustag.notes import Watch
from trustag.text.labels import Label
from trustag.text.sentences import Sentence


class _Entity(msgspec.Struct):
    type: str
    start: int
    end: int


class _Record(msgspec.Struct):
    tokens: tuple[str, ...]
    entities: list[_Entity] | None = None
    gold_entities: list[_Entity] | None = None
    relations: list[msgspec.Raw] | None = None
    orig_id: str | int | None = None
    document: str | int | None = None


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG001
    tally = Tally(file.name)
    for where, record in counted_records(file, _Record, tally):
        for _ in record.relations or ():
            tally.add("left out", "not an entity", "relation")
        yield Sentence(
            tokens=record.tokens,
            labels=labels_from_token_spans(record.tokens, _inclusive(record.entities), where, watch),
            gold=None
            if record.gold_entities is None
            else labels_from_token_spans(record.tokens, _inclusive(record.gold_entities), where, watch),
            source=where,
            id=None if record.orig_id is None else str(record.orig_id),
            document=None if record.document is None else str(record.document),
        )
    tally.report(watch)


def _inclusive(entities: list[_Entity] | None) -> list[tuple[int, int, str]] | None:
    return None if entities is None else [(entity.start, entity.end - 1, entity.type) for entity in entities]


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    write_json_array(stream, map(_record, sentences))


def _record(sentence: Sentence) -> dict[str, object]:
    record: dict[str, object] = {"tokens": sentence.tokens, "entities": _exclusive(sentence.labels, sentence)}
    if sentence.gold is not None:
        record["gold_entities"] = _exclusive(sentence.gold, sentence)
    record["relations"] = []  # SpERT requires this key in every record
    if sentence.id is not None:
        record["orig_id"] = sentence.id
    if sentence.document is not None:
        record["document"] = sentence.document
    return record


def _exclusive(labels: Sequence[Label], sentence: Sentence) -> list[dict[str, object]]:
    spans = token_spans(labels, sentence.source)
    return [{"type": kind, "start": start, "end": end} for start, end, kind in spans]


FORMAT: Final = FileFormat(
    name="spert",
    summary='SpERT JSON: {"tokens": [...], "entities": [{"type": "PER", "start": 0, "end": 2}]}',
    suffixes=(".json", ".jsonl"),
    room=frozenset({"gold", "unknown", "id", "document", "empty"}),
    read=_read,
    write=_write,
)
