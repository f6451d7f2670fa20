"""A damaged or foreign folder is refused with one line that names the file."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from trustag.errors import InputError
from trustag.export.exported_folder import GRAPH, TABLES, read_description
from trustag.export.exported_tagger import ExportedTagger
from trustag.models.model_place import EXPORT_FILE as DESCRIPTION
from trustag.models.model_place import is_exported


@pytest.fixture
def copied(folders: dict[str, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(folders["usual"], tmp_path / "copy"))


def change(folder: Path, **values: object) -> None:
    facts = json.loads((folder / DESCRIPTION).read_text())
    (folder / DESCRIPTION).write_text(json.dumps({**facts, **values}))


@pytest.mark.parametrize(
    "values",
    [
        {"format": 99},
        {"positions": "QQ"},
        {"temperature": 0},
        {"temperature": float("nan")},
        {"types": [1]},
        {"weights": "float64"},
        {"learned": None},
        {"unheard_of": 1},
    ],
)
def test_a_wrong_description_is_refused(copied: Path, values: dict[str, object]) -> None:
    assert is_exported(copied)
    change(copied, **values)
    with pytest.raises(InputError) as refused:
        read_description(copied)
    assert refused.value.where == copied / DESCRIPTION


def test_tables_that_do_not_fit_are_refused(copied: Path) -> None:
    tables = load_file(copied / TABLES)
    for wrong in (
        {**tables, "words": tables["words"][1:]},
        {**tables, "start": np.zeros(1)},
        {name: table for name, table in tables.items() if name != "end"},
    ):
        save_file(wrong, copied / TABLES)
        with pytest.raises(InputError) as refused:
            ExportedTagger(copied)
        assert refused.value.where == copied / TABLES
    (copied / TABLES).write_bytes(b"no tensors")
    with pytest.raises(InputError, match="broken tables"):
        ExportedTagger(copied)


def test_a_broken_graph_is_refused(copied: Path) -> None:
    (copied / GRAPH).write_bytes((copied / GRAPH).read_bytes()[:1000])
    with pytest.raises(InputError) as refused:
        ExportedTagger(copied)
    assert refused.value.where == copied / GRAPH
    (copied / GRAPH).unlink()
    with pytest.raises(InputError):
        ExportedTagger(copied)
