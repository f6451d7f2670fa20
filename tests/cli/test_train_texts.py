"""``trustag train --label-with``: from raw text to a model with one command."""

import json
from pathlib import Path

import pytest

from tests.cli.test_commands import run

SMALL = ("--set", "bilstm.random_vectors=true", "--set", "training.epochs=1", "--set", "bilstm.hidden=8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [f"{name} lives in Oslo near {place}." for name in ("Ann Weber", "Bob Day") for place in ("Bergen", "Kiel")]
    (tmp_path / "text.txt").write_text("\n".join(lines * 8) + "\n")
    (tmp_path / "places.txt").write_text("LOC\tOslo\nLOC\tBergen\n")
    (tmp_path / "label.toml").write_text(
        'candidates = "capitals"\nrules = ["en"]\nsentences = "lines"\ntokenizer = "regex"\n'
        '[[gazetteer]]\npath = "places.txt"\n'
    )
    return tmp_path


@pytest.mark.slow
def test_texts_become_a_model(folder: Path) -> None:
    method = ("--method", "bilstm-crf", "--workers", "1")
    done = run("train", "text.txt", "--label-with", "label.toml", "-o", "run", *method, *SMALL, cwd=folder)
    assert done.returncode == 0, done.stderr
    tagged = run("predict", "run", "Ann Weber lives in Oslo near Kiel .", "--json", cwd=folder)
    assert len(json.loads(tagged.stdout)["ner_tags"]) == 8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["text.txt", "text.txt"], "several texts need --label-with"),
        (["text.txt", "--label-with", "none.toml"], "none.toml: no such file"),
        (["places.txt", "--label-with", "label.toml", "--from", "jsonl"], "places.txt"),
    ],
)
def test_errors_before_any_work(folder: Path, arguments: list[str], message: str) -> None:
    done = run("train", *arguments, "-o", "run", cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (folder / "run" / "model").exists()
