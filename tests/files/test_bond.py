"""BOND folders as published and as written here, numbered tags and all."""

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.rich import TAGS, any_labels, any_words, reported, without_sources
from trustag.errors import InputError
from trustag.files.bond import FORMAT
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.notes import Note, unwatched
from trustag.text.sentences import Sentence, Source

NAMES = {"O": 0, "B-PER": 1, "I-PER": 2, "<START>": 3, "<STOP>": 4}


@st.composite
def storable(draw: st.DrawFn) -> Sentence:
    words = tuple(draw(st.lists(any_words(), max_size=4)))
    labels = any_labels(len(words))
    return Sentence(words, draw(labels), draw(st.none() | labels))


def stored(folder: Path, records: object, name: str = "train.json") -> Path:
    (folder / "tag_to_id.json").write_text(json.dumps(NAMES))
    (folder / name).write_text(json.dumps(records))
    return folder


def read(path: Path, split: str = "train", notes: list[Note] | None = None) -> list[Sentence]:
    return list(FORMAT.read(path, split, ReadOptions(), notes.append if notes is not None else unwatched))


def failure(path: Path, split: str = "train") -> str:
    with pytest.raises(InputError) as caught:
        read(path, split)
    message = str(caught.value)
    assert "\n" not in message
    return message.removeprefix(f"{path}").removeprefix("/")


