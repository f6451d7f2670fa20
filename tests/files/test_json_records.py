"""JSON records: every shape of file gives the same records on the right lines, every fault one located error."""

import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.files.json_records import (
    decode,
    read_json_array,
    read_json_lines,
    read_json_records,
    write_json_array,
    write_json_line,
)
from trustag.text.sentences import Source


class Record(msgspec.Struct):
    tokens: list[str]
    number: int = 0


Reader = Callable[[InputFile, type[Any]], Iterator[tuple[int, Any]]]
READERS: list[Reader] = [read_json_lines, read_json_array, read_json_records]

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab\n[]{},"', max_size=3), inner, max_size=3),
    max_leaves=8,
)
JSON_OBJECTS = st.dictionaries(st.text("ab", max_size=2), JSON_VALUES, max_size=3)


def read(reader: Reader, content: bytes | str, record_type: type[Any] = dict) -> list[tuple[int, Any]]:
    with scratch_file(content) as file:
        return list(reader(file, record_type))


def refusal(reader: Reader, content: bytes | str, record_type: type[Any] = Record) -> str:
    with pytest.raises(InputError) as caught:
        read(reader, content, record_type)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_lines_come_with_their_numbers_and_blank_ones_are_skipped() -> None:
    content = b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \n{"a": 2}'
    assert read(read_json_lines, content) == [(1, {"a": 1}), (4, {"a": 2})]
    assert read(read_json_records, content) == [(1, {"a": 1}), (4, {"a": 2})]


def test_array_elements_come_with_the_line_on_which_they_begin() -> None:
    content = b'\n[\n  {"a": 1}, {"a": 1},\n\n  {\n "a":\n 1}\n,{"a": 2}]\n'
    expected = [(3, {"a": 1}), (3, {"a": 1}), (5, {"a": 1}), (8, {"a": 2})]
    assert read(read_json_array, content) == expected
    assert read(read_json_records, content) == expected


def test_a_single_object_may_span_lines() -> None:
    assert read(read_json_records, b'\n{\n"a":\n1\n}\n') == [(2, {"a": 1})]


def test_an_empty_array_has_no_records() -> None:
    assert read(read_json_records, b" [ ] ") == []


def test_typed_records_are_built() -> None:
    ((line, record),) = read(read_json_records, b'{"tokens": ["a"], "number": 3, "more": {}}', Record)
    assert (line, record) == (1, Record(["a"], 3))


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(reader: Reader, content: bytes) -> None:
    assert refusal(reader, content).startswith("data.json: the file is empty; ")


@pytest.mark.parametrize(
    ("content", "line", "finding"),
    [
        (b'{"tokens": ["a"]}\n{"tokens": [1]}', 2, "Expected `str`, got `int` - at `$.tokens[0]`"),
        (b'[{"tokens": ["a"]},\n{"tokens": "b"}]', 2, "Expected `array`, got `str` - at `$.tokens`"),
        (b'[{"tokens": []},\n\n{"number": 1}]', 3, "Object missing required field `tokens`"),
        (b'{"tokens": ["a"]}\n\n{"tokens": ["a"]', 3, "JSON is malformed: unexpected end"),
        (b'[{"tokens": ["a"]},\n{"tokens": ["a"]}', 2, "JSON is malformed: unexpected end"),
        (b'[{"tokens": ["a"]},\n{"tokens": a}]', 2, "JSON is malformed: invalid character near byte 12 of the line"),
        (b'{"tokens": []} {"tokens": []}', 1, "JSON is malformed: trailing characters near byte 17 of the line"),
        (b'{\n"tokens": [}', 2, "JSON is malformed: invalid character near byte 12 of the line"),
        (b'{"tokens": []}\n{"tokens": ["\\ud800"]}', 2, "an unpaired surrogate, which is not a character"),
        (b'{"tokens": []}\n{"tokens": ["\\udc00"]}', 2, "an unpaired surrogate, which is not a character"),
        (b'{"tokens": []}\n{"tokens": ["\\ud800 and more text"]}', 2, "an unpaired surrogate"),
        (b'{"tokens": []}\n' + b'{"more":' * 5000, 2, "JSON is nested too deeply"),
        (b"[" * 100_000, 1, "JSON is nested too deeply"),
        (b'{"tokens": []}\n{"tokens": ["\xff"]}', 2, "byte 0xff is not valid utf-8"),
        (b'[{"tokens": []},\n{"tokens": ["\xc3"]}]', 2, "byte 0xc3 is not valid utf-8"),
        (b'{"tokens": []}\n{"tokens": ["\0"]}', 2, "NUL character"),
        (b'{"tokens": [], "number": 1e999}', 1, "Number out of range - at `$.number`"),
        (b"hello", 1, "JSON is malformed: invalid character near byte 1 of the line"),
        (b"3", 1, "Expected `object`, got `int`"),
    ],
)
def test_faults_name_their_line(content: bytes, line: int, finding: str) -> None:
    assert refusal(read_json_records, content).startswith(f"data.json:{line}: {finding}")


