"""Bounds of numbers in files: sums of rounded probabilities pass, what is no measurement does not."""

import math
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.text.numbers import Count, Measure, Probability


def accepts(kind: Any, value: object) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


@given(st.lists(st.floats(0, 1), min_size=1, max_size=100))
def test_shares_that_are_added_up_again_are_probabilities(weights: list[float]) -> None:
    total = sum(weights)
    if total > 1e-100:
        assert accepts(Probability, sum(weight / total for weight in weights))


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Probability, 1.01),
        (Probability, -0.01),
        (Probability, math.nan),
        (Count, -1),
        (Count, 2**60),
        (Count, 1.5),
        (Measure, math.inf),
        (Measure, math.nan),
        (Measure, 1e31),
    ],
)
def test_what_is_no_measurement_is_refused(kind: Any, value: object) -> None:
    assert not accepts(kind, value)


@given(st.integers(0, 2**53))
def test_a_count_is_exact_as_a_number_of_json(count: int) -> None:
    assert accepts(Count, count)
    assert int(float(count)) == count
