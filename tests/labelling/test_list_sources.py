"""Lists are found in files and folders."""

from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.labelling.gazetteers import compile_lists
from trustag.labelling.list_sources import locate_lists, read_list, report_lists
from trustag.labelling.settings import ListSettings
from trustag.notes import Note


def test_a_folder_of_lists(tmp_path: Path) -> None:
    (tmp_path / "loc_cities.txt").write_text("Oslo\n")
    (tmp_path / "people.tsv").write_text("PER\tAnn\n")
    (tmp_path / "README.md").write_text("no list")
    lists = locate_lists([ListSettings(path=str(tmp_path))], frozenset({"the"}))
    assert [(one.name, one.type) for one in lists] == [("loc_cities", "LOC"), ("people", None)]
    notes: list[Note] = []
    report_lists(compile_lists([read_list(one) for one in lists]), lists, notes.append)
    assert [(note.reason, note.detail) for note in notes] == [("type of a list", "LOC, from the file name")]


def test_what_is_left_out_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the\n42\nOslo town\nroma\n")
    lists = locate_lists([ListSettings(path=str(tmp_path / "a.txt"), type="LOC")], frozenset({"the"}))
    notes: list[Note] = []
    report_lists(compile_lists([read_list(one) for one in lists]), lists, notes.append)
    assert {(note.kind, note.reason) for note in notes} == {
        ("left out", "forms that are stop words"),
        ("left out", "forms without letters"),
    }
    assert str(notes[0]).endswith("1 of 4 forms")


def test_names_of_lists_are_distinct(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.txt").write_text("LOC\tOslo\n")
    both = [ListSettings(path=str(tmp_path / folder)) for folder in ("a", "b")]
    with pytest.raises(InputError, match="two lists are called 'x'"):
        locate_lists(both, frozenset())
    named = [ListSettings(path=one.path, name=name) for one, name in zip(both, "ab", strict=True)]
    assert [one.name for one in locate_lists(named, frozenset())] == ["a-x", "b-x"]


def test_missing_lists_are_errors(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such list"):
        locate_lists([ListSettings(path=str(tmp_path / "none"))], frozenset())
    with pytest.raises(InputError, match="holds no list of names"):
        locate_lists([ListSettings(path=str(tmp_path))], frozenset())
