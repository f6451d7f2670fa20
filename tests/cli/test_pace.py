"""The time left, against runs whose clock is simulated: every pass over the corpus takes ten seconds."""

import time
from collections.abc import Callable

import pytest

from tests.cli.made_reports import EPOCHS, job_report, stage_report
from trustag.cli.pace import Pace, TimeLeft

SECONDS_AN_EPOCH = 5.0  # a stage sees half of the corpus


@pytest.fixture
def wait(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    now = [1000.0]

    def move_on(seconds: float) -> None:
        now[0] += seconds

    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return move_on


def check(left: TimeLeft | None, most: float, expected: float | None) -> None:
    assert left is not None
    assert left.most == pytest.approx(most)
    assert left.expected == pytest.approx(expected)


def test_nothing_is_said_before_an_epoch_was_timed(wait: Callable[[float], None]) -> None:
    pace = Pace()
    pace.enter(stage_report(0))
    wait(60)  # worker processes start
    pace.finish_epoch(job_report("round-1/fold-1", 0))
    assert pace.time_left is None
    wait(SECONDS_AN_EPOCH)
    pace.finish_epoch(job_report("round-1/fold-1", 1))
    assert pace.share == pytest.approx(2 / (4 * EPOCHS))


def test_without_early_stopping_the_time_left_is_what_it_takes(wait: Callable[[float], None]) -> None:
    pace = Pace()
    epochs_left = 4 * EPOCHS
    for stage in (0, 1):
        pace.enter(stage_report(stage))
        for job in ("one", "two"):
            for epoch in range(EPOCHS):
                wait(SECONDS_AN_EPOCH)
                pace.finish_epoch(job_report(job, epoch))
                epochs_left -= 1
                if pace.time_left is not None:
                    expected = SECONDS_AN_EPOCH * epochs_left
                    check(pace.time_left, expected, expected)


def test_time_is_at_most_what_all_epochs_take_until_a_training_stopped(wait: Callable[[float], None]) -> None:
    pace = Pace()
    pace.enter(stage_report(0))
    for epoch in range(2):
        wait(SECONDS_AN_EPOCH)
        pace.finish_epoch(job_report("one", epoch, least_epochs=3))
    check(pace.time_left, SECONDS_AN_EPOCH * (4 * EPOCHS - 2), None)
    wait(SECONDS_AN_EPOCH)
    pace.finish_epoch(job_report("one", 2, least_epochs=3))  # over after three of four epochs
    most, expected = SECONDS_AN_EPOCH * 3 * EPOCHS, SECONDS_AN_EPOCH * 3 * 3
    check(pace.time_left, most, expected)
    wait(SECONDS_AN_EPOCH)
    pace.finish_epoch(job_report("two", 0, least_epochs=4))  # this one cannot stop after three
    most, expected = most - SECONDS_AN_EPOCH, SECONDS_AN_EPOCH * (3 + 2 * 3)
    check(pace.time_left, most, expected)


def test_trainings_that_cannot_stop_early_say_nothing_of_those_that_can(wait: Callable[[float], None]) -> None:
    pace = Pace()
    pace.enter(stage_report(0))
    for epoch in range(EPOCHS):
        wait(SECONDS_AN_EPOCH)
        pace.finish_epoch(job_report("without dev", epoch))
    wait(SECONDS_AN_EPOCH)
    pace.finish_epoch(job_report("with dev", 0, least_epochs=2))
    assert pace.time_left is not None
    assert pace.time_left.expected is None


def test_epochs_that_a_training_does_not_need_count_as_done(wait: Callable[[float], None]) -> None:
    pace = Pace()
    pace.enter(stage_report(0))
    wait(SECONDS_AN_EPOCH)
    pace.finish_epoch(job_report("one", 0, least_epochs=1))
    assert pace.share == pytest.approx(1 / 4)
