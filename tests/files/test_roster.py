"""RoSTER folders: parallel lines of words and labels that must agree."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.rich import TAGS, any_labels, reported, without_sources
from tests.strategies import tokens
from trustag.errors import InputError
from trustag.files.formats import ReadOptions, WriteOptions
from trustag.files.roster import FORMAT
from trustag.notes import Note, unwatched
from trustag.text.sentences import Sentence, Source


def stored(folder: Path, **files: str) -> Path:
    for name, content in files.items():
        (folder / f"{name}.txt").write_text(content)
    return folder


def files_in(folder: Path) -> dict[str, str]:
    return {path.stem: path.read_text() for path in sorted(folder.iterdir())}


def read(folder: Path, split: str = "train") -> list[Sentence]:
    return list(FORMAT.read(folder, split, ReadOptions(), unwatched))


def write(folder: Path, tags: tuple[str, ...] = (), **splits: list[Sentence]) -> list[Note]:
    notes: list[Note] = []
    FORMAT.write({split: iter(held) for split, held in splits.items()}, folder, WriteOptions(tags=tags), notes.append)
    return notes


def failure(folder: Path, split: str = "train") -> str:
    with pytest.raises(InputError) as caught:
        read(folder, split)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(f"{folder}/", "")


@st.composite
def storable(draw: st.DrawFn, gold: bool) -> Sentence:
    words = tuple(draw(st.lists(tokens(), max_size=4)))
    labels = any_labels(len(words))
    return Sentence(words, draw(labels), draw(labels) if gold else None)


@given(st.data(), st.booleans(), st.sampled_from(["train", "dev", "test"]))
def test_what_is_written_is_read_back(data: st.DataObject, gold: bool, split: str) -> None:
    sentences = data.draw(st.lists(storable(gold=gold), min_size=1, max_size=3))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert write(folder, tags=TAGS, **{split: sentences}) == []
        assert FORMAT.splits(folder) == [split]
        assert without_sources(read(folder, split)) == sentences


def test_the_written_form(tmp_path: Path) -> None:
    plain = Sentence(("Bob", "ran"), ("B-PER", None))
    gold = Sentence(("Rome",), ("O",), ("B-LOC",))
    assert write(tmp_path, train=[gold], dev=[plain], test=[]) == []
    assert files_in(tmp_path) == {
        "train_text": "Rome\n",
        "train_label_dist": "O\n",
        "train_label_true": "B-LOC\n",
        "valid_text": "Bob ran\n",
        "valid_label_true": "B-PER UNK\n",
        "test_text": "",
        "test_label_true": "",
        "types": "LOC\nPER\n",
    }


def test_training_labels_without_gold_are_distant_ones(tmp_path: Path) -> None:
    write(tmp_path, train=[Sentence(("a",), ("O",))])
    assert files_in(tmp_path) == {"train_text": "a\n", "train_label_dist": "O\n", "types": ""}


def test_types_may_be_given_in_advance(tmp_path: Path) -> None:
    write(tmp_path, tags=("O", "I-X", "B-X"), train=[Sentence(("a",), ("B-Y",))])
    assert files_in(tmp_path)["types"] == "X\nY\n"


def test_gold_in_some_sentences_only_is_unknown_in_the_others_and_reported(tmp_path: Path) -> None:
    notes = write(tmp_path, train=[Sentence(("a",), ("O",)), Sentence(("b",), ("O",), ("B-X",))])
    assert files_in(tmp_path)["train_label_true"] == "UNK\nB-X\n"
    assert reported(notes) == [
        "info: some sentences have no gold labels: 1 of 2 sentences of train; their gold labels are written as unknown"
    ]


def test_given_and_gold_labels_are_distinguished(tmp_path: Path) -> None:
    stored(tmp_path, train_text="Bob  ran\n", train_label_dist="O\tO\n", train_label_true="B-PER O\n")
    (sentence,) = read(tmp_path)
    assert sentence == Sentence(
        ("Bob", "ran"), ("O", "O"), ("B-PER", "O"), source=Source(str(tmp_path / "train_text.txt"), 1)
    )


@pytest.mark.parametrize("kind", ["dist", "true"])
def test_the_only_labels_are_the_labels(tmp_path: Path, kind: str) -> None:
    stored(tmp_path, valid_text="a\n", **{f"valid_label_{kind}": "UNK"})
    assert without_sources(read(tmp_path, "dev")) == [Sentence(("a",), (None,))]


def test_dev_may_be_called_dev(tmp_path: Path) -> None:
    stored(tmp_path, dev_text="a\n", dev_label_true="O\n")
    assert FORMAT.splits(tmp_path) == ["dev"]
    assert len(read(tmp_path, "dev")) == 1
    stored(tmp_path, valid_text="b\n")
    assert failure(tmp_path, "dev").endswith("both valid_text.txt and dev_text.txt exist; keep one of them")


def test_a_blank_line_is_an_empty_sentence(tmp_path: Path) -> None:
    stored(tmp_path, train_text="a\n\nb\n\n", train_label_true="O\n \nO")
    assert [sentence.tokens for sentence in read(tmp_path)] == [("a",), (), ("b",), ()]


def test_too_few_labels_are_an_error_that_names_both_lines(tmp_path: Path) -> None:
    stored(tmp_path, train_text="a\nb c\n", train_label_dist="O\nO\n")
    assert failure(tmp_path) == (
        "train_label_dist.txt:2: 1 labels, but train_text.txt:2 has 2 tokens; give one label per token"
    )


@pytest.mark.parametrize(("text", "labels", "finding"), [("a\n", "O\nO\n", "1 labels"), ("a\nb\n", "O\n", "0 labels")])
def test_files_of_different_lengths_are_an_error(tmp_path: Path, text: str, labels: str, finding: str) -> None:
    stored(tmp_path, train_text=text, train_label_true=labels)
    assert failure(tmp_path).startswith(f"train_label_true.txt:2: {finding}, but train_text.txt:2 has")


def test_a_label_that_is_none_is_an_error(tmp_path: Path) -> None:
    stored(tmp_path, train_text="a\nb\n", train_label_true="O\nP-ER\n")
    assert failure(tmp_path).startswith("train_label_true.txt:2: unknown tag 'P-ER'; tags are O, B-TYPE")


def test_a_text_without_labels_is_an_error(tmp_path: Path) -> None:
    stored(tmp_path, train_text="a\n")
    assert failure(tmp_path) == (
        "train_text.txt: the text has no labels; add train_label_dist.txt or train_label_true.txt"
    )


def test_a_folder_of_something_else_has_no_splits(tmp_path: Path) -> None:
    stored(tmp_path, train="a\n")
    assert FORMAT.splits(tmp_path) == []
    assert failure(tmp_path).endswith("no text file for the split 'train'; a RoSTER folder has train_text.txt")


@pytest.mark.parametrize("word", ["a b", "a\u00a0b", "\u2028", "a\n"])
def test_a_token_with_whitespace_cannot_be_written(tmp_path: Path, word: str) -> None:
    with pytest.raises(InputError) as caught:
        write(tmp_path, train=[Sentence(("x", word), ("O", "O"), source=Source("a.conll", 7))])
    assert str(caught.value) == (
        f"a.conll:7: the token {word!r} contains whitespace; this format cannot store it; write jsonl instead"
    )


def test_an_empty_token_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="^sentence 'x ': the token '' is empty; this format cannot store it"):
        write(tmp_path, train=[Sentence(("x", ""), ("O", "O"))])


def test_a_label_with_whitespace_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the label 'B-x y' contains whitespace"):
        write(tmp_path, train=[Sentence(("x",), ("B-x y",))])


def test_an_unpaired_surrogate_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="^a: an unpaired surrogate cannot be written"):
        write(tmp_path, train=[Sentence(("\ud800",), ("O",), source=Source("a"))])


def test_a_byte_order_mark_in_the_first_token_survives(tmp_path: Path) -> None:
    sentences = [Sentence(("\ufeffa",), ("O",))] * 2
    write(tmp_path, train=sentences)
    assert without_sources(read(tmp_path)) == sentences


def test_a_split_that_the_format_lacks_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this format has no split 'all'; use train, dev or test"):
        write(tmp_path, all=[])


@given(st.binary(max_size=30), st.binary(max_size=30))
def test_any_bytes_are_read_or_refused(text: bytes, labels: bytes) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "train_text.txt").write_bytes(text)
        (folder / "train_label_dist.txt").write_bytes(labels)
        try:
            read(folder)
        except InputError as error:
            assert str(error).startswith(name)
