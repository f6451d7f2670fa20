"""Input files in any state: the text is right, or a one-line error says what is wrong and where."""

import gzip
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from trustag.errors import InputError
from trustag.files import inputs
from trustag.files.inputs import STANDARD_STREAM, InputFile

TEXT = "Ä b\n\nc\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.txt"


@contextmanager
def chunks_of(size: int) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "CHUNK_BYTES", size)
        yield


def failure(file: InputFile) -> str:
    with pytest.raises(InputError) as caught:
        file.text()
    message = str(caught.value)
    assert "\n" not in message
    return message


def stored(path: Path, content: bytes) -> InputFile:
    path.write_bytes(content)
    return InputFile(path, shown_as="a.txt")


# What every reader may rely on


@given(
    st.lists(st.tuples(st.text("aä中😀 ", max_size=4), st.sampled_from(["\n", "\r\n", "\r"]))),
    st.text("aä中", max_size=3),
    st.integers(1, 20),
    st.booleans(),
    st.booleans(),
)
def test_any_line_ends_packing_mark_and_chunk_size_give_the_same_lines(
    rows: list[tuple[str, str]], last: str, size: int, packed: bool, marked: bool
) -> None:
    text = "".join(row + end for row, end in rows) + last
    # A carriage return directly before a newline is one line end, whoever wrote which.
    expected = text.replace("\r\n", "\n").replace("\r", "\n")
    content = ("\ufeff" * marked + text).encode()
    with scratch_file(gzip.compress(content) if packed else content) as file, chunks_of(size):
        assert file.text() == expected
        assert list(file.lines()) == expected.split("\n")[: None if expected[-1:] not in {"", "\n"} else -1]
        assert file.text(keep_newlines=True) == text
        assert file.read_bytes() == content


@given(st.lists(st.sampled_from(["a\n", "é\n", "\n", "b\r\n", "c\r"])), st.integers(1, 9))
def test_a_broken_byte_is_reported_on_its_own_line_at_any_chunk_boundary(rows: list[str], size: int) -> None:
    before = "".join(rows)
    with scratch_file(before.encode() + b"x\xffy\nz\n", "a.txt") as file, chunks_of(size):
        line = len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        assert failure(file).startswith(f"a.txt:{line}: byte 0xff is not valid utf-8; declare the encoding")


