"""``trustag compare`` in real processes."""

import json
from pathlib import Path

from tests.cli.test_commands import run
from tests.reports.written import Assessed, FullRun

SENTENCES = [[Assessed("Ann", "S-PER", "S-PER", "S-PER"), Assessed("Rome", "O", "S-LOC", "S-LOC", trusted=False)]]


def test_runs_side_by_side_on_the_screen_in_a_file_and_as_json(tmp_path: Path) -> None:
    FullRun(SENTENCES, seed=1).write(tmp_path / "one")
    FullRun(SENTENCES, seed=2, recipe="[training]\nseed = 2\n[rounds]\ncount = 1\n").write(tmp_path / "two")
    shown = run("compare", "one", "two", "-o", "page.html", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert ["test", "F1", "74.67", "74.67"] in lines
    assert ["training.seed", "1", "2"] in lines
    assert (tmp_path / "page.html").exists()
    numbers = json.loads(run("compare", "one", "two", "--json", cwd=tmp_path).stdout)
    assert [entry["seed"] for entry in numbers["runs"]] == [1, 2]
    assert numbers["differing"] == {"training.seed": [1, 2]}
    refused = run("compare", "one", "two", "-o", "page.html", cwd=tmp_path)
    assert refused.returncode == 2


def test_settings_inside_tables_are_compared_one_by_one(tmp_path: Path) -> None:
    for name, count in (("one", 1), ("two", 3)):
        recipe = f'[method]\nname = "confidence"\n[method.rounds]\ncount = {count}\nfolds = 2\n'
        FullRun(SENTENCES, recipe=recipe).write(tmp_path / name)
    numbers = json.loads(run("compare", "one", "two", "--json", cwd=tmp_path).stdout)
    assert numbers["differing"] == {"method.rounds.count": [1, 3]}