@given(st.lists(storable(), max_size=3), st.lists(storable(), max_size=2))
def test_what_is_written_is_read_back(train: list[Sentence], dev: list[Sentence]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        FORMAT.write({"train": iter(train), "dev": iter(dev)}, folder, WriteOptions(tags=TAGS), unwatched)
        assert FORMAT.splits(folder) == ["train", "dev"]
        assert without_sources(read(folder, "train")) == train
        assert without_sources(read(folder, "dev")) == dev


def test_the_written_form(tmp_path: Path) -> None:
    sentence = Sentence(("Bob", "ran", "."), ("B-PER", "O", None), ("O", "O", "O"))
    FORMAT.write({"test": [sentence]}, tmp_path, WriteOptions(tags=("B-PER", "O", "I-PER")), unwatched)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["tag_to_id.json", "test.json"]
    assert json.loads((tmp_path / "tag_to_id.json").read_text()) == {"O": 0, "B-PER": 1, "I-PER": 2}
    assert json.loads((tmp_path / "test.json").read_text()) == [
        {"str_words": ["Bob", "ran", "."], "tags": [1, 0, -100], "gold_tags": [0, 0, 0]}
    ]


def test_a_published_file_is_read(tmp_path: Path) -> None:
    record = {"str_words": ["Bob", "Ott"], "words": [0, 0], "chars": [[1], [2]], "tags": [1, 2], "defs": [None, None]}
    notes: list[Note] = []
    found = read(stored(tmp_path, [record, record]), notes=notes)
    assert without_sources(found) == [Sentence(("Bob", "Ott"), ("B-PER", "I-PER"))] * 2
    assert [sentence.source for sentence in found] == [Source(str(tmp_path / "train.json"), row) for row in (1, 2)]
    assert reported(notes) == [f"left out: extra key: '{key}', 2 times" for key in ("words", "chars", "defs")]


def test_tags_may_be_called_tag(tmp_path: Path) -> None:
    (sentence,) = read(stored(tmp_path, [{"str_words": ["Bob"], "tag": [1], "tags_hp": [None]}]))
    assert sentence.labels == ("B-PER",)


@pytest.mark.parametrize("tag", [-1, -100, None])
def test_unknown_labels(tmp_path: Path, tag: object) -> None:
    (sentence,) = read(stored(tmp_path, [{"str_words": ["Bob"], "tags": [tag]}]))
    assert sentence.labels == (None,)


def test_dev_may_be_called_valid(tmp_path: Path) -> None:
    stored(tmp_path, [], "valid.json")
    assert FORMAT.splits(tmp_path) == ["dev"]
    assert read(tmp_path, "dev") == []
    stored(tmp_path, [], "dev.json")
    assert failure(tmp_path, "dev").endswith("both dev.json and valid.json exist; keep one of them")


def test_one_file_of_a_folder_is_a_corpus_too(tmp_path: Path) -> None:
    path = stored(tmp_path, [{"str_words": ["Bob"], "tags": [1]}], "test.json") / "test.json"
    assert FORMAT.splits(path) == ["test"]
    assert without_sources(read(path, "test")) == [Sentence(("Bob",), ("B-PER",))]


def test_a_folder_of_something_else_has_no_splits(tmp_path: Path) -> None:
    (tmp_path / "data.json").touch()
    assert FORMAT.splits(tmp_path) == []
    assert failure(tmp_path).endswith("no file for the split 'train'; a BOND folder has train.json")


def test_missing_names_are_an_error(tmp_path: Path) -> None:
    stored(tmp_path, [{"str_words": ["Bob"], "tags": [1]}])
    (tmp_path / "tag_to_id.json").unlink()
    assert (
        failure(tmp_path) == "tag_to_id.json: the tags are numbers, but this file with their names is missing; add it"
    )


@pytest.mark.parametrize(
    ("record", "finding"),
    [
        (
            {"str_words": ["a", "b"], "tags": [0, 9]},
            "train.json:2: token 2: tag number 9 is not among the 5 numbers with a name",
        ),
        ({"str_words": ["a"], "tags": [3]}, "train.json:2: token 1: unknown tag '<START>'"),
        ({"str_words": ["a"], "tags": []}, "train.json:2: 0 labels for 1 tokens"),
        ({"str_words": ["a"], "tags": [0], "gold_tags": []}, "train.json:2: 0 gold labels for 1 tokens"),
        ({"str_words": ["a"], "tags": [0.5]}, "train.json: record 2: Expected `int | str | null`, got `float`"),
        ({"str_words": [1], "tags": [0]}, "train.json: record 2: Expected `str`, got `int` - at `$.str_words[0]`"),
        ({"tags": [0]}, "train.json: record 2: Object missing required field `str_words`"),
        ({"str_words": ["a"]}, "train.json: record 2: Object missing required field `tags`"),
        ([], "train.json:1: Expected `object`, got `array`"),
    ],
)
def test_what_cannot_be_read_is_one_line_that_names_the_location(tmp_path: Path, record: object, finding: str) -> None:
    good = {"str_words": ["a"], "tags": [0]}
    assert failure(stored(tmp_path, [good, record])).startswith(finding)


@pytest.mark.parametrize("content", ["", "{}", "[", "[{}", "nonsense"])
def test_a_file_without_an_array_is_an_error(tmp_path: Path, content: str) -> None:
    stored(tmp_path, [])
    (tmp_path / "train.json").write_text(content)
    assert failure(tmp_path).startswith("train.json")


def test_a_label_that_is_not_among_the_tags_cannot_be_written(tmp_path: Path) -> None:
    sentence = Sentence(("a", "b"), ("O", "B-X"), source=Source("a.conll", 3, token_lines=True))
    with pytest.raises(InputError, match=r"^a\.conll:4: the label 'B-X' is not among the 2 tags to be written"):
        FORMAT.write({"train": [sentence]}, tmp_path, WriteOptions(tags=("O", "B-Y")), unwatched)


def test_a_split_that_the_format_lacks_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this format has no split 'all'; use train, dev or test"):
        FORMAT.write({"all": []}, tmp_path, WriteOptions(), unwatched)


@given(st.binary(max_size=40) | st.text('[]{}",:0str_words tags', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = stored(Path(name), [])
        for file in ("train.json", "tag_to_id.json"):
            (folder / file).write_bytes(content)
            try:
                read(folder)
            except InputError as error:
                assert str(error).startswith(name)
