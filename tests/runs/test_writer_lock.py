"""One writer per run folder, in real processes: refused, waited for, left behind by a killed one."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError
from trustag.runs.writer_lock import WORKERS, WRITER, LockedEngine, is_lock_file, only_writer

HOLDER = """
import sys, time
from pathlib import Path
from trustag.runs.writer_lock import only_writer
with only_writer(Path(sys.argv[1]), "trustag train"):
    print("held", flush=True)
    time.sleep(600)
"""

# Its worker ignores that its parent has died, as one does that is in the middle of a long computation.
PARENT = """
import sys, time
from pathlib import Path
from tests.runs.test_writer_lock import linger
from trustag.engines.worker_processes import WorkerProcesses
from trustag.runs.writer_lock import LockedEngine, only_writer
if __name__ == "__main__":
    folder = Path(sys.argv[1])
    with only_writer(folder, "trustag train") as lock, WorkerProcesses(1) as engine:
        LockedEngine(engine, lock).submit(linger, folder)
        time.sleep(600)
"""


def linger(folder: Path) -> None:
    """Write for two seconds whatever happens to the parent: the child of a worker ends with nobody."""
    (folder / "at-work").write_text(str(os.getpid()))
    if os.fork() == 0:
        os.setsid()
        time.sleep(2)
        (folder / "at-work").unlink()
        os._exit(0)
    time.sleep(600)


@contextmanager
def held(folder: Path) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        try:
            yield process
        finally:
            process.kill()


def test_a_second_writer_is_refused_and_told_who_is_first(tmp_path: Path) -> None:
    with held(tmp_path) as process, pytest.raises(InputError) as refused, only_writer(tmp_path, "trustag review"):
        pass
    said = str(refused.value)
    assert said.startswith(f"{tmp_path}: is in use by trustag train (process {process.pid} on {os.uname().nodename}, ")
    assert f"since {time.strftime('%Y', time.gmtime())}-" in said
    assert said.endswith(" UTC); wait until that ends or stop it, or choose another folder")


def test_threads_of_one_process_exclude_each_other_too(tmp_path: Path) -> None:
    with only_writer(tmp_path, "one"), pytest.raises(InputError, match="in use by one"), only_writer(tmp_path, "two"):
        pass
    with only_writer(tmp_path, "three"):
        pass


def test_the_lock_ends_with_a_killed_process(tmp_path: Path) -> None:
    with held(tmp_path) as process:
        process.kill()
        process.wait()
        assert is_lock_file(tmp_path / WRITER)
        assert (tmp_path / WRITER).exists()
        with only_writer(tmp_path, "next") as lock:
            assert lock.writer.process == os.getpid()


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    with only_writer(tmp_path / "deep" / "run", "trustag train"):
        assert sorted(path.name for path in (tmp_path / "deep" / "run").iterdir()) == [WORKERS, WRITER]
    assert list(tmp_path.iterdir()) == []
    with only_writer(tmp_path / "deep" / "run", "trustag train"):
        (tmp_path / "deep" / "run" / "model").touch()
    assert [path.name for path in (tmp_path / "deep" / "run").iterdir()] == ["model"]


def test_workers_of_a_killed_parent_are_waited_for(tmp_path: Path) -> None:
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(tmp_path)])
    wait_for(tmp_path / "at-work")
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    assert (tmp_path / "at-work").exists()
    with only_writer(tmp_path, "trustag train"):
        assert not (tmp_path / "at-work").exists()


def wait_for(path: Path) -> None:
    began = time.monotonic()
    while not path.exists():
        assert time.monotonic() - began < 60
        time.sleep(0.01)


def answer() -> int:
    return 42


def test_workers_do_nothing_for_a_writer_that_is_gone(tmp_path: Path) -> None:
    with WorkerProcesses(1) as engine:
        with only_writer(tmp_path, "first") as lock:
            assert LockedEngine(engine, lock).submit(answer).result() == 42
        with pytest.raises(InputError, match="is not being written by first"):
            LockedEngine(engine, lock).submit(answer).result()
        with only_writer(tmp_path, "second"), pytest.raises(InputError, match="is not being written by first"):
            LockedEngine(engine, lock).submit(answer).result()


def test_a_lock_file_that_nobody_can_read_names_nobody(tmp_path: Path) -> None:
    with only_writer(tmp_path, "first"):
        (tmp_path / WRITER).write_text('{"work": 1')
        with pytest.raises(InputError, match="is in use by another process; wait"), only_writer(tmp_path, "second"):
            pass


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "run").touch()
    with pytest.raises(InputError, match=r"run: cannot be locked for writing \("), only_writer(tmp_path / "run", "x"):
        pass
