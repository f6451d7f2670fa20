"""Reading word vectors from text: every style of file gives the same vectors, and nothing is dropped silently."""

import codecs
import gzip
import io
import pickle
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vectors.made_up import Notes, text_file, zipped
from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.vectors.text_files import read_vectors

CHARACTERS = st.characters(exclude_characters=" \t\n\r\x0b\x0c\0\ufeff", exclude_categories=["Cs"])
PLAIN = st.text(CHARACTERS, min_size=1, max_size=6)
LETTERS = st.text(st.sampled_from("abcé.@"), min_size=1, max_size=3)
SPACED = st.tuples(LETTERS, st.just(" "), st.sampled_from(["x", "é", "@b.c"])).map("".join)
FLOATS = st.floats(width=32, allow_nan=False, allow_infinity=False)
STYLES = st.fixed_dictionaries(
    {
        "header": st.booleans(),
        "trailing": st.sampled_from(["", " ", "\r", " \r"]),
        "mark": st.booleans(),
        "packed": st.booleans(),
        "last": st.sampled_from(["", "\n", "\n\n"]),
        "separator": st.sampled_from([" ", "\t", "  "]),
    }
)


@st.composite
def tables(draw: st.DrawFn) -> dict[str, list[float]]:
    """Most words are plain, so that the width shows; one may contain spaces, as in GloVe of Common Crawl."""
    width = draw(st.integers(2, 4))
    plain = draw(st.lists(PLAIN, min_size=3, max_size=6, unique=True))
    spaced = draw(st.lists(SPACED, max_size=1))
    words = [*plain[:2], *spaced, *plain[2:]]
    return {word: draw(st.lists(FLOATS, min_size=width, max_size=width)) for word in words}


def written(table: dict[str, list[float]], style: dict[str, object]) -> bytes:
    width = len(next(iter(table.values())))
    separator, trailing = str(style["separator"]), str(style["trailing"])
    rows = [separator.join([word, *map(repr, values)]) + trailing for word, values in table.items()]
    head = [f"{len(table)} {width}"] if style["header"] else []
    text = "\n".join([*head, *rows]) + str(style["last"])
    data = (codecs.BOM_UTF8 if style["mark"] else b"") + text.encode()
    return gzip.compress(data) if style["packed"] else data


@given(table=tables(), style=STYLES)
def test_every_style_gives_the_same_vectors(tmp_path_factory: pytest.TempPathFactory, table, style) -> None:  # type: ignore[no-untyped-def]
    notes = Notes()
    vectors = read_vectors(text_file(tmp_path_factory.mktemp("v"), written(table, style)), None, notes)
    assert vectors.words == tuple(table)
    assert vectors.matrix.dtype == np.float32
    assert vectors.matrix.tolist() == [list(values) for values in table.values()]
    assert vectors.rows_read == len(table)
    assert notes == []


@given(table=tables(), style=STYLES, data=st.data())
def test_only_what_is_wanted_is_kept(tmp_path_factory: pytest.TempPathFactory, table, style, data) -> None:  # type: ignore[no-untyped-def]
    file = text_file(tmp_path_factory.mktemp("v"), written(table, style))
    wanted = data.draw(st.sets(st.one_of(st.sampled_from(list(table)), PLAIN)))
    first = data.draw(st.integers(0, 3))
    expected = [word for place, word in enumerate(table) if place < first or word in wanted]
    by_set = read_vectors(file, wanted, also_first=first)
    by_test = read_vectors(file, wanted.__contains__, also_first=first)
    assert list(by_set.words) == list(by_test.words) == expected
    assert by_set.matrix.tolist() == [table[word] for word in expected]
    assert by_set.matrix.shape == (len(expected), len(next(iter(table.values()))))


PARTS = st.sampled_from(
    [b"2 2\n", b"a", b" ", b"\n", b"1", b"-.5", b"x", b"\t", b"\r", b"\xff", b"\0", b"1e999", b",", b"nan"]
)


