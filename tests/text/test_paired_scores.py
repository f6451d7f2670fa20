"""Paired differences: exact values against scoring the whole, and how sure they are against plain resampling."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.text.paired_scores import paired_difference, sentence_counts
from trustag.text.scoring import Counts, score_labels

counts = st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)).map(
    lambda numbers: Counts(min(numbers), numbers[1], numbers[2])
)


def whole(rows: list[Counts]) -> float:
    totals = [sum(getattr(row, name) for row in rows) for name in ("correct", "found", "support")]
    return Counts(*totals).f1


@given(st.lists(st.tuples(counts, counts), min_size=1, max_size=30))
def test_the_difference_is_that_of_the_whole_corpus(pairs: list[tuple[Counts, Counts]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    found = paired_difference(first, second)
    assert found.difference == pytest.approx(whole(second) - whole(first))
    assert found.low <= found.high
    turned = paired_difference(second, first)
    assert turned.better == pytest.approx(1 - found.better)
    assert (turned.low, turned.high) == pytest.approx((-found.high, -found.low))


def test_the_range_is_that_of_plain_resampling() -> None:
    rng = np.random.default_rng(1)
    right, other = rng.random((2, 400)) < [[0.7], [0.76]]
    first, second = ([Counts(int(own), 1, 1) for own in row] for row in (right, other))
    found = paired_difference(first, second)
    draws = rng.integers(400, size=(4000, 400))
    plain = (other[draws].mean(1) - right[draws].mean(1)).astype(float)
    assert found.low == pytest.approx(np.quantile(plain, 0.025), abs=0.015)
    assert found.high == pytest.approx(np.quantile(plain, 0.975), abs=0.015)
    assert found.better == pytest.approx((plain > 0).mean(), abs=0.05)


def test_equal_labellings_are_better_in_half_of_the_draws() -> None:
    rows = [Counts(1, 2, 2)] * 5
    assert paired_difference(rows, rows).better == 0.5


def test_counts_of_sentences_add_up_to_those_of_the_corpus() -> None:
    gold = [["B-PER", "O"], ["B-LOC", "I-LOC", "O"], ["O"]]
    predicted = [["B-PER", "O"], ["B-LOC", "O", "B-LOC"], ["O"]]
    rows = sentence_counts(gold, predicted)
    assert whole(rows) == score_labels(zip(gold, predicted, strict=True)).micro.f1
