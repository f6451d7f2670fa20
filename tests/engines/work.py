"""Tasks that worker processes can import."""

import os
import signal
import time
from pathlib import Path

from trustag.errors import MissingExtraError


def double(number: int) -> int:
    return 2 * number


def fail(message: str) -> None:
    raise ValueError(message)


def need_extra() -> None:
    raise MissingExtraError("the work", "extra")


def die_once(marker: Path) -> int:
    """Kill this very process the first time, and answer the second."""
    if not marker.exists():
        marker.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def announce_and_wait(place: Path) -> None:
    """Write this process's number to ``place`` and wait for ever."""
    place.with_suffix(".part").write_text(str(os.getpid()))
    place.with_suffix(".part").rename(place)
    time.sleep(600)


def threads() -> str | None:
    return os.environ.get("OMP_NUM_THREADS")
