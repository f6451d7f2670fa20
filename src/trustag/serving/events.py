"""What happens to a server, told to whoever runs it: never a word of the texts that it is given."""

from collections.abc import Callable
from typing import Literal, TypeAlias

EventName: TypeAlias = Literal[
    "worker ready",
    "worker died",
    "worker refused",
    "model reloaded",
    "model refused",
    "stopping",
    "stopped",
    "request",
]
Tell: TypeAlias = Callable[[EventName, dict[str, object]], None]


def untold(name: EventName, facts: dict[str, object]) -> None:
    """Tell nobody."""
