"""``trustag predict`` on many texts: engines, tables, packed files, and jobs that are killed and continued."""

import gzip
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from tests.cli.test_commands import run
from tests.serving.small_model import TEXTS, write_model


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("batch")
    write_model(folder / "model")
    lines = [f"{TEXTS[number % len(TEXTS)]} {number}\n" for number in range(3000)]
    (folder / "in.txt").write_text("".join(lines))
    (folder / "in.txt.gz").write_bytes(gzip.compress("".join(lines).encode()))
    done = run("predict", "model", "in.txt", "-o", "out.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def bare(records: list[dict[str, Any]]) -> list[object]:
    return [
        {**record, "entities": [{**entity, "score": round(entity["score"], 3)} for entity in record["entities"]]}
        for record in records
    ]


def lines(path: Path) -> list[object]:
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return bare([json.loads(line) for line in content.splitlines()])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "output", "options"),
    [
        ("in.txt", "two.jsonl", ("--engine", "local:2")),
        ("in.txt.gz", "packed.jsonl.gz", ("--resume",)),
        ("in.txt", "table.parquet", ("--engine", "local:2", "--resume")),
        ("table.parquet", "again.jsonl", ()),
    ],
)
def test_every_way_gives_the_same_records(place: Path, source: str, output: str, options: tuple[str, ...]) -> None:
    done = run("predict", "model", source, "-o", output, *options, cwd=place)
    assert done.returncode == 0, done.stderr
    if output.endswith(".parquet"):
        assert bare(parquet.read_table(place / output).to_pylist()) == lines(place / "out.jsonl")
    elif source.endswith(".parquet"):
        assert [one["tokens"] for one in lines(place / output)] == [one["tokens"] for one in lines(place / "out.jsonl")]  # type: ignore[index]
    else:
        assert lines(place / output) == lines(place / "out.jsonl")
    assert not list(place.glob("*.part*"))


@pytest.mark.slow
def test_a_killed_job_is_continued(place: Path) -> None:
    command = [sys.executable, "-m", "trustag", "predict", "model", "in.txt", "-o", "killed.jsonl", "--resume"]
    part = place / "killed.jsonl.part"
    with subprocess.Popen(command, cwd=place, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None and not (part.exists() and part.stat().st_size):
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
    if process.returncode:
        assert not (place / "killed.jsonl").exists()
        refused = run("predict", "model", "in.txt", "-o", "killed.jsonl", "--resume", "--min-score", "0.5", cwd=place)
        assert "was begun with another model, input or options" in refused.stderr
        done = run("predict", "model", "in.txt", "-o", "killed.jsonl", "--resume", cwd=place)
        assert done.returncode == 0, done.stderr
    assert lines(place / "killed.jsonl") == lines(place / "out.jsonl")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--resume",), "needs a file"),
        (("--to", "parquet"), "needs a file"),
        (("-o", "x.parquet", "--marginals"), "a table is written to a file named .parquet, and nothing else is"),
        (("-o", "x.json", "--to", "parquet"), "a table is written to a file named .parquet, and nothing else is"),
        (("--to", "conll", "--resume"), "--resume writes jsonl or parquet, not conll"),
        (("--engine", "loca"), "no engine 'loca'"),
    ],
)
def test_what_does_not_go_together_is_refused(place: Path, options: tuple[str, ...], words: str) -> None:
    done = run("predict", "model", "in.txt", *options, cwd=place)
    assert done.returncode == 2
    assert words in " ".join(done.stderr.split())


@pytest.mark.slow
def test_progress_with_rate_is_shown_on_terminals(place: Path) -> None:
    reader, terminal = pty.openpty()
    command = [sys.executable, "-m", "trustag", "predict", "model", "in.txt", "-o", "shown.jsonl", "--overwrite"]
    said = b""
    with subprocess.Popen(command, cwd=place, stderr=terminal) as process:
        os.close(terminal)
        try:
            while part := os.read(reader, 1 << 16):
                said += part
        except OSError:
            pass  # the other side is closed
    os.close(reader)
    assert process.returncode == 0
    assert b" texts, " in said
    assert b" a second" in said
