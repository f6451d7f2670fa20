"""doccano JSON Lines in all variants: ``label``, ``labels``, ``annotations`` and ``entities``; also flair's variant.

The writer adds keys that doccano keeps as metadata: ``tokens``, so that reading restores the same tokens, and ``gold``
in the same form as ``label``.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO, Final, TypeAlias

import msgspec

from trustag.errors import InputError
from trustag.files.formats import FileFormat, ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.files.json_records import decode, is_given
from trustag.files.raw_texts import RawText, TextReader
from trustag.files.span_records import own_tokens, single_filled_value, write_records
from trustag.files.tally import Tally, counted_records
from trustag.files.text_spans import TextSpan
from trustag.notes import Watch
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
    """Yield the texts of a doccano file as sentences; the labels of a text without a label key are unknown."""
    tally, texts = Tally(file.name), TextReader(options, watch)
    for where, record in counted_records(file, _Record, tally):
        yield from texts.sentences(_raw_text(record, options, where, tally))
    tally.report(watch)


def _write(sentences: Iterable[Sentence], stream: BinaryIO, options: WriteOptions, watch: Watch) -> None:  # noqa: ARG001
    write_records(sentences, stream, "label", lambda span, _: span[:3])


def _raw_text(record: _Record, options: ReadOptions, where: Source, tally: Tally) -> RawText:
    text = record.text
    if text is None:
        if not is_given(record.data):
            raise InputError("no text", where=where, remedy="give each record a key `text`")
        text = decode(record.data, str, where)
    elif is_given(record.data):
        tally.add("left out", "extra key", "'data'")
    regions = single_filled_value(record, _LABEL_KEYS, "labels", where)
    own_id = record.id if record.id is not None else record.doc_id
    return RawText(
        text=text,
        spans=None if regions is None else _spans(regions, where),
        gold=None if record.gold is None else _spans(record.gold, where),
        tokens=own_tokens(record.tokens, text, options, where),
        source=where,
        id=None if own_id is None else str(own_id),
        document=None if record.document is None else str(record.document),
    )


def _spans(regions: Sequence[tuple[int, int, str | int | None] | _Region], where: Source) -> list[TextSpan]:
    spans = []
    for region in regions:
        if isinstance(region, _Region):
            start, end, kind = region.start_offset, region.end_offset, region.label
        else:
            start, end, kind = region
        if isinstance(kind, int):
            raise InputError(
                f"the label is the number {kind}, not a name", where=where, remedy="export as JSONL with text labels"
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
