"""doccano JSON Lines in all its dialects: ``label``, ``labels``, ``annotations`` and ``entities``; flair's too.

The writer adds keys that doccano keeps as metadata: ``tokens``, so that reading gives the same tokens again, and
``gold`` with the shape of ``label``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final, TypeAlias

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, is_given, read_json_records, write_json_line
from trustag.files.raw_texts import RawText, StoredTokens, locate_tokens, sentences_of, stored_tokens
from trustag.files.tally import Tally
from trustag.files.text_spans import TextSpan, character_spans
from trustag.results import Watch
from trustag.text.sentences import Sentence, Source

_LABEL_KEYS: Final = ("label", "labels", "entities", "annotations")


class _Region(msgspec.Struct):
    label: str | int | None
    start_offset: int
    end_offset: int


_Regions: TypeAlias = list[tuple[int, int, str | int | None] | _Region]


class _Record(msgspec.Struct):
    id: str | int | None = None
    doc_id: str | int | None = None
    text: str | None = None
    data: msgspec.Raw = msgspec.Raw()
    label: _Regions | None = None
    labels: _Regions | None = None
    entities: _Regions | None = None
    annotations: _Regions | None = None
    gold: _Regions | None = None
    tokens: msgspec.Raw = msgspec.Raw()
    document: str | int | None = None


def _read(file: InputFile, options: ReadOptions, watch: Watch) -> Iterator[Sentence]:
    """Yield the texts of a doccano file as sentences; a text without any label key has unknown labels."""
    tally = Tally(file.name)
    for line, raw in read_json_records(file, msgspec.Raw):
        where = Source(file.name, line)
        record = decode(raw, _Record, where)
        tally.add_extra_keys(raw, _Record, where)
        yield from sentences_of(_raw_text(record, options, where, tally), options, watch)
    tally.report(watch)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    """Write each sentence as one line with its text, its entities and its tokens."""
    for sentence in sentences:
        record: dict[str, object] = {"id": sentence.id} if sentence.id is not None else {}
        offsets = sentence.offsets
        record["text"] = sentence.text
        record["label"] = [span[:3] for span in character_spans(sentence.labels, offsets, sentence.source)]
        if sentence.gold is not None:
            record["gold"] = [span[:3] for span in character_spans(sentence.gold, offsets, sentence.source)]
        record["tokens"] = stored_tokens(sentence)
        if sentence.document is not None:
            record["document"] = sentence.document
        write_json_line(stream, record)


def _raw_text(record: _Record, options: ReadOptions, where: Source, tally: Tally) -> RawText:
    text = record.text
    if text is None:
        if not is_given(record.data):
            raise InputError("no text", where=where, remedy="give each record a key `text`")
        text = decode(record.data, str, where)
    elif is_given(record.data):
        tally.add("left out", "extra key", "'data'")
    regions = _given_regions(record, where)
    own_id = record.id if record.id is not None else record.doc_id
    tokens = None
    if is_given(record.tokens) and options.tokenizer == "auto":
        tokens = locate_tokens(text, decode(record.tokens, StoredTokens, where), where)
    return RawText(
        text=text,
        spans=None if regions is None else _spans(regions, where),
        gold=None if record.gold is None else _spans(record.gold, where),
        tokens=tokens,
        source=where,
        id=None if own_id is None else str(own_id),
        document=None if record.document is None else str(record.document),
    )


def _given_regions(record: _Record, where: Source) -> _Regions | None:
    """Return the labels of whichever dialect the record is in, or ``None`` if it has none."""
    present: dict[str, _Regions] = {
        key: regions for key in _LABEL_KEYS if (regions := getattr(record, key)) is not None
    }
    filled = [key for key, regions in present.items() if regions]
    if len(filled) > 1:
        raise InputError(f"labels under both `{filled[0]}` and `{filled[1]}`", where=where, remedy="keep one of them")
    if filled:
        return present[filled[0]]
    return [] if present else None


def _spans(regions: Sequence[tuple[int, int, str | int | None] | _Region], where: Source) -> list[TextSpan]:
    spans = []
    for region in regions:
        if isinstance(region, _Region):
            start, end, kind = region.start_offset, region.end_offset, region.label
        else:
            start, end, kind = region
        if isinstance(kind, int):
            raise InputError(
                f"label number {kind} instead of a name", where=where, remedy="export as JSONL with text labels"
            )
        spans.append(TextSpan(start, end, kind or ""))
    return spans


FORMAT: Final = FileFormat(
    name="doccano",
    summary="doccano JSON Lines: a text and its entities as character offsets",
    suffixes=(".jsonl", ".json"),
    room=frozenset({"gold", "unknown", "id", "document", "gaps", "empty"}),
    read=_read,
    write=_write,
)
