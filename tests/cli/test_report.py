"""``trustag report`` and ``trustag compare`` in real processes: what they write, what they say, and how they fail."""

import subprocess
import sys
from pathlib import Path

from tests.cli.test_commands import run
from tests.reports.written import Assessed, FullRun

SENTENCES = [[Assessed("Ann", "S-PER", "S-PER", "S-PER"), Assessed("Rome", "O", "S-LOC", "S-LOC", trusted=False)]]


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
