"""A run of the method that is killed anywhere, or whose workers are, ends like an unbroken one, file by file."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

import pytest

from tests.training.run_files import everything
from tests.training.small import run_rounds

pytestmark = pytest.mark.slow

SCRIPT = """
    import sys
    from pathlib import Path
    from tests.training.small import run_rounds
    from trustag.engines.in_process import InProcess
    from trustag.engines.worker_processes import WorkerProcesses
    if __name__ == "__main__":
        workers = int(sys.argv[2])
        with WorkerProcesses(workers) if workers else InProcess() as engine:
            run_rounds(Path(sys.argv[1]), *sys.argv[3:], engine=engine, resume=True)
"""
PATIENCE = 300


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unbroken") / "run"
    run_rounds(path)
    return path


def begin(folder: Path, run: Path, workers: int, *settings: str) -> "subprocess.Popen[bytes]":
    """Return a process that begins the run, or continues it."""
    (folder / "script.py").write_text(dedent(SCRIPT))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(folder / "script.py"), str(run), str(workers), *settings]
    return subprocess.Popen(command, env=environment)


def wait_for(process: "subprocess.Popen[bytes]", moment: Path) -> None:
    began = time.monotonic()
    while not moment.exists():
        assert process.poll() is None, "the run ended before the moment it was to be killed at"
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.001)


# What stays once it is there, so that no moment is missed on a busy machine.
MOMENTS = (
    "jobs/rates/fold-1/metrics.jsonl",
    "jobs/round-1/fold-1/metrics.jsonl",
    "jobs/round-1/fold-2/outcome",
    "jobs/round-1/final/metrics.jsonl",
    "jobs/round-2/fold-2/metrics.jsonl",
    "jobs/round-2/final/outcome",
)


def killed_at(moments: Sequence[str], folder: Path, *settings: str) -> Path:
    """Return a run that was killed at some moments and then finished."""
    run = folder / "run"
    for moment in moments:
        process = begin(folder, run, 0, *settings)
        wait_for(process, run / moment)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert begin(folder, run, 0, *settings).wait() == 0
    return run


def test_killed_in_every_stage_the_run_ends_the_same(unbroken: Path, tmp_path: Path) -> None:
    assert everything(killed_at(MOMENTS, tmp_path)) == everything(unbroken)


SEARCH = (
    "method.rates.source=searched",
    "method.rates.grid={negative=[0.0, 0.2, 0.2], positive=[0.0, 0.2, 0.2]}",
    "method.rounds.count=1",
)
SEARCH_MOMENTS = (
    "jobs/judges/fold-1/outcome",
    "jobs/search/negative-0.0000-positive-0.0000/fold-2/metrics.jsonl",
    "jobs/search/negative-0.2000-positive-0.0000/fold-1/outcome",
    "jobs/round-1/fold-1",
    "jobs/round-1/final/metrics.jsonl",
)


def test_killed_while_it_searches_noise_rates_the_run_ends_the_same(tmp_path: Path) -> None:
    (tmp_path / "killed").mkdir()
    run_rounds(tmp_path / "unbroken", *SEARCH)
    assert everything(killed_at(SEARCH_MOMENTS, tmp_path / "killed", *SEARCH)) == everything(tmp_path / "unbroken")


def a_worker_of(process: int) -> int:
    """Return a worker of a process, whichever of its threads began it; wait until there is one."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE:
        for thread in Path(f"/proc/{process}/task").glob("*/children"):
            for child in thread.read_text().split():
                if "spawn_main" in Path(f"/proc/{child}/cmdline").read_text():
                    return int(child)
        time.sleep(0.001)
    raise TimeoutError


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to find workers")
def test_a_run_whose_workers_are_killed_ends_the_same(unbroken: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = begin(tmp_path, run, workers=2)
    for moment in ("jobs/rates/fold-1", "jobs/round-1/fold-2", "jobs/plain"):
        wait_for(process, run / moment)
        os.kill(a_worker_of(process.pid), signal.SIGKILL)
    assert process.wait() == 0
    assert everything(run) == everything(unbroken)


def test_what_a_kill_leaves_of_a_finished_training_is_removed(unbroken: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(unbroken, run)
    job = run / "jobs" / "round-1" / "fold-1"
    shutil.copytree(unbroken / "model-best", job / "model-best")
    (job / "checkpoints" / "epoch-0001-step-000000").mkdir(parents=True)
    other = run / "jobs" / "round-1" / "fold-2"
    shutil.move(other / "outcome", other / ".outcome.x.part")
    (run / ".relabelled.conll.x.part").write_text("half")
    run_rounds(run, resume=True)
    assert everything(run) == everything(unbroken)
