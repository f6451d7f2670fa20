import numpy as np
import pytest

from trustag.aggregation.confusion import confusion_kinds, shared_positions, smoothed, smoothed_positions

NUMBERS = np.random.default_rng(1)


def test_rows_are_probabilities() -> None:
    assert smoothed(NUMBERS.uniform(0, 9, (2, 5, 5))).sum(-1) == pytest.approx(1)
    assert smoothed_positions(NUMBERS.uniform(0, 9, (2, 3, 3))).sum(-1) == pytest.approx(1)


def test_many_observations_count_for_themselves() -> None:
    counts = NUMBERS.uniform(1, 9, (5, 5)) * 1e7
    assert smoothed(counts) == pytest.approx(counts / counts.sum(-1, keepdims=True), abs=1e-3)


def test_a_type_never_met_is_confused_as_the_others_are() -> None:
    counts = np.zeros((5, 5))
    counts[0] = 500, 10, 0, 10, 0
    counts[1] = 30, 160, 0, 10, 0  # B of the first type; the second was never met
    confusion = smoothed(counts)
    assert confusion[3, [0, 3, 1]] == pytest.approx([0.15, 0.8, 0.05], abs=0.02)


def test_renaming_the_types_changes_nothing() -> None:
    order = [0, 3, 4, 1, 2]
    counts = NUMBERS.uniform(0, 99, (5, 5))
    swapped = smoothed(counts[np.ix_(order, order)])
    assert swapped == pytest.approx(smoothed(counts)[np.ix_(order, order)])
    assert (confusion_kinds(5)[np.ix_(order, order)] == confusion_kinds(5)).all()


def test_positions_of_iob2() -> None:
    assert shared_positions(5).tolist() == [0, 1, 2, 1, 2]
