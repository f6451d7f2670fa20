"""Compiled gazetteers come back as they were; damaged ones are compiled again."""

import json
from pathlib import Path

import numpy as np
import pytest

from trustag.errors import InputError
from trustag.labelling import compiled_cache
from trustag.labelling.compiled_cache import gazetteer_of, load_gazetteer, save_gazetteer
from trustag.labelling.gazetteers import CompiledGazetteer
from trustag.labelling.list_sources import LocatedList, locate_lists
from trustag.labelling.settings import ListSettings
from trustag.notes import Note, unwatched


@pytest.fixture
def lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[LocatedList, ...]:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    (tmp_path / "places.txt").write_text("LOC\tOslo\nLOC\tNew York\nunknown\tAcme\n")
    return locate_lists([ListSettings(path=str(tmp_path / "places.txt"))], frozenset())


def same(one: CompiledGazetteer, other: CompiledGazetteer) -> bool:
    names = one.arrays.__slots__
    return (one.lists, one.types) == (other.lists, other.types) and all(
        np.array_equal(getattr(one.arrays, name), getattr(other.arrays, name)) for name in names
    )


def test_a_second_time_it_is_read(lists: tuple[LocatedList, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    first = gazetteer_of(lists, unwatched)
    monkeypatch.setattr(compiled_cache, "compile_lists", None)  # would fail if it were compiled
    assert same(gazetteer_of(lists, unwatched), first)


def test_changed_lists_are_compiled_again(lists: tuple[LocatedList, ...]) -> None:
    assert len(gazetteer_of(lists, unwatched)) == 3
    lists[0].path.write_text("LOC\tOslo\n")
    assert len(gazetteer_of(lists, unwatched)) == 1


@pytest.mark.parametrize("file", ["arrays.safetensors", "lists.json"])
def test_damage_is_told_and_mended(lists: tuple[LocatedList, ...], file: str) -> None:
    first = gazetteer_of(lists, unwatched)
    (folder,) = compiled_cache.gazetteers_folder().iterdir()
    (folder / file).write_bytes((folder / file).read_bytes()[:-7])
    notes: list[Note] = []
    assert same(gazetteer_of(lists, notes.append), first)
    assert [note.reason for note in notes] == ["damaged compiled gazetteer"]
    assert same(load_gazetteer(folder), first)


def test_numbers_out_of_range_are_refused(lists: tuple[LocatedList, ...], tmp_path: Path) -> None:
    save_gazetteer(gazetteer_of(lists, unwatched), tmp_path / "one")
    facts = json.loads((tmp_path / "one" / "lists.json").read_text())
    (tmp_path / "one" / "lists.json").write_text(json.dumps(facts | {"types": ["LOC"]}))
    with pytest.raises(InputError, match="out of range"):
        load_gazetteer(tmp_path / "one")


def test_the_oldest_are_forgotten(lists: tuple[LocatedList, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_cache, "_KEPT", 2)
    for number in range(4):
        lists[0].path.write_text(f"LOC\tOslo {number}x\n")
        gazetteer_of(lists, unwatched)
    assert len(list(compiled_cache.gazetteers_folder().iterdir())) == 2
