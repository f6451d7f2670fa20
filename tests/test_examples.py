"""The examples run as they are shown."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.small import SIZES, settings, write_splits
from trustag.corpora.locating import stream

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.slow
def test_the_estimator_example_tells_scores_and_findings() -> None:
    command = [sys.executable, str(EXAMPLES / "noisy_ner.py"), "--sentences", "60", "--epochs", "1", "--workers", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for words in ("bilstm-crf: F1 0.", "confidence: F1 0.", "estimated noise:", "changed labels:", "Lisbon "):
        assert words in done.stdout


@pytest.mark.slow
def test_the_review_loop_trains_reviews_and_trains_again(tmp_path: Path) -> None:
    write_splits(tmp_path, {"train": 40, "dev": 10, "test": 10})
    command = [sys.executable, str(EXAMPLES / "review_loop.py"), str(tmp_path), "-o", str(tmp_path / "runs")]
    quick = settings(
        "training.epochs=1", "training.least_steps=0", "method.rounds.fold_epochs=1", "method.rates.estimate_epochs=1"
    )
    done = subprocess.run(
        [*command, "--seeds", "1", "--issues", "3", *SIZES, *quick], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    rows = json.loads((tmp_path / "runs" / "review_loop.json").read_text())
    orders = ("worst first", "least sure first", "random")
    assert [(row["order"], row["issues"]) for row in rows] == [(order, count) for count in (0, 3) for order in orders]
    worst, least_sure, by_chance = rows[3:]
    assert 1 <= worst["places"] <= 3
    assert by_chance["labels"] >= worst["labels"]
    assert least_sure["places"] >= 1
    kept = list(stream(str(tmp_path / "runs" / "seed-1" / "worst-3" / "given.jsonl")))
    marks = [mark for sentence in kept for mark in sentence.token_sources or ()]
    assert marks.count("reviewed") == worst["labels"]
