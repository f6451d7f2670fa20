"""Where independent pieces of work run: in this process or in others. Results never depend on the choice."""

from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import ParamSpec, Protocol, Self, TypeVar

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


class Engine(Protocol):
    """Takes pieces of work and gives a promise for each; leaving its ``with`` block stops what still runs."""

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        """Begin ``work`` as soon as there is room for it and return the promise of its result."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
