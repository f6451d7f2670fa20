"""GLiNER training data: ``tokenized_text`` and ``ner`` with the first and last token index; JSON or JSON Lines.

``gold_ner`` contains gold labels.
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


class _Record(msgspec.Struct):
    tokenized_text: tuple[str, ...]
    ner: list[tuple[int, int, str]] | None = None
    gold_ner: list[tuple[int, int, str]] | None = None
    id: str | int | None = None
    document: str | int | None = None


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG001
    tally = Tally(file.name)
    for where, record in counted_records(file, _Record, tally):
        tokens = record.tokenized_text
        yield Sentence(
            tokens=tokens,
            labels=labels_from_token_spans(tokens, record.ner, where, watch),
            gold=None if record.gold_ner is None else labels_from_token_spans(tokens, record.gold_ner, where, watch),
            source=where,
            id=None if record.id is None else str(record.id),
            document=None if record.document is None else str(record.document),
        )
    tally.report(watch)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    write_json_array(stream, map(_record, sentences))


def _record(sentence: Sentence) -> dict[str, object]:
    record: dict[str, object] = {"tokenized_text": sentence.tokens, "ner": _inclusive(sentence.labels, sentence)}
    if sentence.gold is not None:
        record["gold_ner"] = _inclusive(sentence.gold, sentence)
    if sentence.id is not None:
        record["id"] = sentence.id
    if sentence.document is not None:
        record["document"] = sentence.document
    return record


def _inclusive(labels: Sequence[Label], sentence: Sentence) -> list[tuple[int, int, str]]:
    return [(start, end - 1, kind) for start, end, kind in token_spans(labels, sentence.source)]


FORMAT: Final = FileFormat(
    name="gliner",
    summary='GLiNER JSON: {"tokenized_text": [...], "ner": [[first, last, "type"]]}',
    suffixes=(".json", ".jsonl"),
    room=frozenset({"gold", "unknown", "id", "document", "empty"}),
    read=_read,
    write=_write,
)
