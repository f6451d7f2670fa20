"""Servers of annotation tools for a round trip: installed into a folder of their own, run on this machine, and ended.

Installed once, a tool stays in its folder; data go into a fresh folder each time.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, TypeAlias

import httpx

from benchmarks.machine import ROOT
from trustag.issues.exports import SENTENCE_KEY

HOST: Final = "127.0.0.1"
SCORE_KEY: Final = "trustag_score"
SECONDS_TO_START: Final = 300.0
_SECONDS_TO_END: Final = 20.0
_SECONDS_BETWEEN_LOOKS: Final = 0.2
_SECONDS_FOR_AN_ANSWER: Final = 120.0

Entity: TypeAlias = tuple[int, int, str]
"""Start, end (exclusive) and type, in characters of the text."""


@dataclass(frozen=True, slots=True)
class Task:
    """A task as it was sent or as a server holds it; ``opens_with`` is what an annotator sees first.

    ``sentence`` is the number by which answers find their way back, none where the text is not from a run. ``scores``
    are those that the tool can show or sort by. ``id`` is the server's own.
    """

    id: int
    sentence: int | None
    text: str
    opens_with: tuple[Entity, ...]
    given: tuple[Entity, ...]
    scores: tuple[float, ...]


class Session(Protocol):
    """A project on a running server, as its user sees it."""

    def import_file(self, path: Path) -> None:
        """Import a file of tasks."""

    def tasks(self) -> list[Task]:
        """Return every task of the project, in its order."""

    def submit(self, task: Task, entities: Sequence[Entity]) -> None:
        """Answer a task."""

    def begin(self, task: Task, entities: Sequence[Entity]) -> None:
        """Mark something in a task, and leave it before it is answered."""

    def skip(self, task: Task) -> None:
        """Say that a task is not to be answered."""

    def exports(self, folder: Path) -> dict[str, Path]:
        """Write every export that the documentation names into ``folder`` and return the files by their names."""


class Tool(Protocol):
    """An annotation tool: what it is called, what is installed for it, and what it makes of files."""

    name: str
    package: str
    form: str
    requirements: Sequence[str]

    def sent(self, path: Path) -> list[Task]:
        """Return the tasks of a file as they ought to arrive."""

    def plain_text(self, path: Path, text: str) -> None:
        """Write a file with one text that comes from no run."""

    def project(self, programs: Path, data: Path, types: Sequence[str]) -> AbstractContextManager[Session]:
        """Start a server with its data in ``data`` and yield a new project with these types."""


def install(tool: Tool, folder: Path) -> Path:
    """Return the folder of a tool's programs; where they are missing they are installed, into an environment there."""
    home = folder / tool.package
    programs, mark = home / "bin", home / "installed"
    if not mark.exists():
        print(f"installing {tool.package}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(home)], check=True)
        torch = home / "torch.txt"
        torch.write_text(
            (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8"
        )
        pip = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--constraint", str(torch), *tool.requirements], check=True)
        mark.touch()
    return programs


def version(tool: Tool, programs: Path) -> str:
    """Return the version of a tool that was installed."""
    ask = f"from importlib.metadata import version; print(version({tool.package!r}))"
    told = subprocess.run([str(programs / "python"), "-c", ask], check=True, capture_output=True, text=True)
    return told.stdout.strip()


def free_port() -> int:
    """Return a port of this machine that nobody listens to."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """Return an environment in which a server finds no settings but ``more`` and no home but ``home``."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
    return {**kept, "HOME": str(home), "PYTHONUTF8": "1", **more}


@contextmanager
def running(
    command: Sequence[str], environment: Mapping[str, str], log: Path, folder: Path | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """Yield a process that ends, with all it has started, when the block does."""
    with log.open("ab") as stream:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=subprocess.STDOUT,
            env=dict(environment),
            cwd=folder,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _end(process)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End the whole group of a process, first asking for it; what its leader left behind ends too."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_TO_END)
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def client_of(port: int, authorization: str = "") -> httpx.Client:
    """Return a client of a server on this machine."""
    headers = {"Authorization": authorization} if authorization else {}
    # No settings of proxies: these requests stay here.
    return httpx.Client(
        base_url=f"http://{HOST}:{port}", headers=headers, timeout=_SECONDS_FOR_AN_ANSWER, trust_env=False
    )


def wait_until_up(client: httpx.Client, path: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return when ``path`` is answered without a fault; a server that ends or never answers is an error."""
    began = time.monotonic()
    while time.monotonic() - began < SECONDS_TO_START and process.poll() is None:
        with suppress(httpx.TransportError):
            if client.get(path).is_success:
                return
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    raise RuntimeError(f"the server did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-4000:]}")


def asked(client: httpx.Client, method: str, path: str, **more: Any) -> httpx.Response:
    """Return what a server answers; a refusal is an error with the server's own words."""
    answer = client.request(method, path, **more)
    if answer.is_error:
        raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:2000]}")
    return answer


def poll(client: httpx.Client, path: str, *, seconds: float = SECONDS_TO_START) -> Iterator[httpx.Response]:
    """Yield what a server says of work that it does on the side, again and again, until somebody has heard enough."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        yield asked(client, "GET", path)
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    raise RuntimeError(f"{path}: not done after {seconds} seconds")


def entities_of(rows: Sequence[Sequence[Any]]) -> tuple[Entity, ...]:
    """Return entities in the order of the text."""
    return tuple(sorted((int(start), int(end), str(kind)) for start, end, kind in rows))


def sentence_of(facts: Mapping[str, Any]) -> int | None:
    """Return the number of the sentence that a task carries."""
    number = facts.get(SENTENCE_KEY)
    return None if number is None else int(number)


def read_json(path: Path) -> Any:
    """Return what a file of JSON holds."""
    return json.loads(path.read_text(encoding="utf-8"))
