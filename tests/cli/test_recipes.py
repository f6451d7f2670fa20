"""``trustag recipes``: listed, explained and printed in full."""

import json
from pathlib import Path

from tests.cli.test_commands import run


def test_recipes_are_listed_explained_and_printed_in_full(tmp_path: Path) -> None:
    listed = run("recipes").stdout
    assert "training.epochs = 16   (whole number >= 1)" in listed
    assert "method.rates.grid = { negative = [0.0, 0.2, 0.01], positive = [0.0, 0.2, 0.01], pairs = false }" in listed
    assert "[method.rounds] of the method confidence" in listed
    printed = run("recipes", "paper").stdout
    (tmp_path / "mine.toml").write_text(printed)
    assert json.loads(run("recipes", str(tmp_path / "mine.toml"), "--json").stdout)["training"]["batch_size"] == 10


def test_advanced_settings_are_listed_when_asked_for() -> None:
    few, every = run("recipes").stdout, run("recipes", "--all").stdout
    assert few.endswith("\ntrustag recipes --all lists advanced settings too.\n")
    for name in ("training.average", "method.parity.rounding", "bilstm.zero_digits"):
        assert f"  {name} = " not in few
        assert f"  {name} = " in every
    listed, whole = (json.loads(run("recipes", *more, "--json").stdout)["settings"] for more in ((), ("--all",)))
    assert [setting for setting in whole if not setting["advanced"]] == listed
    assert {setting["method"] for setting in whole} >= {"", "confidence", "self-training"}
