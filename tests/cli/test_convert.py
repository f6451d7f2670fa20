"""``trustag convert`` in real processes: streams, bad input, closed pipes."""

import json
import subprocess
import sys
from pathlib import Path

from tests.cli.test_commands import CONLL, run


def test_standard_streams(tmp_path: Path) -> None:
    done = run("convert", "-", "-", "--to", "jsonl", stdin=CONLL)
    assert done.returncode == 0
    assert json.loads(done.stdout)["tokens"] == ["Ann", "slept"]
    assert "1 sentences, 2 tokens, 1 entities" in done.stderr


def test_bad_input_is_one_line_and_exit_2(tmp_path: Path) -> None:
    (tmp_path / "bad.conll").write_text("Ann B-PER\nslept\n\n")
    done = run("convert", "bad.conll", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "trustag: bad.conll:2: 1 columns here, 2 at line 1; correct the row, or declare the columns with --columns\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["bad.conll"]


def test_a_reader_that_goes_away_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "long.conll").write_text(CONLL * 50_000)
    command = f"{sys.executable} -m trustag convert long.conll - --quiet | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=tmp_path, capture_output=True, check=False)
    assert done.stdout == b"Ann B-PER\n"
    assert (done.returncode, done.stderr) == (0, b"")
