"""CoNLL text: the bulk reader agrees with a naive one, writing and reading is the identity, faults are located."""

import io
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.files.scratch import scratch_file
from tests.strategies import labellings, sentences, tokens_with_spaces
from trustag.errors import InputError
from trustag.files import inputs
from trustag.files.conll import read, write
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.inputs import InputFile
from trustag.notes import Note, unwatched
from trustag.text.labels import UNKNOWN_MARKS
from trustag.text.sentences import Sentence, Source

DETECT = ReadOptions()
TWO_COLUMNS = ReadOptions(columns=("token", "label"))


def read_text(text: str | bytes, options: ReadOptions = DETECT, notes: list[Note] | None = None) -> list[Sentence]:
    data = text.encode() if isinstance(text, str) else text
    watch = notes.append if notes is not None else unwatched
    with scratch_file(data, name="file") as file:
        return list(read(file, options, watch))


def written(corpus: Sequence[Sentence], delimiter: str = " ") -> str:
    stream = io.BytesIO()
    write(corpus, stream, WriteOptions(delimiter=delimiter), unwatched)
    return stream.getvalue().decode()


def bare(sentence: Sentence) -> Sentence:
    return replace(sentence, source=None)


def test_a_file_as_people_write_it() -> None:
    text = "EU B-ORG\nrejects O\n\n\n# a comment\nPeter B-PER\nBlackburn I-PER"
    first, second = read_text(text)
    assert first == Sentence(("EU", "rejects"), ("B-ORG", "O"), source=Source("file", 1, True))
    assert second.tokens == ("Peter", "Blackburn")
    assert second.comments == ("# a comment",)
    assert second.line_of(1) == Source("file", 7)


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ("EU", "token"),
        ("EU B-ORG", "token label"),
        ("EU\tB-ORG", "token label"),
        ("EU O B-ORG", "token label gold"),
        ("EU NNP B-ORG", "token pos label"),
        ("EU NNP B-NP B-ORG", "token pos chunk label"),
        ("EU -X- _ B-ORG", "token _ _ label"),
        ("1 EU B-ORG O", "index token label inner"),
        ("1 EU B-ORG", "index token label"),
        ("EU NNP O B-ORG", "token column2 label gold"),
        ("EU B-ORG given", "token label source"),
        ("EU O B-ORG reviewed", "token label gold source"),
        ("EU NNP B-NP B-ORG reviewed", "token pos chunk label source"),
    ],
)
def test_columns_are_detected_and_reported(row: str, names: str) -> None:
    notes: list[Note] = []
    (sentence,) = read_text(row + "\n\n", notes=notes)
    assert sentence.tokens == ("EU",)
    assert [note.detail.partition(" (")[0] for note in notes] == [names]
    assert sentence.labels == ((None,) if names == "token" else ("O",) if "gold" in names else ("B-ORG",))


def test_further_columns_are_kept_and_written_back() -> None:
    text = "EU NNP B-NP B-ORG\nsays VBZ B-VP O\n\n"
    (sentence,) = read_text(text)
    assert sentence.columns == {"pos": ("NNP", "VBZ"), "chunk": ("B-NP", "B-VP")}
    assert written([sentence]) == text


def test_declared_columns_win_over_detection() -> None:
    (sentence,) = read_text("B-PER x Ann O human\n\n", ReadOptions(columns=("gold", "_", "token", "label", "source")))
    assert sentence == replace(Sentence(("Ann",), ("O",), ("B-PER",), ("human",)), source=Source("file", 1, True))


def test_tabs_allow_spaces_in_tokens() -> None:
    (sentence,) = read_text("New York\tB-LOC\n10 000\tO\n\n")
    assert sentence.tokens == ("New York", "10 000")


def test_documents_are_distinguished() -> None:
    text = "-DOCSTART- -X- O O\n\na DT I-NP O\n\nb DT I-NP O\n\n-DOCSTART- -X- O O\n\nc DT I-NP O\n\n"
    corpus = read_text(text)
    assert [sentence.document for sentence in corpus] == ["1", "1", "2"]
    again = read_text(written(corpus))
    assert [(sentence.tokens, sentence.document) for sentence in again] == [
        (sentence.tokens, sentence.document) for sentence in corpus
    ]


def test_a_hash_is_a_token_where_it_fits_the_columns() -> None:
    first, second = read_text("# O\n1 O\n\n#fun O\n\n")
    assert (first.tokens, second.tokens) == (("#", "1"), ("#fun",))
    assert not first.comments


@pytest.mark.parametrize("mark", sorted(UNKNOWN_MARKS))
def test_every_mark_for_unknown_is_understood(mark: str) -> None:
    (sentence,) = read_text(f"a O\nb {mark}\n\n")
    assert sentence.labels == ("O", None)
    assert written([sentence]) == "a O\nb -\n\n"


def test_bare_types_are_read_as_in_the_scheme_io() -> None:
    notes: list[Note] = []
    (sentence,) = read_text("Ann person-actor\nLee person-actor\nin O\nRome GPE\nnow -\n\n", notes=notes)
    assert sentence.labels == ("I-person-actor", "I-person-actor", "O", "I-GPE", None)
    detail = "person-actor is read as I-person-actor, adjacent tokens of one type as one entity"
    assert str(notes[1]) == f"file: info: bare types: tags have no position: {detail}"


