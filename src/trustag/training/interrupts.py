"""Ctrl-C between two steps instead of in the middle of one, so that what is saved then is whole."""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def held_interrupts() -> Iterator[Callable[[], bool]]:
    """Hold back the first Ctrl-C and give a function that tells whether it came; the second one interrupts at once.

    Where Ctrl-C is somebody else's business (another thread, another handler) it stays so.
    """
    is_ours = threading.current_thread() is threading.main_thread()
    if not is_ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield lambda: False
        return
    has_come = False

    def hold(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal has_come
        if has_come:
            raise KeyboardInterrupt
        has_come = True

    before = signal.signal(signal.SIGINT, hold)
    try:
        yield lambda: has_come
    finally:
        signal.signal(signal.SIGINT, before)
