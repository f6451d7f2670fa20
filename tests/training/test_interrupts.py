"""Ctrl-C is held back once, and never where it is somebody else's business."""

import signal
import threading
from collections.abc import Iterator

import pytest

from trustag.training.interrupts import held_interrupts


@pytest.fixture(autouse=True)
def _python_takes_interrupts() -> Iterator[None]:
    """Let Ctrl-C raise as in a terminal, also where the tests run in the background, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_is_held_back_and_the_second_is_not() -> None:
    before = signal.getsignal(signal.SIGINT)
    with held_interrupts() as has_come:
        assert not has_come()
        signal.raise_signal(signal.SIGINT)
        assert has_come()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_another_handler_keeps_its_place() -> None:
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(1))
    try:
        with held_interrupts() as has_come:
            signal.raise_signal(signal.SIGINT)
            assert not has_come()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == [1]


def test_another_thread_holds_nothing_back() -> None:
    found = []

    def work() -> None:
        with held_interrupts() as has_come:
            found.append((has_come(), signal.getsignal(signal.SIGINT) is signal.default_int_handler))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [(False, True)]