def test_labels_may_be_bare_types_if_gold_has_positions() -> None:
    (sentence,) = read_text("Ann PER B-PER\nslept O O\n\n", ReadOptions(columns=("token", "label", "gold")))
    assert (sentence.labels, sentence.gold) == (("I-PER", "O"), ("B-PER", "O"))


@pytest.mark.parametrize("columns", [None, ("token", "label")])
def test_a_hashtag_with_a_bare_type_is_a_token_and_a_comment_stays_one(columns: tuple[str, ...] | None) -> None:
    sentences = read_text("a O\nb band\n\n#u2 band\n\n# remark\nc O\n\n", ReadOptions(columns=columns))
    assert [sentence.tokens for sentence in sentences] == [("a", "b"), ("#u2",), ("c",)]
    assert sentences[2].comments == ("# remark",)


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (
            "a LOC\nb O\nc B-LOC\n\n",
            "file:3: the tag 'B-LOC' does not match the style of 'LOC'; write all tags in one way: O, B-TYPE",
        ),
        (
            "a B-LOC\nb O\nc LOC\n\n",
            "file:3: the tag 'LOC' does not match the style of 'B-LOC'; write all tags in one way: O, B-TYPE",
        ),
        ("a LOC\nb X-LOC\n\n", "file:2: unknown tag 'X-LOC'; "),
    ],
)
def test_tags_with_and_without_positions_are_not_mixed(text: str, finding: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text, TWO_COLUMNS)
    assert str(caught.value).startswith(finding)


def test_one_column_means_that_every_label_is_unknown() -> None:
    (sentence,) = read_text("just\ntext\n\n")
    assert sentence.labels == (None, None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "file: the file is empty; give a file with one token per line"),
        (" \n\n\t\n", "file: the file is empty; give a file with one token per line"),
        ("a O\nb\n\n", "file:2: 1 columns here, 2 at line 1; correct the row, or declare the columns with --columns"),
        ("a x\nb y\n\n", "file:1: no column contains tags; "),
        ("a B-X\n" * 9 + "b PERSON\n\n", "file:10: 'PERSON' is not a tag, but is in the column of the tags; "),
        (
            "a O\nb LOC\nc O\nd B-LOC\n\n",
            "file:4: the tag 'B-LOC' does not match the style of 'LOC'; write all tags in one way",
        ),
        (
            "a O O O\n\n",
            "file:1: 3 columns of labels; if they are of several annotators, see trustag merge",
        ),
        (b"a O\nb\0 O\n\n", "file:2: NUL character"),
        (b"a O\n\n\xe9 O\n\n", "file:3: byte 0xe9 is not valid utf-8; declare the encoding"),
        (b"\x1f\x8b\x08garbage", "file: damaged gzip data"),
        ("1\tAda\tB-PER\tO\n2\tB\t\t\x17\n", "file:1: no column contains tags; "),
    ],
)
def test_faults_are_one_line_with_the_location(text: str | bytes, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_text(text)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("b", "expected 2 columns (token, label), found 1: 'b'; "),
        ("b O O", "expected 2 columns (token, label), found 3: 'b O O'; "),
        ("b X-PER", "unknown tag 'X-PER'; "),
        ("b B-", "unknown tag 'B-'; "),
        ("b o", "unknown tag 'o'; "),
    ],
)
def test_faults_deep_in_a_file_are_found_where_they_are(row: str, message: str) -> None:
    good = "a O\n\n" * 3000
    with pytest.raises(InputError) as caught:
        read_text(f"{good}a O\n{row}\na O\n\n{good}")
    assert str(caught.value).startswith(f"file:6002: {message}")


def test_a_very_long_sentence_stays_whole() -> None:
    (sentence,) = read_text("a O\n" * 200_000)
    assert len(sentence.tokens) == 200_000


@given(st.lists(sentences(gold=False), max_size=5), st.sampled_from([" ", "\t"]))
def test_writing_then_reading_changes_nothing(corpus: list[Sentence], delimiter: str) -> None:
    assume(corpus)
    assert [bare(sentence) for sentence in read_text(written(corpus, delimiter), TWO_COLUMNS)] == corpus


@given(st.lists(sentences(words=tokens_with_spaces(), gold=False, unknown=False), min_size=1, max_size=4))
def test_tokens_with_spaces_survive_tabs_or_are_refused(corpus: list[Sentence]) -> None:
    try:
        text = written(corpus, "\t")
    except InputError as error:
        assert "cannot be written" in error.finding
        assert any(token != token.strip(" ") for sentence in corpus for token in sentence.tokens)
        return
    options = ReadOptions(columns=("token", "label"), delimiter="\t")
    assert [bare(sentence) for sentence in read_text(text, options)] == corpus


@pytest.mark.parametrize("token", ["", "a b", "a\tb", "a\nb", "a\r", "\0", "-DOCSTART-"])
def test_tokens_that_could_not_be_read_back_are_refused(token: str) -> None:
    with pytest.raises(InputError, match="cannot be written as CoNLL text"):
        written([Sentence((token,), ("O",))])