@given(st.lists(st.sampled_from(["a\n", "é\n", "\n", "b\r\n", "c\r"])), st.integers(1, 9), st.booleans())
def test_a_nul_is_reported_on_its_own_line_at_any_chunk_boundary(rows: list[str], size: int, keep: bool) -> None:
    before = "".join(rows)
    with scratch_file(before.encode() + b"x\0y\nz\n", "a.txt") as file, chunks_of(size):
        line = len(before.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
        with pytest.raises(InputError, match=rf"^a\.txt:{line}: NUL character") as caught:
            list(file.chunks(keep_newlines=keep))
        assert "--encoding utf-16" in str(caught.value)


@given(st.binary(max_size=200), st.sampled_from(["utf-8", "latin-1", "utf-16", "utf-32", "cp1252", "shift_jis"]))
def test_random_bytes_are_text_or_one_error(content: bytes, encoding: str) -> None:
    with scratch_file(content) as found:
        file = InputFile(found.path, encoding, shown_as="a.txt")
        try:
            file.text()
        except InputError as error:
            assert str(error).startswith("a.txt")


def test_a_character_across_a_chunk_boundary_is_whole(path: Path) -> None:
    file = stored(path, "aé😀\nb".encode())
    for size in range(1, 10):
        with chunks_of(size):
            assert file.text() == "aé😀\nb"


# Encodings


@pytest.mark.parametrize(
    "encoding", ["utf-8", "UTF8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252"]
)
def test_declared_encodings_are_honoured(path: Path, encoding: str) -> None:
    path.write_bytes(TEXT.encode(encoding))
    assert InputFile(path, encoding).text() == TEXT
    assert list(InputFile(path, encoding).lines()) == ["Ä b", "", "c"]


def test_a_byte_order_mark_is_taken_off_once_and_only_at_the_beginning(path: Path) -> None:
    path.write_bytes("\ufeffa\n\ufeffb\n".encode())
    for encoding in ("utf-8", "utf-8-sig"):
        with chunks_of(1):
            assert InputFile(path, encoding).text() == "a\n\ufeffb\n"


def test_latin_1_that_is_not_declared_is_an_error_with_the_remedy(path: Path) -> None:
    assert failure(stored(path, "a\nM\xfcller\n".encode("latin-1"))) == (
        "a.txt:2: byte 0xfc is not valid utf-8; declare the encoding, for example --encoding latin-1"
    )


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_that_is_not_declared_is_recognised_by_its_mark(path: Path, encoding: str) -> None:
    content = ("\ufeff" + TEXT).encode(encoding)
    assert failure(stored(path, content)).endswith("the file looks like UTF-16; declare it with --encoding utf-16")


def test_utf_16_without_a_mark_is_an_error_with_the_remedy(path: Path) -> None:
    assert failure(stored(path, "ab".encode("utf-16-le"))).endswith("for example --encoding utf-16")


def test_a_broken_wide_text_is_reported_on_its_own_line(path: Path) -> None:
    # U+0A0A holds two newline bytes and ends no line.
    path.write_bytes("\u0a0a\nb".encode("utf-16-le") + b"\x00\xd8")
    assert failure(InputFile(path, "utf-16-le", shown_as="a.txt")).startswith("a.txt:2: byte 0x00 is not valid")


@pytest.mark.parametrize("encoding", ["klingon", "", "hex", "rot13", "undefined", "a\0b", "unicode_escape", "UTF-7"])
def test_an_encoding_that_is_none_is_an_error(path: Path, encoding: str) -> None:
    path.write_text("a")
    message = failure(InputFile(path, encoding, shown_as="a.txt"))
    assert message == f"a.txt: unknown encoding {encoding!r}; use for example utf-8, latin-1 or cp1252"


# Files that hold nothing, or are none


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", gzip.compress(b"", mtime=0)])
def test_an_empty_file_has_no_lines(path: Path, content: bytes) -> None:
    file = stored(path, content)
    assert list(file.lines()) == []
    assert file.text() == ""


def test_an_empty_wide_file_has_no_lines(path: Path) -> None:
    path.write_bytes("\ufeff".encode("utf-16-le"))
    assert list(InputFile(path, "utf-16").lines()) == []


def test_every_newline_ends_one_line(path: Path) -> None:
    assert list(stored(path, b"\n").lines()) == [""]
    assert list(stored(path, b"\n\n").lines()) == ["", ""]


def test_a_missing_file_is_an_error(tmp_path: Path) -> None:
    assert failure(InputFile(tmp_path / "no", shown_as="no")) == "no: no such file; check the path"


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    assert failure(InputFile(tmp_path, shown_as="here")) == "here: is a folder, not a file; give a file in it"


def test_a_path_through_a_file_is_an_error(path: Path) -> None:
    path.touch()
    assert failure(InputFile(path / "b", shown_as="b")) == "b: cannot be read (Not a directory); check the path"


def test_a_name_that_is_too_long_is_an_error(tmp_path: Path) -> None:
    assert failure(InputFile(tmp_path / ("a" * 300), shown_as="a")).startswith("a: cannot be read (File name too long)")


def test_an_unreadable_file_is_an_error(path: Path) -> None:
    path.touch(mode=0o000)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        message = failure(InputFile(path, shown_as="a.txt"))
    finally:
        os.seteuid(user)
    assert message == "a.txt: permission to read it is denied; check its permissions"


# gzip


@pytest.mark.parametrize("cut", [3, 9, 12, -9, -4, -1])
def test_truncated_gzip_is_an_error(path: Path, cut: int) -> None:
    message = failure(stored(path, gzip.compress(TEXT.encode() * 50)[:cut]))
    assert message.startswith("a.txt: damaged gzip data (")
    assert message.endswith("download or compress the file again")


def test_damaged_gzip_is_an_error_unless_nothing_is_lost(path: Path) -> None:
    content = bytearray(gzip.compress(TEXT.encode() * 50))
    for place in range(2, len(content)):
        damaged = content.copy()
        damaged[place] ^= 0xFF
        file = stored(path, bytes(damaged))
        try:
            assert file.text() == TEXT * 50
        except InputError as error:
            assert str(error).startswith("a.txt")


def test_gzip_in_several_members_is_read_whole(path: Path) -> None:
    assert stored(path, gzip.compress(b"a\n") + gzip.compress(b"b\n")).text() == "a\nb\n"


def test_gzip_is_detected_by_its_bytes_not_its_name(tmp_path: Path) -> None:
    plain = tmp_path / "a.gz"
    plain.write_text("a")
    assert InputFile(plain).text() == "a"


# Standard input


class _StandIn:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_read_and_unpacked(monkeypatch: pytest.MonkeyPatch, packed: bool) -> None:
    monkeypatch.setattr(sys, "stdin", _StandIn(gzip.compress(TEXT.encode()) if packed else TEXT.encode()))
    file = InputFile(STANDARD_STREAM)
    assert file.name == "<stdin>"
    assert file.text() == TEXT


def test_standard_input_may_be_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.write(writing, TEXT.encode())
    os.close(writing)
    with open(reading) as stand_in:  # noqa: PTH123 - a pipe has no path
        monkeypatch.setattr(sys, "stdin", stand_in)
        assert InputFile(STANDARD_STREAM).text() == TEXT


def test_names_in_messages() -> None:
    assert InputFile(Path("a/b.txt")).name == "a/b.txt"
    assert InputFile(Path("a/b.txt"), shown_as="b").name == "b"


def test_names_in_messages_show_what_cannot_be_seen(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        InputFile(tmp_path / "a\n\x1b[2J\udcff.txt").read_bytes()
    assert "a\\n\\x1b[2J\\udcff.txt: no such file" in str(caught.value)


# Limits


def test_a_line_without_an_end_is_refused_in_one_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LONGEST_LINE", 1 << 20)
    file = stored(path, b"a\nb\n" + b"c" * (3 << 20))
    assert failure(file) == "a.txt:3: a line of more than 1 MiB; give a text file with shorter lines"
    whole = stored(path, b"c" * (1 << 19) + b"\n")
    assert len(whole.text()) == (1 << 19) + 1


def test_a_device_that_never_ends_is_refused() -> None:
    assert failure(InputFile(Path("/dev/zero"))).startswith("/dev/zero:1: a line of more than 256 MiB")


def test_a_wide_file_that_is_too_large_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "LONGEST_LINE", 1 << 20)
    path.write_bytes("a\n".encode("utf-16") * (1 << 18))
    with pytest.raises(InputError, match=r"a.txt: more than 1 MiB of utf-16, which are read as a whole; convert"):
        InputFile(path, "utf-16", shown_as="a.txt").text()


@pytest.mark.parametrize("whole", [False, True])
def test_a_gzip_bomb_is_refused_in_one_line(path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool) -> None:
    monkeypatch.setattr(inputs, "MOST_UNPACKED", 1 << 20)
    file = stored(path, gzip.compress(b"a O\n" * (1 << 20)))
    finding = "a.txt: unpacks to more than 1 MiB, far more than text does; unpack it yourself if that is right"
    with pytest.raises(InputError) as caught:
        _ = file.read_bytes() if whole else list(file.lines())
    assert str(caught.value) == finding


@given(st.integers(0, 3000))
def test_a_gzipped_file_may_unpack_to_exactly_the_limit(size: int) -> None:
    content = gzip.compress(os.urandom(10) + b"a" * size)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(inputs, "MOST_UNPACKED", 1010)
        patch.setattr(inputs, "MOST_TIMES", 0)
        with scratch_file(content) as file:
            if size <= 1000:
                assert len(file.read_bytes()) == size + 10
            else:
                with pytest.raises(InputError, match="unpacks to more than"):
                    file.read_bytes()


def test_a_large_file_may_unpack_to_many_times_its_size() -> None:
    assert inputs.most_unpacked(0) == 1 << 28
    assert inputs.most_unpacked(1 << 30) == 200 << 30
