"""The bytes of a DocBin: packed and unpacked again, and every size that does not add up refused."""

import struct
import zlib

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.docbin import (
    DocBinFields,
    PackedSpan,
    SpanGroup,
    columns,
    doc_lengths,
    pack_bin,
    pack_groups,
    pack_span,
    unpack_bin,
    unpack_groups,
    unpack_span,
)

NUMBERS = st.integers(0, 2**64 - 1)
TABLES = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.lists(NUMBERS, min_size=width, max_size=width), max_size=3), min_size=1, max_size=3
    )
)


def made(documents: list[list[list[int]]], width: int) -> DocBinFields:
    rows = [row for document in documents for row in document]
    return DocBinFields(
        attrs=list(range(70, 70 + width)),
        tokens=b"".join(struct.pack(f"={width}Q", *row) for row in rows),
        spaces=b"\1" * len(rows),
        lengths=struct.pack(f"={len(documents)}i", *map(len, documents)),
        strings=["a"],
        cats=[{} for _ in documents],
    )


@given(TABLES)
def test_columns_are_those_of_the_documents(documents: list[list[list[int]]]) -> None:
    width = next((len(row) for document in documents for row in document), 1)
    fields = unpack_bin(pack_bin(made(documents, width)))
    assert doc_lengths(fields) == [len(document) for document in documents]
    expected = [{70 + i: [row[i] for row in document] for i in range(width)} for document in documents]
    assert list(columns(fields)) == expected


@pytest.mark.parametrize(
    "change",
    [
        {"tokens": b"1234567"},
        {"lengths": b"123"},
        {"lengths": struct.pack("=2i", 3, -1)},
        {"lengths": struct.pack("=2i", 1, 2)},
        {"spaces": b""},
        {"cats": []},
        {"span_groups": [b""]},
        {"attrs": []},
    ],
    ids=str,
)
def test_sizes_that_do_not_add_up_are_refused(change: dict[str, object]) -> None:
    fields = made([[[1]], [[2]]], 1)
    assert doc_lengths(unpack_bin(pack_bin(fields))) == [1, 1]
    with pytest.raises(InputError, match="damaged"):
        unpack_bin(pack_bin(msgspec.structs.replace(fields, **change)))


@pytest.mark.parametrize("data", [b"", b"no zlib", zlib.compress(b""), zlib.compress(b"\x81\xa1a\x01")])
def test_other_bytes_are_refused(data: bytes) -> None:
    with pytest.raises(InputError):
        unpack_bin(data)


SIGNED = st.integers(-(2**31), 2**31 - 1)


@given(NUMBERS, SIGNED, SIGNED, SIGNED, SIGNED)
def test_a_span_is_packed_as_spacy_packs_it(label: int, start: int, end: int, first: int, last: int) -> None:
    span = PackedSpan(label, start, end, first, last)
    packed = pack_span(span)
    assert unpack_span(packed) == span
    assert packed == (b"\0" * 16) + label.to_bytes(8, "big") + b"".join(
        number.to_bytes(4, "big", signed=True) for number in (start, end, first, last)
    )
    with pytest.raises(InputError, match="span"):
        unpack_span(packed[:-1])


@given(st.dictionaries(st.sampled_from(["sc", "gold"]), st.lists(st.binary(max_size=4), max_size=2)))
def test_span_groups_come_back_by_key(groups: dict[str, list[bytes]]) -> None:
    named = {key: SpanGroup(key, {}, spans) for key, spans in groups.items()}
    assert unpack_groups(pack_groups(named)) == named
    # Older versions of spaCy keep a list.
    older = msgspec.msgpack.encode([msgspec.msgpack.encode(group) for group in named.values()])
    assert unpack_groups(older) == named
    assert unpack_groups(b"") == {}


def test_a_bomb_and_a_cut_file_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from trustag.files import inputs

    monkeypatch.setattr(inputs, "MOST_UNPACKED", 1 << 20)
    with pytest.raises(InputError, match=r"unpacks to more than 1 MiB; give a file written by DocBin.to_disk"):
        unpack_bin(zlib.compress(b"a" * (10 << 20)))
    with pytest.raises(InputError, match=r"not a spaCy file \(it is cut short\)"):
        unpack_bin(zlib.compress(b"a" * 1000)[:-4])
