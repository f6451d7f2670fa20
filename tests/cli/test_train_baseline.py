"""``trustag train`` on the labels as given, in real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.small import BASELINE
from tests.cli.test_commands import run

pytestmark = pytest.mark.slow  # trains models


def test_a_run_shows_its_scores_and_next_steps(tagged: Path) -> None:
    done = run(
        "train", "train.conll", "--dev", "dev.conll", "-o", "taken", *BASELINE, "--set", "training.epochs=2", cwd=tagged
    )
    assert "Trained a BiLSTM-CRF on 120 sentences, baseline (labels as given)." in done.stdout
    assert "  trustag predict taken TEXT" in done.stdout
    assert "1 of 1  Training" in done.stderr
    again = run("train", "train.conll", "-o", "taken", *BASELINE, cwd=tagged)
    assert again.returncode == 2
    assert "taken: already exists; continue with --resume, start anew with --overwrite, or rename" in again.stderr


def test_epochs_and_result_as_json(tagged: Path) -> None:
    done = run("train", "train.conll", "--dev", "dev.conll", "-o", "json", *BASELINE, "--json", "-q", cwd=tagged)
    *epochs, result = [json.loads(line) for line in done.stdout.splitlines()]
    assert epochs.pop(0)["stage"] == "as-given"
    assert [epoch["epoch"] for epoch in epochs] == list(range(len(epochs)))
    assert result["dev"]["f1"] == max(epoch["f1"] for epoch in epochs)
    assert done.stderr == ""


def test_an_interrupted_run_says_how_to_resume(tagged: Path) -> None:
    args = ["train", "train.conll", "--dev", "dev.conll", "-o", "stopped", *BASELINE, "--set", "training.epochs=200"]
    command = [sys.executable, "-m", "trustag", *args]
    process = subprocess.Popen(command, cwd=tagged, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    began = time.monotonic()
    while not (tagged / "stopped" / "jobs" / "as-given" / "metrics.jsonl").exists() and time.monotonic() - began < 120:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "interrupted; continue with the same command and --resume (stopped)" in errors
    assert list((tagged / "stopped" / "jobs" / "as-given" / "checkpoints").iterdir())


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("train", "train.conll", "-o", "new"), "no word vectors are given; for English, run trustag vectors get"),
        (("train", "train.conll", "-o", "new", "--vectors", "nope.txt"), "nope.txt: no such file, and no vectors"),
        (("train", "train.conll", "-o", "new", "--set", "training.epoch=1"), "did you mean 'training.epochs'?"),
        (("train", "train.conll", "-o", "new", "--recipe", "slow"), "no recipe called 'slow'"),
        (("evaluate", "train.conll", "test.conll"), "no model here"),
        (("predict", "run", "missing.txt"), "missing.txt: no such file"),
    ],
)
def test_bad_calls_are_one_line_and_leave_nothing(tagged: Path, args: tuple[str, ...], message: str) -> None:
    done = run(*args, cwd=tagged)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tagged / "new").exists()


def test_hash_seeds_change_nothing(tagged: Path) -> None:
    outcomes = set()
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "trustag", "train", "train.conll", "-o", f"hash{seed}", *BASELINE]
        command += ["--set", "training.epochs=1"]
        subprocess.run(command, cwd=tagged, env=environment, check=True, capture_output=True)
        outcomes.add((tagged / f"hash{seed}" / "model-last" / "weights.safetensors").read_bytes())
    assert len(outcomes) == 1
