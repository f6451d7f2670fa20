"""The engine without worker processes: tasks run in the calling process."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self

from trustag.engines import Arguments, Result


class InProcess:
    """Runs each task when it is submitted."""

    runs_here = True
    shares_files = True

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Run ``work`` and return a completed future; an error is raised when its result is read."""
        future: Future[Result] = Future()
        try:
            future.set_result(work(*arguments, **named))
        except Exception as error:  # noqa: BLE001 - any error is raised where the result is read
            future.set_exception(error)
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
        """Do nothing: all tasks have ended."""
