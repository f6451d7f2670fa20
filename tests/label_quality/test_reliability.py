"""Reliability against a plain count of every bin."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.label_quality.reliability import reliability, reliability_by_part

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)


@given(PAIRS, st.integers(1, 12))
def test_bins_hold_what_a_plain_count_finds(pairs: list[tuple[float, bool]], bins: int) -> None:
    confidence, right = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs], dtype=bool)
    found = reliability(confidence, right, bins)
    error = 0.0
    for number in range(bins):
        own = [p for p in pairs if min(int(p[0] * bins), bins - 1) == number]
        if own:
            error += abs(sum(p[0] for p in own) - sum(p[1] for p in own))
    assert found.count == len(pairs)
    assert found.error == pytest.approx(error / len(pairs) if pairs else 0.0)


def test_parts_are_told_apart_by_position_and_by_type() -> None:
    names = ("O", "B-PER", "S-PER", "S-LOC")
    labels, right = np.array([0, 1, 2, 3, 3]), np.array([True, True, False, True, False])
    by_position, by_type = reliability_by_part(labels, names, np.full(5, 0.75), right)
    assert {part: found.count for part, found in by_position.items()} == {"O": 1, "B": 1, "S": 3}
    assert {part: found.count for part, found in by_type.items()} == {"O": 1, "PER": 2, "LOC": 2}
    assert by_type["LOC"].error == pytest.approx(0.25)
