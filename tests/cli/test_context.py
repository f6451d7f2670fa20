"""Frozen features of a transformer from the command line, in real processes."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.small import BASELINE, TINY, settings, write_splits
from tests.cli.test_commands import run
from tests.models.tiny_transformers import save_bert

QUICK = settings("training.epochs=2", "method.rounds.fold_epochs=2", "method.rates.estimate_epochs=1")

pytestmark = pytest.mark.slow  # trains models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus, a tiny encoder, and a run with that encoder, which is gone afterwards."""
    place = tmp_path_factory.mktemp("context")
    write_splits(place, {"train": 40, "dev": 20, "test": 20})
    save_bert(place / "encoder")
    save_bert(place / "lent")
    options = ("--dev", "dev.conll", "--test", "test.conll", "--context", "lent", "--workers", "2")
    done = run("train", "train.conll", *options, "-o", "run", *TINY, *QUICK, cwd=place)
    assert done.returncode == 0, done.stderr
    assert "info: frozen features beside the word vectors: 16 numbers a token, from layer 1 of lent" in done.stderr
    shutil.rmtree(place / "lent")
    return place


def test_a_run_predicts_without_the_folder_it_read_from(folder: Path) -> None:
    evaluated = json.loads(run("evaluate", "run", "test.conll", "--json", "-q", cwd=folder).stdout)
    manifest = json.loads((folder / "run" / "manifest.json").read_text())
    assert evaluated["overall_f1"] == pytest.approx(manifest["test"]["f1"], abs=0.02)
    for command in (("predict", "run", "test.conll", "--from", "conll", "-o", "out.jsonl"), ("issues", "run")):
        done = run(*command, cwd=folder)
        assert done.returncode == 0, done.stderr


def test_only_what_a_run_is_for_is_left(folder: Path) -> None:
    left = {entry.name for entry in (folder / "run").iterdir()}
    assert not left & {"context", "checkpoints"}
    assert {entry.name for entry in (folder / "run" / "model-best" / "context").iterdir()} == {
        "context.json",
        "tokenizer.json",
        "transformer.json",
        "weights.safetensors",
    }


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--context", "no/such/folder"), "no/such/folder: no such folder; name the folder of a Hugging Face encoder"),
        (
            ("--context", "encoder", *settings("bilstm.context_layers=1,7")),
            "bilstm.context_layers names 7: the model has 2 layers; choose from 0 (embeddings) to 2, or -1 for",
        ),
        (
            ("--context", "encoder", *settings("model.encoder=transformer", "transformer.name=encoder")),
            "bilstm.context with model.encoder = 'transformer', which is one itself and learns; leave out the context",
        ),
    ],
)
def test_what_cannot_be_read_is_one_line_and_begins_no_run(
    folder: Path, options: tuple[str, ...], message: str
) -> None:
    done = run("train", "train.conll", "-o", "never", *BASELINE, *options, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (folder / "never").exists()
