"""What the head of a vector file shows: its width and header as they were written, and foreign files by their magic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.vectors.text_layout import Header, read_layout, without_mark

WORDS = st.text("abcdé中", min_size=1, max_size=4)


def rows(words: list[str], width: int) -> str:
    return "".join(f"{word} {' '.join(['0.5'] * width)}\n" for word in words)


@given(st.lists(WORDS, min_size=1, max_size=6), st.integers(1, 5), st.booleans())
def test_width_and_header_are_found_as_written(words: list[str], width: int, has_header: bool) -> None:
    head = f"{len(words)} {width}\n" if has_header else ""
    found = read_layout((head + rows(words, width)).encode(), "vectors.txt")
    assert found.width == width
    assert found.header == (Header(len(words), width) if has_header else None)


@given(st.integers(2, 5), st.integers(3, 8))
def test_one_word_with_spaces_misleads_nobody(width: int, count: int) -> None:
    text = rows(["New York City"], width) + rows(["a"] * count, width)
    assert read_layout(text.encode(), "vectors.txt").width == width


def test_numbers_with_one_value_each_are_rows_and_not_headers() -> None:
    assert read_layout(b"1996 3\n1997 4\n1998 5\n", "x").header is None
    assert read_layout(b"2 1\n1997 4\n1998 5\n", "x").header == Header(2, 1)


def test_a_byte_order_mark_is_taken_off_once() -> None:
    assert without_mark(b"\xef\xbb\xbfword 1") == b"word 1"
    assert without_mark(b"word 1") == b"word 1"


@pytest.mark.parametrize(
    ("head", "noun"),
    [
        (b"PK\x03\x04rest", "zip"),
        (b"\xba\x16\x4f\x2f\x0c", "fastText"),
        (b"\x93NUMPY\x01", "numpy"),
        (b"\x80\x04\x95", "pickle"),
        ("word 1".encode("utf-16"), "UTF-16"),
        (b"3 2\nthe \x00\x01\x02\x03\x04\x05\x06\x07\n", "word2vec"),
        (b"word \0 1", "binary"),
        (b"", "empty"),
        (b"\n \n", "empty"),
        (b"10 300\n", "header"),
        (b"one\ntwo\nthree\n", "values"),
    ],
)
def test_what_holds_no_vectors_in_text_is_refused_by_name(head: bytes, noun: str) -> None:
    with pytest.raises(InputError, match=f"vectors.txt.*{noun}"):
        read_layout(head, "vectors.txt")
