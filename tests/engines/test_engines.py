"""Engines: results and errors are returned; workers that die are replaced and end with their parent process."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

from tests.engines import work
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError, MissingExtraError

ENGINES: list[Callable[[], Engine]] = [InProcess, lambda: WorkerProcesses(2)]
PATIENCE = 60


@pytest.mark.parametrize("engine", ENGINES, ids=["here", "workers"])
def test_results_and_errors_come_back(engine: Callable[[], Engine]) -> None:
    with engine() as running:
        promises = [running.submit(work.double, number) for number in range(5)]
        failing = running.submit(work.fail, "broken")
        assert [promise.result() for promise in promises] == [0, 2, 4, 6, 8]
        lacking = running.submit(work.need_extra)
        with pytest.raises(ValueError, match="broken"):
            failing.result()
        with pytest.raises(MissingExtraError, match=r"the work needs an optional .* 'trustag\[extra\]'"):
            lacking.result(PATIENCE)


def test_a_worker_that_dies_is_replaced_and_its_task_runs_again(tmp_path: Path) -> None:
    with WorkerProcesses(2) as engine:
        dying = engine.submit(work.die_once, tmp_path / "marker")
        others = [engine.submit(work.double, number) for number in range(4)]
        assert dying.result(PATIENCE) != os.getpid()
        assert [other.result(PATIENCE) for other in others] == [0, 2, 4, 6]


def test_work_that_kills_every_worker_is_an_error_with_advice() -> None:
    with WorkerProcesses(1) as engine, pytest.raises(InputError, match="died 5 times; .*--workers 1"):
        engine.submit(work.die).result(PATIENCE)


def test_a_worker_has_one_thread() -> None:
    with WorkerProcesses(1) as engine:
        assert engine.submit(work.threads).result(PATIENCE) == "1"


def wait_for(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    return condition()


def is_running(number: int) -> bool:
    status = Path(f"/proc/{number}/stat")
    return status.exists() and status.read_text().rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see processes")
def test_workers_end_when_their_parent_process_is_killed(tmp_path: Path) -> None:
    script = dedent("""
        import sys
        from pathlib import Path
        from tests.engines import work
        from trustag.engines.worker_processes import WorkerProcesses
        if __name__ == "__main__":
            with WorkerProcesses(1) as engine:
                engine.submit(work.announce_and_wait, Path(sys.argv[1])).result()
    """)
    (tmp_path / "begin.py").write_text(script)
    place = tmp_path / "number"
    environment = {**os.environ, "PYTHONPATH": str(Path.cwd())}
    parent = subprocess.Popen([sys.executable, tmp_path / "begin.py", place], env=environment)
    assert wait_for(place.exists)
    worker = int(place.read_text())
    assert is_running(worker)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert wait_for(lambda: not is_running(worker))


def test_leaving_with_an_error_stops_the_workers(tmp_path: Path) -> None:
    place = tmp_path / "number"
    with pytest.raises(KeyError), WorkerProcesses(1) as engine:  # noqa: PT012 - the error is the point
        engine.submit(work.announce_and_wait, place)
        assert wait_for(place.exists)
        raise KeyError
    assert wait_for(lambda: not is_running(int(place.read_text())))
