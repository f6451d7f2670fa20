"""The engine that needs nothing: work is done here and now."""

from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Self

from trustag.engines import Arguments, Result


class InProcess:
    """Does each piece of work when it is submitted."""

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Do ``work`` and return its result as a kept promise; an error in it is raised when the result is read."""
        promise: Future[Result] = Future()
        try:
            promise.set_result(work(*arguments, **named))
        except Exception as error:  # noqa: BLE001 - whatever it is, the reader of the promise shall see it
            promise.set_exception(error)
        return promise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing runs on."""
