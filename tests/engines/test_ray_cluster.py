"""A real cluster of two machines on the loopback interface: results, files, killed machines, killed drivers."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.clusters import LOOPBACK, Machines, two_machines
from tests.training.run_files import everything
from tests.training.small import run_rounds
from trustag.engines.choice import read_engine
from trustag.errors import InputError, MissingExtraError

pytest.importorskip("ray")
pytestmark = pytest.mark.slow
PATIENCE = 240


@pytest.fixture(scope="module")
def machines() -> Iterator[Machines]:
    with two_machines() as found:
        yield found


def begin(program: str, machines: Machines, folder: Path) -> "subprocess.Popen[str]":
    environment = {**os.environ, **LOOPBACK, "PYTHONPATH": os.pathsep.join(sys.path)}
    script = "from tests.engines.ray_drivers import main; main()"
    command = [sys.executable, "-W", "error", "-c", script, program, machines.address, str(folder)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def printed(program: str, machines: Machines, folder: Path) -> object:
    with begin(program, machines, folder) as process:
        output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    return json.loads(output) if output else None


def wait_for(process: "subprocess.Popen[str]", moment: Path) -> None:
    began = time.monotonic()
    while not moment.exists():
        assert process.poll() is None, "the program ended before the moment"
        assert time.monotonic() - began < PATIENCE
        time.sleep(0.01)


def test_tasks_see_only_what_travels_with_them_and_their_files_come_back(machines: Machines, tmp_path: Path) -> None:
    found = printed("basics", machines, tmp_path)
    assert isinstance(found, dict)
    own = [{str(folder), str(folder / "tmp")} for folder in machines.folders]
    assert all({place, temporary} in own for place, temporary, _ in found["places"])
    for path, content, total, count in found["reads"]:
        assert not Path(path).is_relative_to(tmp_path)
        assert any(Path(path).is_relative_to(folder / "tmp") for folder in machines.folders)
        assert (content, total, count) == ("given", 100_000.0, 10_000)
    assert len({path for path, *_ in found["reads"]}) <= 2
    assert found["pieces"] == 3, "the file, the tensor and the words, however many tasks are given them"
    assert [(tmp_path / "left" / name / "inner" / "file").read_text() for name in ("one", "two")] == ["one", "two"]
    assert not any(Path(path).exists() for path in found["left"])
    assert found["errors"][0] == "ValueError('the message')"
    assert "trustag[extra]" in found["errors"][1]
    assert found["double"] == 8


def test_a_driver_that_is_killed_and_resumed_ends_like_a_serial_run(machines: Machines, tmp_path: Path) -> None:
    run_rounds(tmp_path / "serial")
    with begin("rounds", machines, tmp_path) as process:
        wait_for(process, tmp_path / "run" / "jobs" / "round-1" / "fold-1" / "outcome")
        process.send_signal(signal.SIGKILL)
    finished = {path: path.stat().st_mtime_ns for path in (tmp_path / "run" / "jobs").rglob("outcome")}
    printed("rounds", machines, tmp_path)
    assert everything(tmp_path / "run") == everything(tmp_path / "serial")
    assert finished
    assert {path: path.stat().st_mtime_ns for path in finished} == finished, "what was finished is not done again"


def test_an_error_in_the_block_stops_the_tasks(machines: Machines, tmp_path: Path) -> None:
    assert printed("stopped", machines, tmp_path) == "stopped"


def test_an_address_at_which_nobody_answers_is_an_error_with_a_remedy() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(InputError, match=rf"no Ray cluster at '127.0.0.1:{port}' .*; begin one with ray start --head"):
        read_engine(f"ray:127.0.0.1:{port}").open()


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"trustag\[ray\]"):
        read_engine("ray").open()


def test_a_machine_that_is_killed_in_the_middle_of_a_stage_changes_nothing(machines: Machines, tmp_path: Path) -> None:
    """This is the last test on these machines: of one of them nothing is left."""
    run_rounds(tmp_path / "serial")
    with begin("rounds", machines, tmp_path) as process:
        wait_for(process, tmp_path / "run" / "jobs" / "rates" / "fold-1" / "outcome")
        os.kill(machines.raylets[1], signal.SIGKILL)
        process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert everything(tmp_path / "run") == everything(tmp_path / "serial")
