"""``trustag evaluate``: the same scores as predicting and scoring."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run

pytestmark = pytest.mark.slow  # trains models


def test_evaluation_equals_prediction_then_scoring(tagged: Path) -> None:
    evaluated = json.loads(run("evaluate", "run", "test.conll", "--json", "-q", cwd=tagged).stdout)
    predicted = run("predict", "run", "test.conll", "--from", "conll", "--to", "conll", "-o", "out.conll", cwd=tagged)
    assert predicted.returncode == 0, predicted.stderr
    scored = json.loads(run("score", "test.conll", "out.conll", "--json", "-q", cwd=tagged).stdout)
    assert evaluated["overall_f1"] == scored["overall_f1"]
    manifest = json.loads((tagged / "run" / "manifest.json").read_text())
    assert manifest["test"]["f1"] == scored["overall_f1"]