@given(data=st.one_of(st.binary(max_size=60), st.lists(PARTS, max_size=40).map(b"".join)))
def test_whatever_the_bytes_there_are_vectors_or_one_error(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    notes = Notes()
    try:
        vectors = read_vectors(text_file(tmp_path_factory.mktemp("v"), data), None, notes)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert np.isfinite(vectors.matrix).all()
        assert len(vectors.words) == len(set(vectors.words)) == len(vectors.matrix)
        assert len(vectors) + sum(note.kind == "dropped" for note in notes) == vectors.rows_read


def test_long_files_keep_their_line_numbers(tmp_path: Path) -> None:
    rows = [f"w{number} {number} 0.25" for number in range(30_000)]
    rows[20_000] = "w20000 1"
    rows[25_000] = "w7 1 1"
    notes = Notes()
    vectors = read_vectors(text_file(tmp_path, "\n".join(["30000 2", *rows])), None, notes)
    assert len(vectors) == 29_998
    assert vectors.matrix[vectors.find("w29999")].tolist() == [29_999, 0.25]
    assert notes.reported() == [("wrong number of values", 20_002), ("repeated word", 25_002)]
    assert notes[0].detail == "'w20000' has 1 values, most rows have 2"


def test_the_first_line_of_glove_is_a_word(tmp_path: Path) -> None:
    assert read_vectors(text_file(tmp_path, "the 1 2\n, 3 4\n")).words == ("the", ",")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3 1\na 5\nb 6\nc 7\n", ("a", "b", "c")),
        ("10 20\na 5\nb 6\n", ("10", "a", "b")),
        ("2 3\na 1 2 3\nb 1 2 3\n", ("a", "b")),
    ],
    ids=["header of one value", "a number as a word", "header of three values"],
)
def test_two_numbers_are_a_header_unless_rows_have_one_value(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    notes = Notes()
    assert read_vectors(text_file(tmp_path, text), None, notes).words == words
    assert notes == []


@pytest.mark.parametrize(("header", "said"), [("9 2", "9 words of 2 values"), ("2 7", "2 words of 7 values")])
def test_a_header_that_disagrees_is_reported(tmp_path: Path, header: str, said: str) -> None:
    notes = Notes()
    assert len(read_vectors(text_file(tmp_path, f"{header}\na 1 2\nb 1 2\n"), {"a"}, notes)) == 1
    assert [(note.kind, note.reason) for note in notes] == [("suspicious", "header disagrees")]
    assert notes[0].detail == f"it states {said}, but the file has 2 words of 2"


@pytest.mark.parametrize(
    ("row", "reason", "detail"),
    [
        ("c 1", "wrong number of values", "'c' has 1 values, most rows have 2"),
        ("c 1 2 3", "wrong number of values", "'c' has 3 values, most rows have 2"),
        (" 1 2", "wrong number of values", "no word before the values"),
        ("c 1 x", "wrong value", "'c' has 'x' as value 2"),
        ("c 1 nan", "wrong value", "'c' has 'nan' as value 2"),
        ("c inf 2", "wrong value", "'c' has 'inf' as value 1"),
        ("c 1e39 2", "wrong value", "'c' has '1e39' as value 1"),
        ("c 1e400 2", "wrong value", "'c' has '1e400' as value 1"),
        ("c 1_0 2", "wrong value", "'c' has '1_0' as value 1"),
        ("c 1,5 2", "wrong value", "'c' has '1,5' as value 1"),
        ("c [1] 2", "wrong value", "'c' has '[1]' as value 1"),
        ("c true 2", "wrong value", "'c' has 'true' as value 1"),
        ("a 5 6", "repeated word", "'a' also occurs above; the first row counts"),
        (b"\xff 5 6", "unreadable word", "'\ufffd' is not valid utf-8"),
    ],
)
def test_a_wrong_row_is_dropped_with_a_note(tmp_path: Path, row: str | bytes, reason: str, detail: str) -> None:
    raw = row if isinstance(row, bytes) else row.encode()
    notes = Notes()
    vectors = read_vectors(text_file(tmp_path, b"a 1 2\nb 3 4\n" + raw + b"\nd 5 6\n"), None, notes)
    assert vectors.words == ("a", "b", "d")
    assert vectors.matrix.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert [(note.kind, note.reason, note.detail) for note in notes] == [("dropped", reason, detail)]
    assert str(notes[0].source) == "vectors.txt:3"


def test_a_right_row_after_a_wrong_one_of_the_same_word_counts(tmp_path: Path) -> None:
    vectors = read_vectors(text_file(tmp_path, "a 1 x\nb 1 2\na 3 4\n"))
    assert dict(zip(vectors.words, vectors.matrix.tolist(), strict=True)) == {"b": [1, 2], "a": [3, 4]}


def test_numbers_may_be_written_in_any_usual_way(tmp_path: Path) -> None:
    vectors = read_vectors(text_file(tmp_path, "a .5 5. +3 -0 1E-2 00.5\nb 1 2 3 4 5 6\n"))
    assert vectors.matrix[0].tolist() == [0.5, 5.0, 3.0, 0.0, np.float32(0.01), 0.5]


def test_values_of_unwanted_rows_are_not_looked_at(tmp_path: Path) -> None:
    notes = Notes()
    assert read_vectors(text_file(tmp_path, "a 1 2\nb x y\nc 1 2\n"), {"a"}, notes).words == ("a",)
    assert notes == []


def test_up_to_half_of_the_rows_may_be_wrong(tmp_path: Path) -> None:
    assert read_vectors(text_file(tmp_path, "a 1 2\nb 1 2\nc 1\nd 1 2 3\n")).words == ("a", "b")
    assert read_vectors(text_file(tmp_path, "a 1 2\nb x 2\n")).words == ("a",)
    with pytest.raises(InputError) as caught:
        read_vectors(text_file(tmp_path, "EU B-ORG\nrejects O\nGerman B-MISC\n"))
    assert str(caught.value) == (
        "vectors.txt: 3 of 3 rows are wrong, the first at line 1: 'EU' has 'B-ORG' as value 1; "
        "give a file with rows of 'word v1 v2 ...'"
    )
    with pytest.raises(InputError, match="3 of 5 rows are wrong, the first at line 2: 'b' has 1 values"):
        read_vectors(text_file(tmp_path, "a 1 2\nb 1\nc 1 2\nd 1 2 3 4\ne 1 2 3 4 5\n"))


def npy_bytes() -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, np.zeros((2, 2)))
    return buffer.getvalue()