def test_an_array_reader_wants_an_array_and_a_line_reader_wants_records() -> None:
    assert refusal(read_json_array, b'{"tokens": []}').startswith("data.json:1: Expected `array`, got `object`")
    assert refusal(read_json_lines, b'[{"tokens": []}]').startswith("data.json:1: Expected `object`, got `array`")


def test_declared_encodings_are_honoured() -> None:
    with scratch_file('{"a": "é"}\n'.encode("utf-16")) as file:
        declared = InputFile(file.path, encoding="utf-16")
        assert list(read_json_records(declared, dict)) == [(1, {"a": "é"})]


@pytest.mark.parametrize("encoding", ["raw_unicode_escape", "utf-7"])
def test_encodings_that_could_smuggle_in_surrogates_are_refused(encoding: str) -> None:
    with scratch_file(b'{"a": "+2AA-\\ud800"}') as file:
        declared = InputFile(file.path, encoding=encoding, shown_as="data.json")
        with pytest.raises(InputError, match=r"^data\.json: unknown encoding"):
            list(read_json_records(declared, dict))


def test_decode_refuses_bytes_that_are_no_text() -> None:
    with pytest.raises(InputError, match=r"^f:7: JSON is not valid UTF-8"):
        decode(b'"\xff"', str, Source("f", 7))


def test_writing_refuses_an_unpaired_surrogate() -> None:
    with pytest.raises(InputError, match="an unpaired surrogate cannot be written"):
        write_json_line(io.BytesIO(), {"text": "\ud800"})


@given(st.lists(JSON_OBJECTS, min_size=1, max_size=4))
def test_lines_read_back_as_written_one_a_line(records: list[dict[str, Any]]) -> None:
    stream = io.BytesIO()
    for record in records:
        write_json_line(stream, record)
    assert [json.loads(line) for line in stream.getvalue().split(b"\n")[:-1]] == records
    for reader in (read_json_lines, read_json_records):
        assert read(reader, stream.getvalue()) == list(enumerate(records, start=1))


@given(st.lists(JSON_OBJECTS, max_size=4))
def test_arrays_read_back_as_written(records: list[dict[str, Any]]) -> None:
    stream = io.BytesIO()
    write_json_array(stream, iter(records))
    assert json.loads(stream.getvalue()) == records
    for reader in (read_json_array, read_json_records):
        assert read(reader, stream.getvalue()) == list(enumerate(records, start=2))


@given(st.lists(JSON_OBJECTS, min_size=1, max_size=4), st.sampled_from([None, 0, 1]))
def test_any_layout_of_an_array_gives_the_same_records(records: list[dict[str, Any]], indent: int | None) -> None:
    text = json.dumps(records, indent=indent)
    found = read(read_json_records, text)
    assert [record for _, record in found] == records
    # Oracle for the lines: in this layout every element of the outer array begins where json's own decoder stops.
    position = 1
    for line, _ in found:
        while text[position] in " \n,":
            position += 1
        assert line == text[:position].count("\n") + 1
        _, position = json.JSONDecoder().raw_decode(text, position)


@given(st.binary(max_size=40) | st.text('[]{}":, \n1\\ud80', max_size=40).map(str.encode))
def test_only_input_errors_escape(content: bytes) -> None:
    for reader in READERS:
        try:
            records = read(reader, content)
        except InputError as error:
            complaint = str(error)
            assert complaint.startswith("data.json")
            assert "\n" not in complaint
        else:
            assert all(isinstance(record, dict) for _, record in records)
