"""The engine that keeps every core busy: processes of one thread each, replaced when one dies.

Work must be able to go on from where a killed process left it; then the death of a worker costs time and nothing else.
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
from types import TracebackType
from typing import Final, Self

from trustag.engines import Arguments, Result
from trustag.errors import InputError

_ATTEMPTS: Final = 5


class WorkerProcesses:
    """Up to ``workers`` processes; they end with the process that began them, however that ends."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._lock = threading.Lock()
        self._pool = self._fresh_pool()
        self._is_stopping = False

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Hand ``work`` to the next free process and return the promise of its result."""
        promise: Future[Result] = Future()
        task = partial(work, *arguments, **named)
        # A thread waits for each piece of work: a pool must not be used again from inside its own callbacks.
        threading.Thread(target=self._see_through, args=(task, promise), daemon=True).start()
        return promise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait for what runs when all is well; stop it when something went wrong."""
        with self._lock:
            self._is_stopping = error is not None
            pool = self._pool
        if error is not None:
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                process.terminate()
        pool.shutdown(wait=True, cancel_futures=error is not None)

    def _see_through(self, task: Callable[[], Result], promise: "Future[Result]") -> None:
        """Have ``task`` done, anew whenever the workers died under it, and keep the promise."""
        for _ in range(_ATTEMPTS):
            with self._lock:
                pool = self._pool
            try:
                promise.set_result(pool.submit(task).result())
            except BrokenProcessPool as death:
                if not self._replace(pool):
                    promise.set_exception(death)
                    return
            except BaseException as error:  # noqa: BLE001 - whatever it is, the reader of the promise shall see it
                promise.set_exception(error)
                return
            else:
                return
        remedy = "give the machine more memory, or fewer workers with --workers 1"
        promise.set_exception(InputError(f"a worker process died {_ATTEMPTS} times", remedy=remedy))

    def _replace(self, broken: ProcessPoolExecutor) -> bool:
        """Put new workers in the place of ``broken`` ones, unless somebody has; tell whether work is to go on."""
        with self._lock:
            if self._is_stopping:
                return False
            if self._pool is broken:
                self._pool = self._fresh_pool()
            return True

    def _fresh_pool(self) -> ProcessPoolExecutor:
        # Forking a process that has threads, as torch makes them, may hang the child.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.workers, mp_context=context, initializer=_prepare)


def _prepare() -> None:
    """Make a worker use one thread, leave Ctrl-C to the process that began it, and end when that one ends."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[name] = "1"
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
