"""The interval algebra of estimated rates: ranges hold their estimate, and small groups lean on large ones."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.noise_rates.estimates import (
    NOTHING_KNOWN,
    Marks,
    Rate,
    grouped_rates,
    rate_of_draws,
)
from trustag.text.label_sets import LabelSet

COUNTS = st.integers(0, 1000)
VALUES = st.floats(0, 2)
LABELS = LabelSet(("LOC", "PER"), "BI")
PRIOR = 10  # tokens that a wider group counts for


def interpolated(values: list[float], position: float) -> float:
    """The quantile by hand: linear between the two nearest ranks."""
    ranked = sorted(values)
    rank = position * (len(ranked) - 1)
    below = int(rank)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (rank - below) * (ranked[above] - ranked[below])


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=30))
def test_a_range_holds_its_estimate_and_is_the_central_95_per_cent_of_the_draws(
    draws: list[tuple[float, float, float]],
) -> None:
    estimate, low, high = (np.array(column) for column in zip(*draws, strict=True))
    rate = rate_of_draws(estimate, low, high)
    value = min(1.0, draws[0][0])
    assert rate.estimate == value
    assert rate.low <= rate.estimate <= rate.high <= 1
    lowest = interpolated([own for _, own, _ in draws], 0.025)
    highest = interpolated([max(middle, own) for middle, _, own in draws], 0.975)
    assert rate.low == pytest.approx(min(value, lowest), abs=1e-12)
    assert rate.high == pytest.approx(max(value, min(1.0, highest)), abs=1e-12)


@given(st.lists(st.tuples(VALUES, VALUES, VALUES), min_size=1, max_size=20), st.floats(0, 1), st.data())
def test_wider_draws_never_give_a_narrower_range(
    draws: list[tuple[float, float, float]], by: float, data: st.DataObject
) -> None:
    estimate, low, high = (np.array(column) for column in zip(*draws, strict=True))
    moved = np.array(data.draw(st.lists(st.booleans(), min_size=len(draws), max_size=len(draws))))
    narrow = rate_of_draws(estimate, low, high)
    wide = rate_of_draws(estimate, low - by * moved, high + by * moved)
    assert wide.estimate == narrow.estimate
    assert wide.low <= narrow.low + 1e-12
    assert wide.high >= narrow.high - 1e-12


def rates_by_size(marks: Marks) -> Rate:
    """Some rate that differs between groups of different size, and is unknown for an empty one."""
    count = int(marks.sum())
    return Rate(count / (count + 7), count / (count + 9), (count + 1) / (count + 7)) if count else NOTHING_KNOWN


@given(st.lists(st.integers(-1, len(LABELS) - 1), max_size=60))
def test_small_groups_lean_on_wider_ones_by_ten_tokens(numbers: list[int]) -> None:
    negative = Rate(0.1, 0.0, 0.2)
    found = grouped_rates(np.array(numbers, dtype=int), LABELS, negative, rates_by_size)
    counts = Counter(numbers)
    kinds = {"LOC": (1, 2), "PER": (3, 4)}
    positives = sum(counts[number] for own in kinds.values() for number in own)
    assert (found.negatives, found.positives, found.unknown) == (counts[0], positives, counts[-1])
    assert found.negative == negative

    def own_rate(count: int) -> float:
        return count / (count + 7) if count else 0.0

    def leaning(count: int, wider: float) -> float:
        return (count * own_rate(count) + PRIOR * wider) / (count + PRIOR)

    overall = own_rate(positives)
    assert found.positive.estimate == pytest.approx(overall)
    for kind, own in kinds.items():
        count = sum(counts[number] for number in own)
        assert found.positives_by_type[kind] == count
        expected = leaning(count, overall)
        assert found.by_type[kind].estimate == pytest.approx(expected)
        for number, label in zip(own, (f"B-{kind}", f"I-{kind}"), strict=True):
            assert LABELS.labels[number] == label
            assert found.by_label[label].estimate == pytest.approx(leaning(counts[number], expected))
    for rate in (*found.by_type.values(), *found.by_label.values()):
        assert 0 <= rate.low <= rate.estimate <= rate.high <= 1


@given(st.integers(1, 50))
def test_leaning_moves_the_estimate_and_never_narrows_the_range(count: int) -> None:
    numbers = np.array([1] * count + [3] * 100)
    found = grouped_rates(numbers, LABELS, NOTHING_KNOWN, rates_by_size).by_type["LOC"]
    own = rates_by_size(numbers == 1)
    assert own.estimate < found.estimate
    assert found.low <= own.low
    assert own.high <= found.high
