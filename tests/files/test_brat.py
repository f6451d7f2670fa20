"""brat: exact offsets whatever the line ends, every line kind accounted for, safe file names, and back again."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from tests.strategies import sentences, tokens
from trustag.errors import InputError
from trustag.files.brat import FORMAT
from trustag.files.brat_writing import file_name
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.notes import Note
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import read_spans

WHITESPACE = ReadOptions(tokenizer="whitespace")


def fill(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


def read(
    folder: Path, files: Mapping[str, str | bytes], split: str = "train", options: ReadOptions = WHITESPACE
) -> tuple[list[Sentence], list[str]]:
    fill(folder, files)
    notes: list[Note] = []
    found = list(FORMAT.read(folder, split, options, notes.append))
    return found, [str(note).replace(f"{folder}/", "") for note in notes]


def refusal(folder: Path, files: Mapping[str, str | bytes], split: str = "train") -> str:
    with pytest.raises(InputError) as caught:
        read(folder, files, split)
    complaint = str(caught.value)
    assert "\n" not in complaint
    return complaint.replace(f"{folder}/", "").replace(str(folder), "FOLDER")


def write(folder: Path, splits: Mapping[str, Sequence[Sentence]]) -> tuple[dict[str, str], list[str]]:
    notes: list[Note] = []
    FORMAT.write(splits, folder, WriteOptions(), notes.append)
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    files = {str(path.relative_to(folder)): path.read_bytes().decode() for path in paths}
    return files, [str(note) for note in notes]


def test_each_line_is_a_sentence_of_its_document(tmp_path: Path) -> None:
    files = {"news.txt": "John lives\n\nin York .\n", "news.ann": "T1\tPER 0 4\tJohn\nT2\tLOC 15 19\tYork\n"}
    found, notes = read(tmp_path, files)
    name = str(tmp_path / "news.txt")
    assert found == [
        Sentence(("John", "lives"), ("B-PER", "O"), source=Source(name, 1), document="news", gaps=("", " ", "")),
        Sentence(
            ("in", "York", "."), ("O", "B-LOC", "O"), source=Source(name, 3), document="news", gaps=("", *"  ", "")
        ),
    ]
    assert notes == []


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_offsets_stay_exact_with_any_line_end(tmp_path: Path, line_end: str) -> None:
    text = line_end.join(["😀 John", "lives", "York"])
    start = text.index("York")
    files = {"a.txt": text, "a.ann": f"T1\tPER 2 6\tJohn\nT2\tLOC {start} {start + 4}\tYork\n"}
    found, notes = read(tmp_path, files)
    assert [s.labels for s in found] == [("O", "B-PER"), ("O",), ("B-LOC",)]
    assert [s.source.line for s in found if s.source] == [1, 2, 3]
    assert notes == []


def test_an_entity_across_lines_keeps_its_sentence_whole(tmp_path: Path) -> None:
    files = {"a.txt": "in New\r\nYork now\nand", "a.ann": "T1\tLOC 3 6;8 12\tNew York\n"}
    found, notes = read(tmp_path, files)
    assert [s.text for s in found] == ["in New\r\nYork now", "and"]
    assert found[0].labels == ("O", "B-LOC", "I-LOC", "O")
    assert [s.source.line for s in found if s.source] == [1, 3]
    assert notes == []


def test_what_is_no_entity_is_counted_once_a_kind(tmp_path: Path) -> None:
    lines = [
        "T1\tPER 0 4\tJohn",
        "T2\tLOC 8 12;0 4\tYork John",
        "T3\tLOC 0 2;8 12\tJo York",
        "R1\tlives_in Arg1:T1 Arg2:T2",
        "R2\tlives_in Arg1:T1 Arg2:T2",
        "E1\tMove:T1",
        "A1\tSure T1",
        "M1\tNegation T1",
        "N1\tReference T1 Wikipedia:1\tJohn",
        "#1\tAnnotatorNotes T1\twho?",
        "*\tEquiv T1 T2",
        "",
    ]
    found, notes = read(tmp_path, {"a.txt": "John in York", "a.ann": "\n".join(lines)})
    assert found[0].labels == ("B-PER", "O", "O")
    assert notes == [
        "a.ann:2: dropped: discontinuous: LOC 'York John' at 8 12;0 4",
        "a.ann:3: dropped: discontinuous: LOC 'Jo York' at 0 2;8 12",
        "a.ann: left out: annotation other than an entity: relations, 2 times",
        "a.ann: left out: annotation other than an entity: events, once",
        "a.ann: left out: annotation other than an entity: attributes, once",
        "a.ann: left out: annotation other than an entity: modifications, once",
        "a.ann: left out: annotation other than an entity: normalisations, once",
        "a.ann: left out: annotation other than an entity: notes, once",
        "a.ann: left out: annotation other than an entity: equivalences, once",
    ]


def test_misfits_are_reported_at_their_line_of_the_annotations(tmp_path: Path) -> None:
    annotations = "T1\tPER 0 4\tJane\nT2\tLOC 9 12\tork\nT3\tLOC 8 99\tYork\n"
    found, notes = read(tmp_path, {"a.txt": "John in York", "a.ann": annotations})
    assert found[0].labels == ("B-PER", "O", "O", "B-LOC")
    assert notes == [
        "a.ann:1: suspicious: annotation differs from the text: PER 'Jane' should be at 0-4, where the text has 'John'",
        "a.ann:2: repaired: token split at the border of an entity: LOC 'ork' at 9-12 is part of 'York'",
        "a.ann:3: dropped: outside the text: LOC 'York' at 8-99; the text ends at 12",
    ]


def test_a_text_without_annotations_is_unlabelled_and_one_with_none_is_not(tmp_path: Path) -> None:
    found, notes = read(tmp_path, {"a.txt": "John", "b.txt": "York", "b.ann": "", "c.txt": "", "c.ann": ""})
    assert [(s.document, s.labels) for s in found] == [("a", (None,)), ("b", ("O",))]
    assert notes == ["a.txt:1: info: no labels: all labels of 'John' are unknown"]


def test_splits_are_folders_and_nested_documents_keep_their_path(tmp_path: Path) -> None:
    fill(tmp_path, {"train/x/a.txt": "a", "devel/b.txt": "b", "notes/readme.md": "", "train/.c.txt": "hidden"})
    assert FORMAT.splits(tmp_path) == ["train", "dev"]
    found, _ = read(tmp_path, {})
    assert [s.document for s in found] == ["x/a"]
    found, _ = read(tmp_path, {}, "dev")
    assert [s.document for s in found] == ["b"]


def test_a_folder_of_texts_is_one_split(tmp_path: Path) -> None:
    fill(tmp_path, {"a.txt": "a", "more/b.txt": "b"})
    assert FORMAT.splits(tmp_path) == ["train"]
    assert FORMAT.splits(tmp_path / "nowhere") == []


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        ({"a.txt": "a", "a.ann": "T1\tPER 0 1\ta\nT2 PER 0 1 a"}, "a.ann:2: 'T2 PER 0 1 a' is not an annotation; "),
        ({"a.txt": "a", "a.ann": "T1\tPER zero 1\ta"}, "a.ann:1: 'T1\\tPER zero 1\\ta' is not an annotation; "),
        ({"a.txt": "a", "a.ann": "T1\tPER 0 " + "9" * 5000}, "a.ann:1: 'T1\\tPER 0 9999"),
        ({"a.txt": "a", "a.ann": "hello"}, "a.ann:1: 'hello' is not an annotation; "),
        ({"a.txt": "a", "a.ann": b"T1\tPER 0 1\ta\n\xff"}, "a.ann:2: byte 0xff is not valid utf-8; "),
        ({"a.txt": b"a\n\xff", "a.ann": ""}, "a.txt:2: byte 0xff is not valid utf-8; "),
        ({"a.txt": "a", "b.ann": ""}, "b.ann: there is no text file for these annotations; "),
        ({"a.txt": "a", "train/b.txt": "b"}, "FOLDER: contains both texts and folders of splits; "),
        ({"train/a.txt": "a", "training/b.txt": "b"}, "FOLDER: both train and training exist; "),
        ({"dev/a.txt": "a"}, "FOLDER: no texts for the split 'train'; "),
        ({}, "FOLDER: no texts for the split 'train'; "),
    ],
)
def test_bad_folders_are_refused_with_their_location(
    tmp_path: Path, files: Mapping[str, str | bytes], complaint: str
) -> None:
    assert refusal(tmp_path, files).startswith(complaint)


def test_written_files_can_be_read_by_eye(tmp_path: Path) -> None:
    first = Sentence(("John", "lives"), ("B-PER", None), document="news")
    second = Sentence(("York",), ("B-LOC",), document="../other")
    third = Sentence(("Jane",), ("B-PER",), document="news")
    files, notes = write(tmp_path, {"train": [first, second, Sentence((), ()), third]})
    assert files == {
        "news.txt": "John lives\nJane\n",
        "news.ann": "T1\tPER 0 4\tJohn\nT2\t- 5 10\tlives\nT3\tPER 11 15\tJane\n",
        "%2E.%2Fother.txt": "York\n",
        "%2E.%2Fother.ann": "T1\tLOC 0 4\tYork\n",
    }
    assert notes == ["left out: sentence without tokens: brat cannot store it"]


def test_several_splits_get_folders_and_sentences_without_a_document_files_of_a_hundred(tmp_path: Path) -> None:
    sentence = Sentence(("a",), ("O",))
    files, _ = write(tmp_path, {"train": [sentence] * 101, "dev": [sentence]})
    assert {name: text.count("a") for name, text in files.items()} == {
        "train/document-00001.txt": 100,
        "train/document-00001.ann": 0,
        "train/document-00002.txt": 1,
        "train/document-00002.ann": 0,
        "dev/document-00001.txt": 1,
        "dev/document-00001.ann": 0,
    }


def test_a_named_split_alone_gets_a_folder_too(tmp_path: Path) -> None:
    write(tmp_path, {"dev": [Sentence(("a",), ("O",))]})
    assert FORMAT.splits(tmp_path) == ["dev"]


def test_token_boundaries_that_are_lost_are_reported(tmp_path: Path) -> None:
    touching = Sentence(("York", "."), ("B-LOC", "O"), gaps=("", "", ""))
    _, notes = write(tmp_path, {"train": [touching, Sentence(("a",), ("O",))]})
    assert notes == [
        "left out: token boundaries: 1 sentences have tokens not separated by spaces; readers may tokenize differently"
    ]


def test_an_entity_across_lines_is_written_as_fragments(tmp_path: Path) -> None:
    sentence = Sentence(("New", "York"), ("B-LOC", "I-LOC"), gaps=("\n", "\r\n", "\n"))
    files, _ = write(tmp_path, {"train": [sentence]})
    assert files["document-00001.ann"] == "T1\tLOC 1 4;6 10\tNew York\n"
    found, notes = read(tmp_path, {})
    assert [(s.tokens, s.labels, s.text) for s in found] == [(("New", "York"), ("B-LOC", "I-LOC"), "New\r\nYork")]
    assert notes == []


@pytest.mark.parametrize(
    ("sentence", "finding"),
    [
        (Sentence(("a\nb",), ("O",)), "token 'a\\nb' contains a line end"),
        (Sentence(("a", "b"), ("O", "O"), gaps=("", "\n", "")), "the sentence contains a line end"),
        (Sentence(("a", "b"), (None, None), gaps=("", "\n", "")), "the sentence contains a line end"),
        (Sentence(("a",), ("B-creative work",)), "entity type 'creative work' contains whitespace"),
        (Sentence(("\u00a0",), ("B-X",)), "an entity without visible characters"),
        (Sentence(("a\0",), ("O",)), "a NUL character or byte-order mark"),
        (Sentence(("\ufeffa",), ("O",)), "a NUL character or byte-order mark"),
        (Sentence(("\ud800",), ("O",)), "an unpaired surrogate cannot be written"),
        (Sentence(("a",), ("B--",)), "an entity has the type '-', which means unknown labels in span formats"),
    ],
)
def test_what_brat_cannot_store_is_an_error(tmp_path: Path, sentence: Sentence, finding: str) -> None:
    with pytest.raises(InputError) as caught:
        write(tmp_path, {"train": [replace(sentence, source=Source("in.txt", 3))]})
    assert str(caught.value).startswith(f"in.txt:3: {finding}")
    assert caught.value.remedy


@pytest.mark.parametrize("document", ["a" * 300, "\ud800"])
def test_document_names_that_no_file_can_have_are_refused(document: str) -> None:
    with pytest.raises(InputError, match="document name"):
        file_name(document)


def test_nothing_is_overwritten_and_no_odd_split_written(tmp_path: Path) -> None:
    fill(tmp_path, {"a.ann": ""})
    with pytest.raises(InputError, match="already exists"):
        write(tmp_path, {"train": [Sentence(("a",), ("O",), document="a")]})
    with pytest.raises(InputError, match="this format has no split '../up'"):
        write(tmp_path, {"../up": []})


@given(st.text(max_size=20))
def test_file_names_are_safe_and_tell_their_document(document: str) -> None:
    name = file_name(document)
    assert unquote(name) == document
    assert not name.startswith(".")
    assert not set(name) & set('/\\:*?"<>| \0')


@given(
    st.dictionaries(
        st.sampled_from(["train", "dev", "test"]),
        st.lists(
            st.tuples(sentences(gold=False, words=tokens()), st.sampled_from([None, "a/b", "c d", "é"])).map(
                lambda drawn: replace(drawn[0], document=drawn[1])
            ),
            min_size=1,
            max_size=5,
        ),
        min_size=1,
    )
)
def test_reading_gives_back_what_was_written(splits: dict[str, list[Sentence]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _, notes = write(folder, splits)
        assert notes == []
        assert set(FORMAT.splits(folder)) == set(splits)
        for split, written in splits.items():
            found, notes = read(folder, {}, split)
            assert notes == []
            key = "document-00001"
            expected = [(s.document or key, s.tokens, s.labels, s.text) for s in written]
            assert sorted(expected, key=lambda row: file_name(row[0])) == [
                (s.document, s.tokens, s.labels, s.text) for s in found
            ]


ANNOTATIONS = st.lists(
    st.sampled_from(
        ["T1\tPER 0 4\tJohn", "T2\tLOC 3 9", "T3\tLOC 4 2;1 3\t", "T4\t- 2 6", "R1", "#", "T", "\t", "T5\tX 0 99"]
    ),
    max_size=5,
).map("\n".join)


@given(st.text("John \r\n.😀", max_size=20) | st.binary(max_size=20), ANNOTATIONS | st.binary(max_size=30))
def test_only_input_errors_escape(text: str | bytes, annotations: str | bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        try:
            _, notes = read(Path(name), {"a.txt": text, "a.ann": annotations})
        except InputError as error:
            complaint = str(error)
            assert complaint.startswith(f"{name}/a.")
            assert "\n" not in complaint
        else:
            assert not any("\n" in note for note in notes)


ENTITY_LINES = st.builds(
    "T1\t{} {} {}\t".format, st.sampled_from(["PER", "LOC"]), st.integers(0, 12), st.integers(0, 12)
) | st.sampled_from(["T2\tLOC 0 1;3 4\t"])


@given(st.text("ab \r\n", max_size=12), st.lists(ENTITY_LINES, max_size=5))
def test_entities_in_the_file_are_entities_read_plus_entities_dropped(text: str, lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        found, notes = read(Path(name), {"a.txt": text, "a.ann": "\n".join(lines)})
    entities = sum(len(read_spans(sentence.labels)) for sentence in found)
    assert entities + sum(": dropped: " in note for note in notes) == len(lines)
