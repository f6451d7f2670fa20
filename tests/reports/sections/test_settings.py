"""Every setting, fact and file of a run has its row, under its full name."""

import json
import tomllib
from pathlib import Path
from typing import Any

from tests.reports.random_run import SENTENCES, tables
from tests.reports.written import FullRun
from trustag.reports.sections.settings import settings_section


def leaves(value: Any, name: tuple[str, ...] = ()) -> dict[str, Any]:
    if isinstance(value, dict):
        return {full: leaf for key, own in value.items() for full, leaf in leaves(own, (*name, key)).items()}
    return {".".join(name): value}


def test_recipe_and_manifest_are_read_back_from_their_tables(tmp_path: Path) -> None:
    recipe = '[training]\nseed = 1\nname = "a b"\nrates = [0.5, 1]\n[rounds]\ncount = 1\n'
    run = FullRun(SENTENCES, recipe=recipe).open(tmp_path / "run")
    settings, manifest, _ = tables(settings_section(run))
    for table, expected in (
        (settings, tomllib.loads(recipe)),
        (manifest, json.loads((run.path / "manifest.json").read_text())),
    ):
        rows = {str(name): str(value) for name, value in table.rows}
        wanted = leaves(expected)
        assert set(rows) == set(wanted)
        for name, value in wanted.items():
            assert rows[name] == value if isinstance(value, str) else json.loads(rows[name]) == value


def test_every_file_has_its_size_and_hidden_ones_are_not_shown(tmp_path: Path) -> None:
    run = FullRun(SENTENCES).open(tmp_path / "run")
    (run.path / ".hidden").write_text("x")
    files = {str(name): str(size) for name, size in tables(settings_section(run))[2].rows}
    assert set(files) == {
        path.name + "/" * path.is_dir() for path in run.path.iterdir() if not path.name.startswith(".")
    }
    for path in run.path.iterdir():
        if path.is_file() and path.name != ".hidden":
            assert int(files[path.name].split()[0].replace(",", "")) == path.stat().st_size
