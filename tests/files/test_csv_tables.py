"""CSV tables: whatever separates and quotes the fields, the rows are the same sentences, and nothing is lost."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.files.rich import rich_sentences
from tests.files.scratch import scratch_file
from tests.files.span_laws import refusal
from tests.strategies import sentences
from trustag.errors import InputError
from trustag.files.csv_tables import FORMAT
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.sniffing import sniff, sniff_texts
from trustag.notes import Note
from trustag.text.sentences import Sentence, Source

ROWS = [
    ["Sentence #", "Word", "POS", "Tag"],
    ["Sentence: 1", "Ann", "NNP", "B-PER"],
    ["", "said", "VBD", "O"],
    ["", '"', "``", "O"],
    ["", "a,b;c", "X", "O"],
    ["Sentence: 2", "Rome", "NNP", "B-LOC"],
]
EXPECTED = [
    Sentence(
        ("Ann", "said", '"', "a,b;c"),
        ("B-PER", "O", "O", "O"),
        id="Sentence: 1",
        columns={"POS": ("NNP", "VBD", "``", "X")},
    ),
    Sentence(("Rome",), ("B-LOC",), id="Sentence: 2", columns={"POS": ("NNP",)}),
]


def read(content: str | bytes, options: ReadOptions | None = None, name: str = "a") -> tuple[list[Sentence], list[str]]:
    notes: list[Note] = []
    with scratch_file(content if isinstance(content, bytes) else content.encode(), name) as file:
        found = list(FORMAT.read(file, options or ReadOptions(), notes.append))
    return found, [str(note) for note in notes]


def bare(found: list[Sentence]) -> list[Sentence]:
    return [replace(sentence, source=None) for sentence in found]


def table(rows: list[list[str]], delimiter: str, quoting: int, end: str = "\n") -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]
    return stream.getvalue()


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_table_is_read_however_its_fields_are_separated_and_quoted(delimiter: str, quoting: int, end: str) -> None:
    content = table(ROWS, delimiter, quoting, end)
    with scratch_file(content.encode(), "data.txt") as file:
        assert sniff(file) == "csv"
    found, notes = read(content)
    assert bare(found) == EXPECTED
    (note,) = notes
    assert note.startswith("a: info: columns: sentence token POS label (by the header, separated by ")


def test_a_table_with_tabs_that_is_not_quoted_may_contain_quotation_marks() -> None:
    content = "".join("\t".join(row) + "\n" for row in ROWS)
    found, notes = read(content)
    assert bare(found) == EXPECTED
    assert notes[0].endswith("separated by tabs, quotation marks are ordinary characters)")


def test_every_row_has_its_line() -> None:
    content = 'sentence,token,label\n1,"two\nlines",O\n1,b,B-X\n\n2,c,O\n2,d,O\n'
    found, _ = read(content)
    assert [(s.tokens, s.source) for s in found] == [
        (("two\nlines", "b"), Source("a", 2)),
        (("c", "d"), Source("a", 6, True)),
    ]
    assert str(found[1].line_of(1)) == "a:7"


def test_numbers_that_only_count_are_no_ids() -> None:
    found, _ = read("sentence,token,label\n1,a,O\n2,b,O\nx,c,O\n")
    assert [sentence.id for sentence in found] == [None, None, "x"]


def test_blank_lines_separate_sentences_where_no_column_does() -> None:
    found, notes = read("word,tag\na,O\nb,O\n\n,\nc,PER\n")
    assert [(s.tokens, s.labels) for s in found] == [(("a", "b"), ("O", "O")), (("c",), ("I-PER",))]
    assert not any("one sentence" in note for note in notes)
    found, notes = read("word,tag\na,O\nb,O\n")
    assert len(found) == 1
    assert notes[-1] == "a: suspicious: one sentence: no column of sentences and no blank line"


def test_rows_of_a_sentence_that_are_apart_are_reported() -> None:
    found, notes = read("sentence,token,label\nx,a,O\ny,b,O\nx,c,O\n")
    assert len(found) == 3
    assert notes[-1] == "a:4: suspicious: rows of a sentence that are apart: 'x' again"


def test_an_empty_label_is_unknown_and_counted() -> None:
    found, notes = read("sentence,token,label,gold\n1,a,,O\n1,b,-,\n")
    assert (found[0].labels, found[0].gold) == ((None, None), ("O", None))
    assert notes[1:] == [
        "a: info: empty label: unknown label, once",
        "a: info: empty label: unknown gold, once",
    ]


def test_columns_can_be_declared_by_position() -> None:
    content = "nr,text,foo,annotator 1,annotator 2\n1,a,x,O,B-X\n"
    found, notes = read(content, ReadOptions(columns=("sentence", "token", "_", "label", "_")))
    assert (found[0].tokens, found[0].labels, found[0].columns) == (("a",), ("O",), {})
    assert "as declared" in notes[0]


def test_labels_may_be_missing_where_they_do_not_matter() -> None:
    found, _ = read("sentence,token\n1,a\n", ReadOptions(unlabelled=True))
    assert found[0].labels == (None,)


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("", "data.jsonl: the file is empty; give a table with a header"),
        ("a,b\n1,2\n", "data.jsonl:1: no column of tokens among a, b; name them with --columns"),
        (
            "word,annotator1,annotator2\na,O,O\n",
            "data.jsonl:1: no column of labels among word, annotator1, annotator2; ",
        ),
        ("word,tag,x,x\n", "data.jsonl:1: the column 'x' occurs twice; rename one of them"),
        ("word,tag\na,O\nb\n", "data.jsonl:3: 1 fields here, 2 in the header; correct the row, or quote fields"),
        ("word,tag\na,O\nb,what is this\n", "data.jsonl:3: unknown tag 'what is this'; tags are"),
        ('word,tag\na,O\n"b,O\nc,O\n', "data.jsonl:3: the row cannot be read (unexpected end of data); write a"),
        ('word,tag\n"a"b,O\n', "data.jsonl:2: the row cannot be read ("),
    ],
)
def test_what_is_wrong_with_a_table_is_one_line(content: str, complaint: str) -> None:
    assert refusal(FORMAT, content).startswith(complaint)


def test_labels_of_several_annotators_have_to_be_merged_first() -> None:
    assert "trustag merge makes one column of the labels of several annotators" in refusal(FORMAT, "word,a,b\nx,O,O\n")


def written(found: list[Sentence], delimiter: str = " ") -> bytes:
    stream = io.BytesIO()
    FORMAT.write(iter(found), stream, WriteOptions(delimiter), lambda note: None)
    return stream.getvalue()


@given(st.lists(sentences(words=st.text(max_size=4)), min_size=1, max_size=4), st.sampled_from([" ", "\t"]))
def test_reading_gives_back_what_was_written(found: list[Sentence], delimiter: str) -> None:
    alike = [replace(sentence, gold=None) for sentence in found]
    if any("\0" in token for sentence in alike for token in sentence.tokens):
        with pytest.raises(InputError, match="NUL character cannot be written"):
            written(alike, delimiter)
        return
    assert bare(read(written(alike, delimiter))[0]) == alike


@given(rich_sentences())
def test_everything_that_there_is_room_for_comes_back(sentence: Sentence) -> None:
    try:
        content = written([sentence])
    except InputError as error:
        assert "write jsonl instead" in str(error)
        return
    if not sentence.tokens:
        return
    expected = replace(sentence, id=None, document=None, comments=(), gaps=None)
    labels = [label for label in (*sentence.labels, *(sentence.gold or ())) if label is not None]
    assert all(labels)
    assert bare(read(content)[0]) == [expected]


def test_other_readers_read_what_is_written() -> None:
    content = written([replace(sentence, gold=sentence.labels) for sentence in EXPECTED])
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    assert [row["token"] for row in rows] == ["Ann", "said", '"', "a,b;c", "Rome"]
    assert [row["sentence"] for row in rows] == ["1", "1", "1", "1", "2"]
    assert rows[0] == {"sentence": "1", "token": "Ann", "POS": "NNP", "label": "B-PER", "gold": "B-PER"}


def test_sentences_with_other_columns_are_refused() -> None:
    with pytest.raises(InputError, match="the columns are sentence, token, label, but those of the first"):
        written([EXPECTED[0], replace(EXPECTED[1], columns={})])


def test_a_header_without_a_column_of_labels_is_still_one_of_a_table() -> None:
    with scratch_file(b"word,ann_a,ann_b\nx,O,O\n", "x.txt") as file:
        assert sniff(file) == "csv"
    with scratch_file(b"Words, words and words\nmet Bob.\n", "x.txt") as file:
        assert sniff_texts(file) == "text"


@pytest.mark.parametrize("content", ["a O\n", "words, O\n", "Word\tO\n", "Word\tPER\n", "token O\nlabel O\n", "{}\n"])
def test_other_files_are_not_taken_for_tables(content: str) -> None:
    with scratch_file(content.encode(), "x.txt") as file:
        try:
            assert sniff(file) != "csv"
        except InputError as error:
            assert "JSON" in str(error)
