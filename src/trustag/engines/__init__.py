"""Engines run independent tasks: in this process, in worker processes, on a cluster; results are the same."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import ParamSpec, Protocol, Self, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs tasks and returns a future for each; leaving its ``with`` block with an error stops running tasks."""

    runs_here: bool
    """Whether tasks run in this process, so that they can be followed step by step."""
    shares_files: bool
    """Whether tasks see the files of this process; where not, files that they are given travel with them."""

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Start ``work`` as soon as a worker is free, and return the future of its result."""
        ...

    def submit_into(
        self, folder: Path, work: Callable[..., Result], /, *arguments: object, keep: bool = False
    ) -> "Future[Result]":
        """Do the same for ``work(*arguments, folder)``, which leaves files in ``folder``.

        On another machine it begins with an empty folder, whose files then replace ``folder``, or with ``keep`` are
        added to it. They are there when the future is done.
        """
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
