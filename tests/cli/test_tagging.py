"""Training, scoring and predicting from the command line, in real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import trustag
from tests.cli.small import BELIEVING, write_splits
from tests.cli.test_commands import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus and a finished run on it."""
    place = tmp_path_factory.mktemp("tagging")
    write_splits(place, {"train": 120, "dev": 40, "test": 40})
    done = run("train", "train.conll", "--dev", "dev.conll", "--test", "test.conll", "-o", "run", *BELIEVING, cwd=place)
    assert done.returncode == 0, done.stderr
    return place


def test_a_run_tells_its_scores_and_what_to_do_next(folder: Path) -> None:
    done = run(
        "train", "train.conll", "--dev", "dev.conll", "-o", "told", *BELIEVING, "--set", "training.epochs=2", cwd=folder
    )
    assert "Trained a BiLSTM-CRF on 120 sentences, believing every label." in done.stdout
    assert "  trustag predict told TEXT" in done.stdout
    assert "epoch      loss   dev P   dev R  dev F1" in done.stderr
    again = run("train", "train.conll", "-o", "told", *BELIEVING, cwd=folder)
    assert again.returncode == 2
    assert "told: exists already; go on with --resume, start anew with --overwrite, or rename" in again.stderr


def test_epochs_and_result_as_json(folder: Path) -> None:
    done = run("train", "train.conll", "--dev", "dev.conll", "-o", "json", *BELIEVING, "--json", "-q", cwd=folder)
    *epochs, result = [json.loads(line) for line in done.stdout.splitlines()]
    assert [epoch["epoch"] for epoch in epochs] == list(range(len(epochs)))
    assert result["dev"]["f1"] == max(epoch["f1"] for epoch in epochs)
    assert done.stderr == ""


def test_evaluation_equals_prediction_then_scoring(folder: Path) -> None:
    evaluated = json.loads(run("evaluate", "run", "test.conll", "--json", "-q", cwd=folder).stdout)
    predicted = run("predict", "run", "test.conll", "--from", "conll", "--to", "conll", "-o", "out.conll", cwd=folder)
    assert predicted.returncode == 0, predicted.stderr
    scored = json.loads(run("score", "test.conll", "out.conll", "--json", "-q", cwd=folder).stdout)
    assert evaluated["overall_f1"] == scored["overall_f1"]
    manifest = json.loads((folder / "run" / "manifest.json").read_text())
    assert manifest["test"]["f1"] == scored["overall_f1"]


def test_texts_in_order_with_exact_offsets(folder: Path) -> None:
    texts = ["Ann met Bob in Paris.", "", "   ", "NASA  said:\tno \u200b comment 😀 Washington", "x"]
    done = run("predict", "run", "-", stdin="\n".join(texts) + "\n", cwd=folder)
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["text"] for record in records] == texts
    for record in records:
        assert len(record["tokens"]) == len(record["ner_tags"])
        starts = sum(tag.startswith("B-") for tag in record["ner_tags"])
        assert len(record["entities"]) == starts
        for entity in record["entities"]:
            assert record["text"][entity["start"] : entity["end"]] == entity["text"]
            assert 0 < entity["score"] <= 1


def test_tokens_stay_as_they_are_and_marginals_sum_to_one(folder: Path) -> None:
    done = run("predict", "run", "-", "--from", "tokens", "--marginals", stdin="U.S. v. O'Brien\n", cwd=folder)
    record = json.loads(done.stdout)
    assert record["tokens"] == ["U.S.", "v.", "O'Brien"]
    for token in record["marginals"]:
        assert sum(token.values()) == pytest.approx(1, abs=1e-5)


def test_the_python_interface_says_the_same(folder: Path) -> None:
    predictor = trustag.load(folder / "run")
    text = "Ann met Bob in Paris."
    (entities,) = predictor.predict(text)
    record = json.loads(run("predict", "run", "-", stdin=text + "\n", cwd=folder).stdout)
    assert [entity.text for entity in entities] == [entity["text"] for entity in record["entities"]]
    tokens = [record["tokens"], []]
    assert predictor.predict_tokens(tokens) == [tuple(record["ner_tags"]), ()]
    first, second = predictor.predict_marginals(tokens)
    assert first.shape == (len(record["tokens"]), len(predictor.labels))
    assert second.shape == (0, len(predictor.labels))


def test_an_interrupted_run_says_how_to_go_on(folder: Path) -> None:
    args = ["train", "train.conll", "--dev", "dev.conll", "-o", "stopped", *BELIEVING, "--set", "training.epochs=200"]
    command = [sys.executable, "-m", "trustag", *args]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    began = time.monotonic()
    while not (folder / "stopped" / "metrics.jsonl").exists() and time.monotonic() - began < 120:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "interrupted; go on with the same command and --resume (stopped)" in errors
    assert list((folder / "stopped" / "checkpoints").iterdir())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("train", "train.conll", "-o", "new"), "no word vectors are given; for English: trustag vectors get"),
        (("train", "train.conll", "-o", "new", "--vectors", "nope.txt"), "nope.txt: no such file, and no vectors"),
        (("train", "train.conll", "-o", "new", "--set", "training.epoch=1"), "did you mean 'training.epochs'?"),
        (("train", "train.conll", "-o", "new", "--recipe", "slow"), "no recipe called 'slow'"),
        (("evaluate", "train.conll", "test.conll"), "no model here"),
        (("predict", "run", "missing.txt"), "missing.txt: no such file"),
    ],
)
def test_bad_calls_are_one_line_and_leave_nothing(folder: Path, args: tuple[str, ...], message: str) -> None:
    done = run(*args, cwd=folder)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (folder / "new").exists()


def test_recipes_are_listed_explained_and_printed_in_full(tmp_path: Path) -> None:
    listed = run("recipes").stdout
    assert "training.epochs = 8   (whole number >= 1)" in listed
    printed = run("recipes", "paper").stdout
    (tmp_path / "mine.toml").write_text(printed)
    assert json.loads(run("recipes", str(tmp_path / "mine.toml"), "--json").stdout)["training"]["batch_size"] == 10


def test_hash_seeds_change_nothing(folder: Path) -> None:
    outcomes = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "trustag", "train", "train.conll", "-o", f"hash{seed}", *BELIEVING]
        command += ["--set", "training.epochs=1"]
        subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
        outcomes.add((folder / f"hash{seed}" / "model-last" / "weights.safetensors").read_bytes())
    assert len(outcomes) == 1