WORD2VEC = b"2 3\n" + b"".join(word + b" " + struct.pack("<3f", 0.1, 0.2, 0.3) + b"\n" for word in (b"a", b"b"))


@pytest.mark.parametrize(
    ("data", "finding"),
    [
        (WORD2VEC, "is in word2vec's binary format; save it as text first, for example with gensim"),
        (struct.pack("<ii", 793712314, 12) + bytes(100), "is a binary fastText model; give the text file"),
        (zipped({"a.txt": b"a 1 2\n"}), "is a zip archive; unpack it"),
        (pickle.dumps({"a": [1.0]}), "is a pickled object, which is never loaded"),
        (npy_bytes(), "is a numpy array without words"),
        ("a 1 2\n".encode("utf-16"), "is a text in UTF-16"),
        (b"a 1\0 2\n", "is binary, not text"),
        (b"", "contains no word vectors: it is empty"),
        (b"\n \n", "contains no word vectors: it is empty"),
        (b"0 100\n", "contains no word vectors: only a header"),
        (b"just\nwords\nhere\n", "most lines have no values after the word"),
        (b"a" * (1 << 25), "a line has more than 16 MB, too long for a row"),
        (gzip.compress(b"a 1 2\n" * 99)[:-12], "damaged gzip data"),
    ],
    ids=lambda value: value[:20] if isinstance(value, str) else "",
)
def test_a_file_without_vectors_is_an_error(tmp_path: Path, data: bytes, finding: str) -> None:
    with pytest.raises(InputError) as caught:
        read_vectors(text_file(tmp_path, data))
    assert finding in str(caught.value)
    assert str(caught.value).startswith("vectors.txt: ")


def test_a_missing_file_is_an_error_and_never_random_vectors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_vectors(InputFile(tmp_path / "none.txt"))


def test_other_encodings_are_read_if_they_extend_ascii(tmp_path: Path) -> None:
    text_file(tmp_path, "café 1 2\nthe 3 4\n".encode("latin-1"))
    file = InputFile(tmp_path / "vectors.txt", "latin-1")
    assert read_vectors(file, {"café", "日本"}).words == ("café",)
    for encoding in ("utf-16", "utf-32-le", "cp037"):
        with pytest.raises(InputError, match="save them in UTF-8"):
            read_vectors(InputFile(tmp_path / "vectors.txt", encoding))
    with pytest.raises(InputError, match="unknown encoding 'klingon'"):
        read_vectors(InputFile(tmp_path / "vectors.txt", "klingon"))
