"""``trustag recipes``: listed, explained and printed in full."""

import json
from pathlib import Path

from tests.cli.test_commands import run


def test_recipes_are_listed_explained_and_printed_in_full(tmp_path: Path) -> None:
    listed = run("recipes").stdout
    assert "training.epochs = 8   (whole number >= 1)" in listed
    printed = run("recipes", "paper").stdout
    (tmp_path / "mine.toml").write_text(printed)
    assert json.loads(run("recipes", str(tmp_path / "mine.toml"), "--json").stdout)["training"]["batch_size"] == 10
