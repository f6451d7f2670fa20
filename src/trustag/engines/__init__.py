"""Engines run independent tasks, in this process or in worker processes; results do not depend on the choice."""

from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import ParamSpec, Protocol, Self, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Engine(Protocol):
    """Runs tasks and returns a future for each; leaving its ``with`` block with an error stops running tasks."""

    runs_here: bool
    """Whether tasks run in this process, so that they can be followed step by step."""

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Start ``work`` as soon as a worker is free, and return the future of its result."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
