"""A full disk or Ctrl-C ends a command with one line and spoils nothing, and a run goes on as if nothing had been."""

import hashlib
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.small import BASELINE, settings, write_splits
from tests.cli.test_commands import run
from trustag.models.saving import load_model

LONG = [
    *BASELINE,
    *settings("training.least_steps=0", "training.snapshot_seconds=0", "training.epochs=12", "training.patience=12"),
]
UNLIMITED = resource.RLIM_INFINITY

pytestmark = pytest.mark.slow  # trains models


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small corpus and an unbroken run on it."""
    place = tmp_path_factory.mktemp("full")
    write_splits(place, {"train": 60, "dev": 20})
    done = run("train", "train.conll", "--dev", "dev.conll", "-o", "whole", *LONG, cwd=place)
    assert done.returncode == 0, done.stderr
    return place


def outcome(path: Path) -> dict[str, str]:
    """Return a checksum of everything in a run that does not tell when and where it ran."""
    files = [file for file in path.rglob("*") if file.is_file() and file.name not in {"manifest.json", "report.html"}]
    return {str(file.relative_to(path)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}


def begin_training(folder: Path, output: Path) -> "subprocess.Popen[str]":
    """Return a training in progress that has written its first checkpoint."""
    command = [sys.executable, "-m", "trustag", "train", "train.conll", "--dev", "dev.conll", "-o", str(output), *LONG]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    began = time.monotonic()
    while process.poll() is None and time.monotonic() - began < 120:
        if list(output.glob("jobs/as-given/checkpoints/epoch-*")):
            break
        time.sleep(0.01)
    return process


def resume(folder: Path, output: Path) -> None:
    done = run("train", "train.conll", "--dev", "dev.conll", "-o", str(output), *LONG, "--resume", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "broken checkpoint" not in done.stderr


def hidden(path: Path) -> list[str]:
    return sorted(entry.name for entry in path.rglob(".*"))


def test_ctrl_c_in_the_middle_of_a_step_changes_nothing(folder: Path, tmp_path: Path) -> None:
    process = begin_training(folder, tmp_path / "run")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert errors.splitlines()[-1].startswith("trustag: interrupted; continue with the same command and --resume")
    resume(folder, tmp_path / "run")
    assert outcome(tmp_path / "run") == outcome(folder / "whole")


def test_a_run_that_is_still_going_has_no_second_writer(folder: Path, tmp_path: Path) -> None:
    output = tmp_path / "run"
    process = begin_training(folder, output)
    process.send_signal(signal.SIGSTOP)  # still going, for as long as the second one looks
    for choice in ("--resume", "--overwrite"):
        second = run("train", "train.conll", "--dev", "dev.conll", "-o", str(output), *LONG, choice, cwd=folder)
        assert second.returncode == 2
        (line,) = second.stderr.splitlines()
        assert line.startswith(f"trustag: {output}: is in use by trustag train (process {process.pid} on ")
    process.send_signal(signal.SIGCONT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    assert outcome(output) == outcome(folder / "whole")


# No file at all; models but no checkpoint.
@pytest.mark.parametrize("largest", [0, 60_000])
def test_a_run_that_fills_the_disk_stops_cleanly_and_goes_on(folder: Path, tmp_path: Path, largest: int) -> None:
    output = tmp_path / "run"
    process = begin_training(folder, output)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (largest, UNLIMITED))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2, errors
    lines = errors.strip().splitlines()
    assert lines[-1].startswith(f"trustag: {output}/")
    assert lines[-1].endswith(
        ": no space is left to write it (File too large); make room, then continue with the same command and --resume"
    )
    assert not any("Traceback" in line for line in lines)
    assert hidden(output) == []
    load_model(output / "jobs" / "as-given")
    assert 1 <= len(list((output / "jobs" / "as-given" / "checkpoints").iterdir())) <= 2
    resume(folder, output)
    assert outcome(output) == outcome(folder / "whole")


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 100 kB, where one may be mounted."""
    place = tmp_path / "disk"
    place.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(place)]
    try:
        mounted = subprocess.run(mounting, capture_output=True, check=False).returncode == 0
    except OSError:
        mounted = False
    if not mounted:
        pytest.skip("no disk may be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_disk_that_is_really_full_is_named(folder: Path, tiny_disk: Path) -> None:
    stopped = run("train", "train.conll", "--dev", "dev.conll", "-o", str(tiny_disk / "run"), *LONG, cwd=folder)
    assert stopped.returncode == 2
    assert "no space is left to write it (No space left on device); make room" in stopped.stderr.splitlines()[-1]
    assert hidden(tiny_disk) == []
    subprocess.run(["mount", "-o", "remount,size=20m", str(tiny_disk)], check=True)
    resume(folder, tiny_disk / "run")
    assert outcome(tiny_disk / "run") == outcome(folder / "whole")


@pytest.mark.parametrize("target", ["out.jsonl", "out.jsonl.gz", "out.parquet", "out-brat"])
def test_a_conversion_that_finds_no_room_leaves_nothing(folder: Path, tmp_path: Path, target: str) -> None:
    script = "import resource, sys; from trustag.cli import main; "
    script += f"resource.setrlimit(resource.RLIMIT_FSIZE, (50, {UNLIMITED})); main(sys.argv[1:])"
    extra = ["--to", "brat"] if target == "out-brat" else []
    command = [sys.executable, "-c", script, "convert", str(folder / "train.conll"), target, "--quiet", *extra]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    finding = "no space is left to write it (File too large)"
    expected = f"trustag: {target}: {finding}; free some space, or choose another location\n"
    assert (done.returncode, done.stderr) == (2, expected)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_a_full_device_is_one_line(folder: Path) -> None:
    done = run("convert", "train.conll", "/dev/full", "--to", "conll", "--quiet", cwd=folder)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "/dev/full: no space is left to write it (No space left on device)" in done.stderr
    command = f"{sys.executable} -m trustag convert train.conll - --quiet > /dev/full"
    printed = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    assert printed.returncode == 2
    assert printed.stderr == "trustag: No space left on device; free some space or check the disk, then try again\n"
