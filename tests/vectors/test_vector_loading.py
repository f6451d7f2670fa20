"""Vectors by name: files before stored ones, sums side by side, and hints for what is not there."""

from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.vectors.sources import SOURCES
from trustag.vectors.storing import TEXT_FILE, StoredVectors, store
from trustag.vectors.vector_loading import load_vectors, locate_vectors, parts_of


def keep_text(name: str, text: str) -> None:
    description = StoredVectors(name, "made up", "none", "text", 0, 0, "0" * 64)

    def fill(folder: Path) -> None:
        (folder / TEXT_FILE).write_text(text)

    store(description, fill, overwrite=True)


def test_a_file_comes_before_stored_vectors_of_the_same_name(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keep_text("mine", "a 1 2\n")
    assert isinstance(locate_vectors("mine"), StoredVectors)
    assert load_vectors("mine", ["a"]).matrix.tolist() == [[1, 2]]
    (tmp_path / "mine").write_text("a 3 4\n")
    assert isinstance(locate_vectors("mine"), InputFile)
    assert load_vectors("mine", ["a"]).matrix.tolist() == [[3, 4]]


def test_names_joined_by_a_plus_give_their_values_side_by_side(cache: Path) -> None:
    keep_text("first", "a 1 2\nb 3 4\n")
    keep_text("second", "a 5\nc 6\n")
    both = load_vectors("first+second", ["a", "b", "c"])
    found = {word: both.matrix[row].tolist() for word in "abc" if (row := both.find(word)) is not None}
    assert found == {"a": [1, 2, 5], "b": [3, 4, 0], "c": [0, 0, 6]}


def test_only_wanted_words_and_the_first_entries_are_kept(cache: Path) -> None:
    keep_text("mine", "a 1\nb 2\nc 3\nd 4\n")
    assert load_vectors("mine", ["c"]).words == ("c",)
    assert load_vectors("mine", ["c"], also_first=2).words == ("a", "b", "c")
    assert load_vectors("mine", None).words == ("a", "b", "c", "d")


def test_a_plus_in_the_name_of_a_file_joins_nothing(tmp_path: Path) -> None:
    file = tmp_path / "a+b.txt"
    assert parts_of(str(file)) == [str(tmp_path / "a"), "b.txt"]
    file.write_text("a 1\n")
    assert parts_of(str(file)) == [str(file)]


def test_what_is_not_there_is_an_error_that_says_how_to_get_it(cache: Path) -> None:
    name = next(iter(SOURCES))
    with pytest.raises(InputError, match=f"trustag vectors get {name}"):
        load_vectors(name, [])
    with pytest.raises(InputError, match=name):
        load_vectors(name[:-1], [])
    keep_text("mine", "a 1\n")
    with pytest.raises(InputError):
        load_vectors("../vectors/mine", [])
