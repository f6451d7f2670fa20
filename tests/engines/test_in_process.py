"""The engine without processes: work is done where and when it is submitted."""

import os

import pytest

from tests.engines import work
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.errors import MissingExtraError


def test_work_is_done_at_once_in_this_process_and_in_order() -> None:
    done: list[int] = []
    with InProcess() as engine:
        for number in range(4):
            promise = engine.submit(done.append, number)
            assert promise.done()
            assert done == list(range(number + 1))
        assert engine.submit(os.getpid).result() == os.getpid()


def test_results_come_back_by_position_and_by_name() -> None:
    with InProcess() as engine:
        assert [engine.submit(work.double, number).result() for number in range(5)] == [0, 2, 4, 6, 8]
        assert engine.submit(work.double, number=7).result() == 14


def test_an_error_is_raised_when_the_result_is_read_and_not_before() -> None:
    with InProcess() as engine:
        failing, lacking = engine.submit(work.fail, "the message"), engine.submit(work.need_extra)
        assert engine.submit(work.double, 1).result() == 2
        assert isinstance(failing.exception(), ValueError)
        with pytest.raises(ValueError, match="the message"):
            failing.result()
        with pytest.raises(MissingExtraError, match=r"trustag\[extra\]"):
            lacking.result()


def interrupt() -> None:
    raise KeyboardInterrupt


def test_an_interrupt_is_not_kept_for_later() -> None:
    with pytest.raises(KeyboardInterrupt), InProcess() as engine:
        engine.submit(interrupt)


def test_it_is_an_engine() -> None:
    engine: Engine = InProcess()
    with engine as entered:
        assert entered is engine
