"""Ranges of estimated noise rates: bounded by dev where there is one, and honest where there is none."""

from dataclasses import replace

import pytest

from tests.methods.confidence.test_task_rates import DATA, TASK, KnowingJobs, settings_of
from trustag.methods.confidence.dev_ranges import moved_rates
from trustag.methods.confidence.task_rates import find_rates
from trustag.noise_rates.gold_rates import gold_rates
from trustag.noise_rates.rates import NoiseRates


def test_dev_bounds_the_estimate_and_tells_kinds_apart() -> None:
    task = replace(TASK, dev=DATA.dev * 5)  # a dev split large enough
    found = find_rates(task, settings_of(), KnowingJobs(task)).found
    measured = gold_rates(TASK.corpus)
    assert found.source == "auto"
    assert found.kinds is not None
    assert found.negative_interval is not None
    assert found.positive_interval is not None
    assert found.negative_interval[0] <= measured.negative <= found.negative_interval[1]
    assert found.negative_interval[0] <= found.rates.negative <= found.negative_interval[1]
    assert found.positive_interval[0] <= found.rates.positive <= found.positive_interval[1]
    assert found.kinds.missed.low > 0  # half of the sentences have lost their entities, and the models know these


def test_without_dev_ranges_begin_at_nothing() -> None:
    task = replace(TASK, dev=())
    found = find_rates(task, settings_of(), KnowingJobs(task)).found
    measured = gold_rates(TASK.corpus)
    assert found.kinds is None
    assert found.negative_interval is not None
    assert found.negative_interval[0] == 0.0
    assert found.negative_interval[1] >= measured.negative
    assert found.positive_interval is not None
    assert found.positive_interval[0] == 0.0


def test_moved_rates_keep_their_order_and_move_with_that_of_all() -> None:
    rates = NoiseRates(0.1, 0.2, {"S-PER": 0.4, "S-LOC": 0.1, "B-LOC": 0.0})
    higher, lower, same = (moved_rates(rates, 0.1, positive) for positive in (0.5, 0.1, 0.2))
    assert same == rates
    assert higher.by_group["S-PER"] > higher.by_group["S-LOC"] > higher.by_group["B-LOC"] > 0
    assert lower.by_group == pytest.approx({"S-PER": 0.2, "S-LOC": 0.05, "B-LOC": 0.0})
    assert moved_rates(NoiseRates(0.1, 1.0, {}), 0.1, 1.0).positive == 1.0
