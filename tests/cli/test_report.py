"""``trustag report`` and ``trustag compare`` in real processes: what they write, what they say, and how they fail."""

import json
import subprocess
import sys
from pathlib import Path

from tests.cli.test_commands import run
from tests.reports.written import FullRun, Judged

SENTENCES = [[Judged("Ann", "S-PER", "S-PER", "S-PER"), Judged("Rome", "O", "S-LOC", "S-LOC", trusted=False)]]


def test_a_report_is_written_once_and_again_only_when_asked(tmp_path: Path) -> None:
    FullRun(SENTENCES).write(tmp_path / "run")
    done = run("report", "run", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "run/report.html\n", "")
    refused = run("report", "run", cwd=tmp_path)
    assert refused.returncode == 2
    assert refused.stderr == ("trustag: run/report.html: already exists; choose another name or pass --overwrite\n")
    elsewhere = run("report", "run", "-o", "page.html", cwd=tmp_path)
    assert elsewhere.stdout == "page.html\n"
    assert (tmp_path / "page.html").read_bytes().startswith(b"<!DOCTYPE html>")


def test_no_run_is_one_clear_line(tmp_path: Path) -> None:
    done = run("report", ".", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is no run: it holds no manifest.json" in done.stderr


def test_neither_torch_nor_matplotlib_is_loaded(tmp_path: Path) -> None:
    FullRun(SENTENCES).write(tmp_path / "run")
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from trustag.cli import trustag\n"
        "trustag(sys.argv[1:], standalone_mode=False)\n"
        "print('torch' in sys.modules)"
    )
    for args in (["report", "run"], ["compare", "run"]):
        done = subprocess.run(
            [sys.executable, "-c", code, *args], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        assert done.stdout.splitlines()[-1] == "False"


def test_runs_side_by_side_on_the_screen_in_a_file_and_as_json(tmp_path: Path) -> None:
    FullRun(SENTENCES, seed=1).write(tmp_path / "one")
    FullRun(SENTENCES, seed=2, recipe="[training]\nseed = 2\n[rounds]\ncount = 1\n").write(tmp_path / "two")
    shown = run("compare", "one", "two", "-o", "page.html", cwd=tmp_path)
    assert (shown.returncode, shown.stderr) == (0, "")
    lines = [line.split() for line in shown.stdout.splitlines()]
    assert ["test", "F1", "74.67", "74.67"] in lines
    assert ["training.seed", "1", "2"] in lines
    assert (tmp_path / "page.html").exists()
    numbers = json.loads(run("compare", "one", "two", "--json", cwd=tmp_path).stdout)
    assert [entry["seed"] for entry in numbers["runs"]] == [1, 2]
    assert numbers["differing"] == {"training.seed": [1, 2]}
    refused = run("compare", "one", "two", "-o", "page.html", cwd=tmp_path)
    assert refused.returncode == 2