def test_sentences_with_other_columns_are_refused() -> None:
    with pytest.raises(InputError, match="the same columns in all sentences"):
        written([Sentence(("a",), ("O",)), Sentence(("a",), ("O",), ("O",))])


def naive_read(text: str) -> list[tuple[list[str], list[str]]] | None:
    """Read two columns as a beginner would; None where a row does not have two fields, or no label like the first."""
    found: list[tuple[list[str], list[str]]] = []
    words: list[str] = []
    labels: list[str] = []
    spellings: set[str] = set()
    for line in [*text.split("\n"), ""]:
        fields = re.findall(r"[^ \t]+", line)
        if not fields:
            if words:
                found.append((words, labels))
            words, labels = [], []
        elif len(fields) == 2 and re.fullmatch(r"O|[BIESLUM](-.+)?|-|\?|None|-1|-100|QQ", fields[1]):
            if not words and fields[0] == "-DOCSTART-":
                continue
            words.append(fields[0])
            labels.append(fields[1].replace("QQ", "I-QQ"))
            spellings |= {fields[1] == "QQ"} if fields[1] not in ("O", "-") else set()
            if len(spellings) == 2:
                return None
        elif words or not (fields[0].startswith("#") or fields[0] == "-DOCSTART-"):
            return None
    return found


REGULAR_ROWS = ["a O", "b B-X", "c I-X", "g -", "- O", "# O", "k\u2028 B-Y", "\u00a0 O", "", "", ""]
ODD_ROWS = [" ", "\t", "d  O", " e O", "f\tO", "#x y z", "# c d", "-DOCSTART- O", "-DOCSTART-", "-DOCSTART- O O"]
WRONG_ROWS = ["h", "i O O", "j QQ", "j QQ"]  # the last one is wrong beside tags with positions
ROWS = st.sampled_from(REGULAR_ROWS * 3 + ODD_ROWS * 2 + WRONG_ROWS)


@given(st.lists(ROWS, max_size=30), st.booleans())
def test_bulk_reading_equals_naive_reading(rows: list[str], ends_with_newline: bool) -> None:
    text = "a O\n\n" + "\n".join(rows) + ("\n" if ends_with_newline else "")
    expected = naive_read(text)
    try:
        corpus = read_text(text, TWO_COLUMNS)
    except InputError:
        assert expected is None
        return
    assert expected == [
        (list(sentence.tokens), ["-" if label is None else label for label in sentence.labels]) for sentence in corpus
    ]
    lines = text.split("\n")
    for sentence in corpus:
        for token, word in enumerate(sentence.tokens):
            place = sentence.line_of(token).line
            assert place is not None
            assert word in lines[place - 1]


@given(st.binary(max_size=200))
def test_no_bytes_whatever_crash_the_reader(data: bytes) -> None:
    try:
        read_text(data)
    except InputError as error:
        assert "\n" not in str(error)


@given(labellings(4), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_line_ends_and_byte_order_marks_change_nothing(labels: tuple[str | None, ...], end: str, mark: bool) -> None:
    rows = [f"w{i} {label or '?'}" for i, label in enumerate(labels)]
    text = ("\ufeff" if mark else "") + end.join([*rows, "", "x O", "", ""])
    first, second = read_text(text, TWO_COLUMNS)
    assert (first.labels, second.tokens) == (labels, ("x",))


def test_gzip_and_declared_encodings(tmp_path: Path) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Müller B-PER\n\n".encode("latin-1"))
    (sentence,) = read(InputFile(latin, "latin-1"), ReadOptions(), unwatched)
    assert sentence.tokens == ("Müller",)


@given(st.lists(st.sampled_from(["a O", "b B-X", ""]), min_size=1, max_size=30), st.integers(1, 40))
def test_chunks_of_any_size_give_the_same_sentences(rows: list[str], size: int) -> None:
    content = "first O\n" + "".join(f"{row}\n" for row in rows)
    found = []
    for chunk in (size, 1 << 16):
        with pytest.MonkeyPatch.context() as patch, scratch_file(content.encode()) as file:
            patch.setattr(inputs, "CHUNK_BYTES", chunk)
            found.append(list(read(file, ReadOptions(), unwatched)))
    assert found[0] == found[1]
    assert [len(sentence) for sentence in found[0]] == [
        len(block.split("\n")) for block in re.split("\n\n+", content.strip("\n")) if block
    ]


def test_a_long_sentence_is_joined_once_and_not_with_every_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inputs, "CHUNK_BYTES", 64)
    joined: list[int] = []

    class Counted(str):
        def __radd__(self, other: str) -> str:  # adding chunk to chunk copies all before it
            joined.append(len(other))
            return other + str(self)

    with scratch_file(b"a O\n" * 5_000) as file:
        whole = [Counted(chunk) for chunk in file.chunks()]
        monkeypatch.setattr(InputFile, "chunks", lambda self: iter(whole))
        (sentence,) = read(file, ReadOptions(), unwatched)
    assert (len(sentence), sum(joined)) == (5_000, 0)
