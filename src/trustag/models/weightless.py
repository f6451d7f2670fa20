"""Build a network without memory for its weights, to be compared with a file and filled from it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import torch
from torch.overrides import TorchFunctionMode

_DRAWS: Final = {"normal_", "uniform_", "kaiming_uniform_", "xavier_uniform_"}
_DRAWN: Final = {"rand", "randn"}


@contextmanager
def weightless() -> Iterator[None]:
    """Let networks that are built meanwhile have shapes only."""
    with torch.device("meta"), _WithoutDraws():
        yield


class _WithoutDraws(TorchFunctionMode):
    """Draws no random numbers for weights that are not there: torch would load its compiler for it, a second's work."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Sequence[type],
        args: Sequence[Any] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        named, name = kwargs or {}, getattr(func, "__name__", "")
        if name in _DRAWS:
            return args[0] if args else named["tensor"]
        if name in _DRAWN:
            return torch.empty(*args, **named)
        return func(*args, **named)
