"""Lists of names are read from every shape; what is no list is an error that names the line."""

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from trustag.errors import InputError
from trustag.labelling.name_lists import ListedName, read_forms, type_of_file_name

EXPECTED = [ListedName("New York", "LOC"), ListedName("Ann, Dr.", "PER")]


def in_lines(path: Path) -> Path:
    path = path / "list.txt"
    path.write_text("LOC\tNew York\n\nPER\tAnn, Dr.\n")
    return path


def in_a_table(path: Path) -> Path:
    path = path / "list.csv"
    path.write_text('Type,Form\nLOC,New York\nPER,"Ann, Dr."\n')
    return path


def in_json(path: Path) -> Path:
    path = path / "list.json"
    path.write_text(json.dumps({"LOC": ["New York"], "PER": ["Ann, Dr."]}))
    return path


def in_json_lines(path: Path) -> Path:
    path = path / "list.jsonl"
    path.write_text('{"name": "New York", "label": "LOC"}\n\n{"form": "Ann, Dr.", "type": "PER", "weight": 1}\n')
    return path


def packed(path: Path) -> Path:
    path = path / "list.tsv.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbfLOC\tNew York\r\nPER\t Ann, Dr. \r\n"))
    return path


@pytest.mark.parametrize("write", [in_lines, in_a_table, in_json, in_json_lines, packed])
def test_every_shape_says_the_same(tmp_path: Path, write: Callable[[Path], Path]) -> None:
    assert list(read_forms(write(tmp_path))) == EXPECTED


def test_forms_without_a_type_have_the_given_one(tmp_path: Path) -> None:
    path = tmp_path / "list.txt"
    path.write_text("Ann\nLOC\tOslo\n")
    assert list(read_forms(path, "PER")) == [ListedName("Ann", "PER"), ListedName("Oslo", "LOC")]
    assert list(read_forms(path, "unknown")) == [ListedName("Ann", None), ListedName("Oslo", "LOC")]
    (tmp_path / "list.json").write_text('["Ann", {"text": "Oslo", "weight": 2.5}]')
    assert list(read_forms(tmp_path / "list.json", "PER")) == [ListedName("Ann", "PER"), ListedName("Oslo", "PER", 2.5)]


@pytest.mark.parametrize(
    ("name", "content", "finding"),
    [
        ("list.txt", "LOC\tOslo\nAnn\n", "list.txt:2: no type is given for 'Ann'"),
        ("list.txt", "A B\tOslo\n", "list.txt:1: the type 'A B' contains a space"),
        ("list.csv", "a,b\nx,y\n", "list.csv:1: no column of names"),
        ("list.csv", "form,type,weight\nx,PER,many\n", "list.csv:2: the weight 'many' is not a positive number"),
        ("list.csv", 'form,type\n"x,PER\n', "not a table"),
        ("list.json", "{", "list.json: not valid JSON"),
        ("list.json", '{"PER": "Ann"}', "list.json: not a list of names"),
        ("list.json", "3", "not a list of names"),
        ("list.jsonl", '{"form": 3}\n', "list.jsonl:1: not a list of names"),
        ("list.jsonl", '{"form": "x", "type": "PER", "weight": -1}', "not a positive number"),
    ],
)
def test_what_is_no_list_is_an_error_with_its_place(tmp_path: Path, name: str, content: str, finding: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError) as caught:
        list(read_forms(tmp_path / name))
    assert finding in str(caught.value)
    assert caught.value.remedy


def test_only_usual_types_are_read_from_file_names() -> None:
    names = ["PER.txt", "loc-cities.txt", "organisation_banks.csv", "cities.txt", "personal.txt"]
    assert [type_of_file_name(name) for name in names] == ["PER", "LOC", "ORG", None, None]
