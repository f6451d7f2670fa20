"""Documents in brat's two files: offsets spell the entities, names become safe file names, nothing is overwritten."""

import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.files.brat_writing import file_name, write_documents
from trustag.notes import Note
from trustag.text.sentences import Sentence


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20))
def test_a_file_name_says_the_document_and_nothing_else(document: str) -> None:
    name = file_name(document)
    assert unquote(name) == document
    assert not set("/\\\0 :") & set(name)
    assert not name.startswith(".")


@given(st.text(min_size=1, max_size=6), st.text(min_size=1, max_size=6))
def test_different_documents_have_different_files(first: str, second: str) -> None:
    try:
        names = file_name(first), file_name(second)
    except InputError:
        assert any("\ud800" <= character <= "\udfff" for character in first + second)
        return
    assert (names[0] == names[1]) == (first == second)


def test_a_name_no_disk_takes_is_refused() -> None:
    with pytest.raises(InputError, match="name"):
        file_name("x" * 300)


PLACES = [
    Sentence(("Ann", "saw", "New", "York"), ("B-PER", "O", "B-LOC", "I-LOC"), document="a"),
    Sentence(("Bo",), ("B-PER",), document="b"),
    Sentence(("in", "Rome", "."), ("O", "B-LOC", "O"), document="a", gaps=("", "  ", "", "")),
]


def test_offsets_spell_the_entities_whatever_order_documents_come_in(tmp_path: Path) -> None:
    write_documents(PLACES, tmp_path, lambda _: None)
    assert {path.name for path in tmp_path.iterdir()} == {"a.txt", "a.ann", "b.txt", "b.ann"}
    found = {}
    for name in "ab":
        text = (tmp_path / f"{name}.txt").read_text()
        lines = (tmp_path / f"{name}.ann").read_text().splitlines()
        parsed = [re.fullmatch(r"(T\d+)\t(\S+) (\d+) (\d+)\t(.*)", line) for line in lines]
        groups = [match.groups() for match in parsed if match]
        assert len(groups) == len(lines)
        assert all(text[int(start) : int(end)] == words for _, _, start, end, words in groups)
        assert [number for number, *_ in groups] == [f"T{number}" for number in range(1, len(groups) + 1)]
        found[name] = [(kind, words) for _, kind, _, _, words in groups]
    assert found == {"a": [("PER", "Ann"), ("LOC", "New York"), ("LOC", "Rome")], "b": [("PER", "Bo")]}


def test_files_that_are_there_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "b.ann").write_text("mine")
    with pytest.raises(InputError, match="b.txt"):
        write_documents(PLACES, tmp_path, lambda _: None)
    assert (tmp_path / "b.ann").read_text() == "mine"


def test_sentences_without_a_document_are_kept_together_by_the_hundred(tmp_path: Path) -> None:
    notes: list[Note] = []
    sentences = [Sentence(("a",), ("O",)) for _ in range(101)]
    write_documents([*sentences, Sentence((), ())], tmp_path, notes.append)
    counts = sorted(path.read_text().count("\n") for path in tmp_path.glob("*.txt"))
    assert counts == [1, 100]
    assert len(notes) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        Sentence(("a",), ("B-two words",)),
        Sentence(("a\0",), ("O",)),
        Sentence(("\ufeffa",), ("O",)),
        Sentence(("\ud800",), ("O",)),
        Sentence(("a", "b"), ("O", "O"), gaps=("", "\n", "")),
    ],
    ids=["type with a blank", "NUL", "byte-order mark", "half a pair", "line end"],
)
def test_what_would_not_come_back_is_refused(sentence: Sentence, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        write_documents([sentence], tmp_path, lambda _: None)
