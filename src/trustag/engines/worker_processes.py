"""The engine with worker processes: one thread each, to use all cores; workers that die are replaced.

A task must be able to resume where a killed process stopped; then the death of a worker only costs time.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from trustag.engines import Arguments, Result
from trustag.errors import InputError

_ATTEMPTS: Final = 5


class WorkerProcesses:
    """Up to ``workers`` processes; they end with the process that started them, even if that is killed."""

    runs_here = False
    shares_files = True

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._lock = threading.Lock()
        self._pool = self._fresh_pool()
        self._is_stopping = False

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Run ``work`` in the next free process and return the future of its result."""
        future: Future[Result] = Future()
        task = partial(work, *arguments, **named)
        # One thread waits for each task, because a pool must not be used from inside its own callbacks.
        threading.Thread(target=self._run_to_end, args=(task, future), daemon=True).start()
        return future

    def submit_into(
        self,
        folder: Path,
        work: Callable[..., Result],
        /,
        *arguments: object,
        keep: bool = False,  # noqa: ARG002
    ) -> "Future[Result]":
        """Do the same for work that leaves files in ``folder``."""
        return self.submit(work, *arguments, folder)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for running tasks, or stop them if the block ended with an error."""
        with self._lock:
            self._is_stopping = error is not None
            pool = self._pool
        if error is not None:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
        pool.shutdown(wait=True, cancel_futures=error is not None)

    def _run_to_end(self, task: Callable[[], Result], future: "Future[Result]") -> None:
        """Run ``task``, again if its worker dies, and set the result of ``future``."""
        for _ in range(_ATTEMPTS):
            with self._lock:
                pool = self._pool
            try:
                future.set_result(pool.submit(task).result())
            except BrokenProcessPool as death:
                if not self._replace(pool):
                    future.set_exception(death)
                    return
            except BaseException as error:  # noqa: BLE001 - any error is raised where the result is read
                future.set_exception(error)
                return
            else:
                return
        remedy = "add memory, or use fewer workers with --workers 1"
        future.set_exception(InputError(f"a worker process died {_ATTEMPTS} times", remedy=remedy))

    def _replace(self, broken: ProcessPoolExecutor) -> bool:
        """Replace the pool ``broken``, unless another thread already has; return whether tasks should continue."""
        with self._lock:
            if self._is_stopping:
                return False
            if self._pool is broken:
                self._pool = self._fresh_pool()
            return True

    def _fresh_pool(self) -> ProcessPoolExecutor:
        # Forking a process with threads, which torch starts, may hang the child.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=_prepare)


def _prepare() -> None:
    """Make a worker use one thread, ignore Ctrl-C, and end when its parent process ends."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
