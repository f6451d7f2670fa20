"""GLiNER training data: ``tokenized_text`` and ``ner`` with token numbers, the last one inclusive; JSON or JSON Lines.

``gold_ner`` holds a gold labelling.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final

import msgspec

from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, read_json_records, write_json_array
from trustag.files.tally import Tally
from trustag.files.text_spans import OUTSIDE_TEXT, Candidate, resolve_overlaps, shorten, token_spans
from trustag.results import Note, Watch
from trustag.text.labels import Label
from trustag.text.sentences import Sentence, Source


class _Record(msgspec.Struct):
    tokenized_text: tuple[str, ...]
    ner: list[tuple[int, int, str]] | None = None
    gold_ner: list[tuple[int, int, str]] | None = None
    id: str | int | None = None
    document: str | int | None = None


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:  # noqa: ARG001
    tally = Tally(file.name)
    for line, raw in read_json_records(file, msgspec.Raw):
        where = Source(file.name, line)
        record = decode(raw, _Record, where)
        tally.add_extra_keys(raw, _Record, where)
        tokens = record.tokenized_text
        if record.ner is None:
            watch(Note("info", "no labels", f"all labels of {shorten(' '.join(tokens))} are unknown", where))
        yield Sentence(
            tokens=tokens,
            labels=(None,) * len(tokens) if record.ner is None else _labels(tokens, record.ner, where, watch),
            gold=None if record.gold_ner is None else _labels(tokens, record.gold_ner, where, watch),
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


def _labels(
    tokens: Sequence[str], spans: Sequence[tuple[int, int, str]], where: Source, watch: Watch
) -> tuple[Label, ...]:
    candidates = []
    for start, last, kind in spans:
        shown = f"{kind if kind.isprintable() else repr(kind)} at tokens {start} to {last}"
        if not kind.strip():
            watch(Note("dropped", "no type", shown, where))
        elif start < 0 or max(start, last) >= len(tokens):
            watch(Note("dropped", OUTSIDE_TEXT, f"{shown}; there are {len(tokens)} tokens", where))
        elif last < start:
            watch(Note("dropped", "empty", shown, where))
        else:
            text = shorten(" ".join(tokens[start : last + 1]))
            candidates.append(Candidate(start, last + 1, kind, f"{shown}, {text}", where))
    return resolve_overlaps(len(tokens), candidates, watch)


FORMAT: Final = FileFormat(
    name="gliner",
    summary='GLiNER JSON: {"tokenized_text": [...], "ner": [[first, last, "type"]]}',
    suffixes=(".json", ".jsonl"),
    room=frozenset({"gold", "unknown", "id", "document", "empty"}),
    read=_read,
    write=_write,
)
