"""The binary layout of a spaCy DocBin: compressed msgpack with one array of integers for the tokens of all documents.

This module reads and writes the fields itself, instead of using spaCy's class, so that a damaged file raises an error
before it reaches compiled code. spaCy supplies the ids of strings and attributes.
"""

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from trustag.errors import InputError, MissingExtraError
from trustag.files.inputs import in_bytes, most_unpacked

_SPAN: Final = struct.Struct(">QQQllll")
_NUMBER_BYTES: Final = 8


class DocBinFields(msgspec.Struct):
    """The fields of a DocBin, with spaCy's names."""

    attrs: list[int]
    tokens: bytes
    spaces: bytes
    lengths: bytes
    strings: list[str]
    cats: list[Any]
    flags: list[dict[str, Any]] | None = None
    span_groups: list[bytes] | None = None
    user_data: list[bytes | None] | None = None
    version: str = "0.1"


class SpanGroup(msgspec.Struct):
    """A named group of spans of a document, in addition to its entities; each span is packed separately."""

    name: str
    attrs: dict[Any, Any]
    spans: list[bytes]


class PackedSpan(NamedTuple):
    """One span of a group: tokens ``start`` to ``end`` (exclusive) and the id of its label."""

    label: int
    start: int
    end: int
    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class Spacy:
    """The parts of spaCy in use: the ids of attributes, and a store that assigns an id to every string."""

    attributes: dict[str, int]
    store: Any


def load_spacy() -> Spacy:
    """Return the parts of spaCy that a DocBin needs, or raise an error that says how to install it."""
    try:
        from spacy.attrs import IDS  # noqa: PLC0415
        from spacy.strings import StringStore  # noqa: PLC0415
    except ImportError:
        raise MissingExtraError("reading or writing spaCy files", "spacy") from None
    return Spacy(dict(IDS), StringStore())


def unpack_bin(data: bytes) -> DocBinFields:
    """Return the fields of a DocBin, after checking that they are consistent."""
    unpacked = _unpacked(data)
    fields: DocBinFields = unpack(unpacked, DocBinFields)
    row_bytes = _NUMBER_BYTES * len(fields.attrs)
    if len(fields.lengths) % 4 or not row_bytes or len(fields.tokens) % row_bytes:
        raise _damaged("its arrays have impossible sizes")
    lengths = doc_lengths(fields)
    rows = len(fields.tokens) // row_bytes
    if min(lengths, default=0) < 0 or sum(lengths) != rows or len(fields.spaces) != rows:
        raise _damaged("the lengths of its documents do not add up")
    for per_document in (fields.cats, fields.flags, fields.span_groups, fields.user_data):
        if per_document is not None and len(per_document) != len(lengths):
            raise _damaged("some documents lack their data")
    return fields


def _unpacked(data: bytes) -> bytes:
    limit = most_unpacked(len(data))
    unpacking = zlib.decompressobj()
    try:
        unpacked = unpacking.decompress(data, limit)
    except zlib.error as error:
        raise InputError(f"not a spaCy file ({error})", remedy="give a file written by DocBin.to_disk") from None
    if unpacking.unconsumed_tail:
        raise InputError(f"unpacks to more than {in_bytes(limit)}", remedy="give a file written by DocBin.to_disk")
    if not unpacking.eof:
        raise InputError("not a spaCy file (it is cut short)", remedy="give a file written by DocBin.to_disk")
    return unpacked


def pack_bin(fields: DocBinFields) -> bytes:
    """Return the bytes of a DocBin with these fields."""
    return zlib.compress(msgspec.msgpack.encode(fields))


def doc_lengths(fields: DocBinFields) -> list[int]:
    """Return the number of tokens of each document."""
    return memoryview(fields.lengths).cast("i").tolist()


def columns(fields: DocBinFields) -> Iterator[dict[int, list[int]]]:
    """Yield for each document its token values by attribute id."""
    width = len(fields.attrs)
    numbers = memoryview(fields.tokens).cast("Q")
    start = 0
    for length in doc_lengths(fields):
        end = start + length * width
        yield {attribute: numbers[start + i : end : width].tolist() for i, attribute in enumerate(fields.attrs)}
        start = end


def unpack_groups(data: bytes) -> dict[str, SpanGroup]:
    """Return the span groups of one document by their keys; older files store a list of groups."""
    packed = unpack(data, Any) if data else []
    if isinstance(packed, list):
        groups = [unpack(group, SpanGroup) for group in packed if isinstance(group, bytes)]
        return {group.name: group for group in groups}
    keys: dict[bytes, list[str]] = unpack(data, dict[bytes, list[str]])
    return {key: unpack(group, SpanGroup) for group, names in keys.items() for key in names}


def pack_groups(groups: dict[str, SpanGroup]) -> bytes:
    """Return the bytes for the span groups of one document."""
    if not groups:
        return msgspec.msgpack.encode([])
    return msgspec.msgpack.encode({msgspec.msgpack.encode(group): [key] for key, group in groups.items()})


def unpack_span(data: bytes) -> PackedSpan:
    """Return one span of a group."""
    if len(data) != _SPAN.size:
        raise _damaged("a span has an impossible size")
    _, _, label, start, end, start_char, end_char = _SPAN.unpack(data)
    return PackedSpan(label, start, end, start_char, end_char)


def pack_span(span: PackedSpan) -> bytes:
    """Return the bytes of one span of a group."""
    return _SPAN.pack(0, 0, *span)


def unpack(data: bytes, record_type: Any) -> Any:
    """Return the value of type ``record_type`` in msgpack ``data``; anything else is an error."""
    try:
        return msgspec.msgpack.decode(data, type=record_type)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, TypeError) as error:
        raise _damaged(str(error)) from None


def _damaged(finding: str) -> InputError:
    return InputError(f"a damaged spaCy file: {finding}", remedy="write it again with DocBin.to_disk")
