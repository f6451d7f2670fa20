"""The record of training: mean, spread and running mean of every label against plain arithmetic."""

import math
import statistics

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.confidence.dynamics import Dynamics

RECORDS = st.integers(1, 6).flatmap(
    lambda epochs: st.lists(
        st.lists(st.floats(0, 1, width=32), min_size=3, max_size=3), min_size=epochs, max_size=epochs
    )
)


def recorded(rows: list[list[float]]) -> Dynamics:
    dynamics = Dynamics.empty(len(rows), 3)
    for epoch, row in enumerate(rows):
        for token in (2, 0, 1):
            dynamics.record(epoch, torch.tensor([token]), torch.tensor([row[token]]), torch.tensor([epoch % 2]))
    return dynamics


@given(rows=RECORDS)
def test_mean_and_spread_are_those_of_the_epochs(rows: list[list[float]]) -> None:
    dynamics = recorded(rows)
    for token in range(3):
        values = [row[token] for row in rows]
        assert dynamics.mean()[token].item() == pytest.approx(statistics.fmean(values), abs=1e-6)
        assert dynamics.spread()[token].item() == pytest.approx(statistics.pstdev(values), abs=1e-6)


@given(rows=RECORDS, decay=st.floats(0, 0.99))
def test_an_epoch_weighs_decay_times_the_one_after_it(rows: list[list[float]], decay: float) -> None:
    last = len(rows) - 1
    weights = [(1 - decay) * decay ** (last - epoch) for epoch in range(len(rows))]
    weights[0] = decay**last
    found = recorded(rows).running_mean(decay)
    for token in range(3):
        expected = math.fsum(weight * row[token] for weight, row in zip(weights, rows, strict=True))
        assert found[token].item() == pytest.approx(expected, abs=1e-5)


@given(rows=RECORDS)
def test_parts_of_a_record_are_records(rows: list[list[float]]) -> None:
    dynamics = recorded(rows)
    assert dynamics.first(1).mean().tolist() == pytest.approx(rows[0])
    assert dynamics.of(torch.tensor([2, 0])).mean().tolist() == pytest.approx(dynamics.mean()[[2, 0]].tolist())
    assert dynamics.running_mean(0.0).tolist() == rows[-1]


def test_preferred_labels_are_counted() -> None:
    dynamics = recorded([[0.5] * 3] * 3)
    assert dynamics.held(torch.tensor([0, 1, 2])).tolist() == pytest.approx([2 / 3, 1 / 3, 0])


def test_what_no_epoch_has_reached_has_no_number() -> None:
    dynamics = Dynamics.empty(2, 3)
    dynamics.record(0, torch.tensor([1]), torch.tensor([0.5]), torch.tensor([0]))
    assert dynamics.scores.isnan().sum() == 5
