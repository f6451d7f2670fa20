"""``trustag experiment``: cells, failures, kills, the table, a method of one's own, the example of the page."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from tests.training.run_files import everything
from trustag.cli.experiments import experiment

pytestmark = pytest.mark.slow  # trains models

GRID = """
    title = "Mine"
    seeds = [1, 2]
    settings = ["training.epochs=2", "bilstm.hidden=8", "bilstm.words=8", "bilstm.characters=4"]

    [corpora.demo]
    data = "demo"
    sentences = [40, 10, 20]

    [methods.plain]
    method = "bilstm-crf"
    published = { demo = 50.0 }

    [methods.mine]
    method = "my_method:METHOD"

    [[orderings]]
    text = "mine is better"
    better = "mine"
    worse = "plain"
"""
MINE = """
    from trustag.methods.bilstm_crf import METHOD as PLAIN


    class Mine(type(PLAIN)):
        summary = "The plain method under another name."


    METHOD = Mine()
"""
BROKEN = """
    class Broken(type(__import__("trustag.methods.bilstm_crf", fromlist=["METHOD"]).METHOD)):
        def train(self, task, settings, jobs):
            raise ZeroDivisionError("broken")


    METHOD = Broken()
"""


@pytest.fixture(autouse=True)
def own_modules(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Work in a folder, and forget the modules in it afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def run(*arguments: str) -> Result:
    sys.modules.pop("my_method", None)
    done = CliRunner().invoke(experiment, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "grid.toml").write_text(dedent(GRID))
    (tmp_path / "my_method.py").write_text(dedent(MINE))
    return tmp_path


def test_cells_are_trained_once_and_shown(folder: Path) -> None:
    dry = run("run", "grid.toml", "-o", "out", "--dry-run")
    assert "4 cells to train" in dry.stdout
    assert not (folder / "out").exists()
    first = run("run", "grid.toml", "-o", "out", "--seeds", "1", "--json")
    assert [json.loads(line)["system"] for line in first.stdout.splitlines()] == ["plain", "mine"]
    dry = run("run", "grid.toml", "-o", "out", "--dry-run")
    assert "2 cells to train: about 0.0 processor hours; 2 have a result" in dry.stdout
    assert "unknown" not in dry.stdout
    both = run("run", "grid.toml", "-o", "out", "--engine", "local:2")
    assert sorted(line.split("]")[1].split(":")[0] for line in both.stdout.splitlines()) == [
        " demo, mine, seed 2",
        " demo, plain, seed 2",
    ]
    assert run("run", "grid.toml", "-o", "out").stdout == ""
    shown = run("show", "grid.toml", "-o", "out").stdout
    assert "mine is better" in shown
    assert "does not hold" in shown
    markdown = run("show", "grid.toml", "-o", "out", "--to", "markdown").stdout
    assert "| demo | plain | mine | +0.0 | 1.000 | 2 |" in markdown
    run("show", "grid.toml", "-o", "out", "--to", "html", "--file", "table.html")
    assert (
        "<td>BiLSTM" in (folder / "table.html").read_text() or "<td>plain</td>" in (folder / "table.html").read_text()
    )


def test_a_cell_that_fails_does_not_stop_the_others(folder: Path) -> None:
    (folder / "my_method.py").write_text(dedent(BROKEN))
    done = run("run", "grid.toml", "-o", "out", "--seeds", "1")
    assert done.exit_code == 1
    assert "demo, plain, seed 1: dev F1" in done.stdout
    assert "demo, mine, seed 1: failed: ZeroDivisionError: broken" in done.stdout
    assert "1 of 2 cells failed" in done.stderr
    assert "in train" in (folder / "out" / "demo-mine-1.error.txt").read_text()
    (folder / "my_method.py").write_text(dedent(MINE))
    again = run("run", "grid.toml", "-o", "out", "--seeds", "1")
    assert "demo, mine, seed 1: dev F1" in again.stdout


def test_what_cannot_be_trained_is_said(folder: Path) -> None:
    (folder / "my_method.py").unlink()
    done = run("run", "grid.toml", "-o", "out", "--dry-run")
    assert "left out: mine: " in done.stderr
    assert "2 cells to train" in done.stdout


def test_killed_and_run_again_every_run_is_that_of_an_unbroken_experiment(folder: Path) -> None:
    run("run", "grid.toml", "-o", "unbroken")
    command = [sys.executable, "-m", "trustag", "experiment", "run", "grid.toml", "-o", "killed"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for moment in ("demo-plain-1/metrics.jsonl", "demo-mine-1/cell.json", "demo-plain-2/jobs"):
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL)
        began = time.monotonic()
        while not (folder / "killed" / moment).exists() and process.poll() is None:
            assert time.monotonic() - began < 300
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
    run("run", "grid.toml", "-o", "killed")
    found = []
    for name in ("unbroken", "killed"):
        results = json.loads((folder / name / "results.json").read_text())["runs"]
        assert sorted((one["system"], one["seed"]) for one in results) == [
            (system, seed) for system in ("mine", "plain") for seed in (1, 2)
        ]
        files = everything(folder / name)
        found.append({file: sums for file, sums in files.items() if not file.endswith((".json", ".lock"))})
    assert found[0] == found[1]


def test_the_example_of_the_page_runs_as_it_is_written(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    blocks = {block.partition("\n")[0]: block.partition("\n")[2] for block in page.split("```")[1::2]}
    (tmp_path / "grid.toml").write_text(blocks["toml"])
    (tmp_path / "my_method.py").write_text(blocks["python"])
    assert len(blocks["toml"].splitlines()) <= 22
    done = run("run", "grid.toml", "-o", "experiment", "--seeds", "1")
    assert done.exit_code == 0, done.output
    shown = run("show", "grid.toml", "-o", "experiment").stdout
    assert "mine is better than training on the labels as given" in shown
