"""``trustag train`` with the whole method, in real processes: progress, results, JSON, errors."""

import contextlib
import json
import os
import pty
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_commands import run

SMALL = [
    *("--set", "bilstm.random_vectors=true", "--set", "bilstm.words=8", "--set", "bilstm.hidden=8"),
    *("--set", "bilstm.characters=4", "--set", "bilstm.character_hidden=3", "--set", "training.batch_size=4"),
    *("--set", "training.epochs=2", "--set", "training.least_steps=0"),
]
ROUNDS = ("--set", "method.rounds.fold_epochs=2", "--set", "method.rates.estimate_epochs=1")
MAIN_JOB = ("--dev", "dev.conll", "--test", "test.conll", "-o", "run")
LEFT = {"model-best", "model-last", "relabelled.conll", "changes.jsonl", "confidence.npz", "metrics.jsonl"}
LEFT |= {"given.jsonl", "rates.json", "rounds.jsonl", "recipe.toml", "manifest.json", "jobs", "report.html"}
LEFT |= {"issues.jsonl", "places.jsonl"}

pytestmark = pytest.mark.slow  # trains models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus, without gold labels."""
    place = tmp_path_factory.mktemp("main")
    for split, count in (("train", 30), ("dev", 10), ("test", 10)):
        whole = run("convert", f"demo:{split}", "-", "--quiet").stdout.split("\n\n")
        rows = (re.sub(r"^(\S+ \S+).*", r"\1", row) for row in "\n\n".join(whole[:count]).split("\n"))
        (place / f"{split}.conll").write_text("\n".join(rows) + "\n\n")
    return place


def train(folder: Path, *args: str) -> tuple[str, str]:
    """Return what a training prints on its two streams."""
    of_method = () if "--method" in args else ROUNDS
    done = run("train", "train.conll", *args, *SMALL, *of_method, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.fixture(scope="module")
def finished(folder: Path) -> tuple[str, str]:
    """What a run of the main job prints; it is in the folder then."""
    return train(folder, *MAIN_JOB)


def test_the_whole_method_runs_by_default(folder: Path, finished: tuple[str, str]) -> None:
    printed, progress = finished
    assert {entry.name for entry in (folder / "run").iterdir()} == LEFT
    assert re.search(r"^  run/report.html +the report", printed, re.MULTILINE)
    assert "Label issues" in (folder / "run" / "report.html").read_text()
    for heading in ("Noise rates", "Labels changed", "Review these first", "Files", "Next steps"):
        assert heading in printed
    assert re.search(r"^  baseline \(labels as given\)( +\d+\.\d\d){6}$", printed, re.MULTILINE)
    assert re.search(r"^  new labels( +\d+\.\d\d){6}$", printed, re.MULTILINE)
    stages = re.findall(r"^(\d) of 3  (.+)$", progress, re.MULTILINE)
    assert stages == [("1", "How noisy are the labels?"), ("2", "New labels"), ("3", "Final model")]
    tables = re.findall(r"^  (?:trained on|all but part|new labels|labels as given) .*$", progress, re.MULTILINE)
    assert len({len(line) for line in tables}) == 1
    assert not re.search(r"[\r\x1b]|warn|Traceback", progress + printed, re.IGNORECASE)
    assert max(map(len, [*printed.splitlines(), *progress.splitlines()])) <= 100


@pytest.mark.usefixtures("finished")
def test_a_finished_run_resumed_trains_nothing_and_says_so(folder: Path) -> None:
    before = {
        path: path.read_bytes() for path in (folder / "run").rglob("*") if path.suffix != ".html" and path.is_file()
    }
    printed, said = train(folder, *MAIN_JOB, "--resume")
    assert printed == ""
    assert "is finished" in said
    assert not re.search(r"^  trained on ", said, re.MULTILINE)
    assert before == {path: path.read_bytes() for path in before}


def test_quiet_and_json(folder: Path) -> None:
    printed, progress = train(folder, "-o", "json", "--json", "--quiet", "--workers", "1")
    assert progress == ""
    *reports, result = (json.loads(line) for line in printed.splitlines())
    stages = [report["stage"] for report in reports if "stage" in report]
    assert stages == ["rates", "round-1/folds", "round-1/final"]
    epochs = [report for report in reports if "job" in report]
    assert len(epochs) == 2 * 1 + 2 * 2 + 2 * 2
    assert {"rates", "changed", "labels"} <= set(result["labels"])
    assert (result["dev"], result["test"]) == (None, None)


def test_a_bar_is_drawn_on_a_terminal(folder: Path) -> None:
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "trustag",
        "train",
        "train.conll",
        "-o",
        "shown",
        "--workers",
        "1",
        *SMALL,
        *ROUNDS,
    ]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    shown = b""
    # A terminal whose other side has gone gives an error at its end.
    with contextlib.suppress(OSError):
        while part := os.read(ours, 10_000):
            shown += part
    os.close(ours)
    assert process.wait() == 0
    plain = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", shown)
    shares = [int(share) for share in re.findall(rb"(\d+)% \d+:\d\d elapsed", plain)]
    assert shares == sorted(shares)
    assert shares[0] == 0
    assert b"trained on" in plain


@pytest.mark.usefixtures("finished")
def test_starting_anew_leaves_nothing_of_the_old_run(folder: Path) -> None:
    shutil.copytree(folder / "run", folder / "anew")
    (folder / "anew" / "mine.txt").write_text("kept")
    train(folder, "-o", "anew", "--overwrite", "--method", "bilstm-crf")
    left = {"model-best", "model-last", "metrics.jsonl", "recipe.toml", "manifest.json", "mine.txt"}
    left |= {"given.jsonl", "places.jsonl", "report.html", "jobs"}
    assert {entry.name for entry in (folder / "anew").iterdir()} == left


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "method.rates.source=searched",
            "method.rates.source=searched needs a dev split; give --dev, or use method.rates.source=auto",
        ),
        (
            "method.rates.source=oracle",
            "there is no gold column to measure noise on; give one, or use method.rates.source=auto",
        ),
    ],
)
def test_rates_from_nowhere_are_refused_at_once(folder: Path, setting: str, message: str) -> None:
    done = run("train", "train.conll", "-o", "none", *SMALL, *ROUNDS, "--set", setting, cwd=folder)
    assert (done.returncode, done.stderr.splitlines()[-1]) == (2, f"trustag: {message}")
    assert not (folder / "none").exists()


def test_sentences_labelled_twice_give_the_noise_rates(folder: Path) -> None:
    whole = run("convert", "demo:train", "-", "--quiet").stdout.split("\n\n")[30:60]
    for name, column in (("noisy", 1), ("clean", -1)):
        lines = ("\n".join(f"{row.split()[0]} {row.split()[column]}" for row in own.split("\n")) for own in whole)
        (folder / f"{name}.conll").write_text("\n\n".join(lines) + "\n\n")
    printed, _ = train(folder, "--trusted", "clean.conll", "--noisy", "noisy.conll", "-o", "counted")
    assert "counted on 30 sentences labelled twice" in printed
    rates = json.loads((folder / "counted" / "rates.json").read_text())
    assert rates["source"] == "pairs"
    assert rates["kinds"]["missed"]["estimate"] == rates["negative"] > 0
    report = (folder / "counted" / "report.html").read_text()
    assert "Kinds of errors" in report
