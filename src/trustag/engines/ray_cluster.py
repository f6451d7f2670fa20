"""The engine on a Ray cluster, whose machines need not share a file system.

Corpora, vectors and files that tasks are given go into Ray's object store, from which each machine fetches them once.
What a task writes comes back as its result, and this process alone writes it into the folder it is meant for.
"""

import socket
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from trustag._version import __version__
from trustag.engines import Arguments, Result
from trustag.engines.choice import DEFAULT_RESOURCES, Resources
from trustag.engines.parcels import PackedFiles, checksum, pack, pack_files
from trustag.engines.received_files import write_received
from trustag.engines.remote_tasks import Finished, RemoteTask, perform
from trustag.errors import InputError, MissingExtraError

_KEPT_PIECES: Final = 256
_SECONDS_TO_ANSWER: Final = 20.0


class RayCluster:
    """Runs tasks on the machines of a Ray cluster; a task whose machine dies is begun again on another one.

    ``address`` is ``auto`` for the cluster that runs on this machine, ``HOST:6379``, or ``ray://HOST:10001``.
    """

    runs_here = False
    shares_files = False

    def __init__(self, address: str = "auto", resources: Resources = DEFAULT_RESOURCES) -> None:
        self._ray = _connected(address)
        self._is_ours = self._ray is not None
        self._ray = self._ray or _ray()
        self._resources = resources
        self._pieces: OrderedDict[str, Any] = OrderedDict()
        self._files: dict[tuple[object, ...], PackedFiles] = {}
        self._lock = threading.Lock()
        self._running: dict[Future[Any], Any] = {}
        # One thread writes what comes back, in the order in which it comes.
        self._writer = ThreadPoolExecutor(1)
        self._perform = self._ray.remote(perform).options(**_options(resources))

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Run ``work`` on a machine of the cluster and return the future of its result."""
        return self._start(None, RemoteTask(work, arguments, named), keep=False)

    def submit_into(
        self, folder: Path, work: Callable[..., Result], /, *arguments: object, keep: bool = False
    ) -> "Future[Result]":
        """Do the same for work that leaves files in a folder; they are written to ``folder`` here."""
        return self._start(folder, RemoteTask(work, arguments, {}), keep=keep)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for running tasks, or stop them if the block ended with an error."""
        running = dict(self._running)
        for future, reference in running.items():
            if error is None:
                future.exception()
            else:
                self._ray.cancel(reference, force=True)
        self._writer.shutdown(wait=True, cancel_futures=error is not None)
        self._pieces.clear()
        if self._is_ours:
            self._ray.shutdown()

    def _start(self, folder: Path | None, task: RemoteTask, *, keep: bool) -> "Future[Any]":
        with self._lock:
            used: dict[str, Any] = {}
            message = pack(task, lambda content: self._take(content, used), lambda path: self._packed(path, used))
        reference = self._perform.remote(message, used, __version__, writes=folder is not None)
        future: Future[Any] = Future()
        self._running[future] = reference
        reference.future().add_done_callback(
            lambda done: self._writer.submit(self._finish, done, future, folder, keep=keep)
        )
        return future

    def _take(self, content: bytes, used: dict[str, Any]) -> str:
        """Put a piece into the object store, unless it is there already, and note that the task uses it."""
        name = checksum(content)
        if name not in self._pieces:
            self._pieces[name] = self._ray.put(content)
            if len(self._pieces) > _KEPT_PIECES:
                self._pieces.popitem(last=False)
        self._pieces.move_to_end(name)
        used[name] = self._pieces[name]
        return name

    def _packed(self, path: Path, used: dict[str, Any]) -> PackedFiles:
        """Return files as pieces; those that have not changed since are not read again."""
        key = _state(path)
        known = self._files.get(key)
        names = [] if known is None else [name for _, pieces in known.files for name in pieces]
        if known is None or not all(name in self._pieces for name in names):
            known = self._files[key] = pack_files(path, lambda content: self._take(content, used))
        used.update({name: self._pieces[name] for name in names if name in self._pieces})
        return known

    def _finish(self, done: "Future[Finished]", future: "Future[Any]", folder: Path | None, *, keep: bool) -> None:
        """Write the files that came back and set the result."""
        try:
            finished = done.result()
            if folder is not None and finished.files is not None:
                write_received(folder, finished.files, keep=keep)
            if finished.error is None:
                future.set_result(finished.value)
            else:
                future.set_exception(finished.error)
        except BaseException as error:  # noqa: BLE001 - any error is raised where the result is read
            future.set_exception(self._explained(error))
        finally:
            self._running.pop(future, None)

    def _explained(self, error: BaseException) -> BaseException:
        """Return an error of Ray as one that says what to do; others as they are."""
        if isinstance(error, self._ray.exceptions.RayError):
            finding = f"a task failed on the cluster: {str(error).strip().splitlines()[0]}"
            remedy = "look at the logs of the cluster; reserve more with ray:ADDRESS?memory=GIGABYTES"
            return InputError(finding, remedy=remedy)
        return error


def _options(resources: Resources) -> dict[str, object]:
    memory = {} if resources.memory is None else {"memory": int(resources.memory * 1e9)}
    return {
        "num_cpus": resources.cpus,
        "num_gpus": resources.gpus,
        "max_retries": resources.retries,
        **memory,
    }


def _ray() -> Any:
    try:
        import ray  # noqa: PLC0415 - takes seconds to load
    except ModuleNotFoundError:
        raise MissingExtraError("an engine on a Ray cluster", "ray") from None
    return ray


def _connected(address: str) -> Any:
    """Connect this process to a cluster and return Ray; None if it is connected already."""
    ray = _ray()
    if ray.is_initialized():
        return None
    _check_reachable(address)
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", configure_logging=False)
    except (ConnectionError, ValueError, RuntimeError) as error:
        finding = f"no Ray cluster at {address!r} ({str(error).strip().splitlines()[0]})"
        raise InputError(
            finding, remedy="begin one with ray start --head, or give its address: ray:HOST:6379"
        ) from None
    return ray


def _check_reachable(address: str) -> None:
    """Refuse an address at which nobody answers: Ray itself tries for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_SECONDS_TO_ANSWER).close()
    except (OSError, OverflowError) as error:
        finding = f"no Ray cluster at {address!r} ({error})"
        raise InputError(finding, remedy="begin one with ray start --head, and check the address") from None


def _state(path: Path) -> tuple[object, ...]:
    """Return what changes when files change: their names, sizes and times."""
    files = sorted(path.rglob("*")) if path.is_dir() else [path]
    states = [(file, file.stat()) for file in files]
    return (path, *((str(file), state.st_mtime_ns, state.st_size) for file, state in states))
