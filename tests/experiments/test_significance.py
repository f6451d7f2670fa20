"""Intervals and p values against enumeration and against draws made sentence by sentence."""

from itertools import product

import numpy as np
import pytest

from trustag.experiments.sentence_results import SentenceCounts
from trustag.experiments.significance import DRAWS, compare, f1, interval


def made_up(seed: int, size: int, right: float) -> SentenceCounts:
    random = np.random.default_rng(seed)
    support = random.integers(0, 4, size)
    found = random.integers(0, 4, size)
    return np.stack([random.binomial(np.minimum(support, found), right), found, support], axis=1)


def reference_f1(counts: SentenceCounts) -> float:
    correct, found, support = counts.sum(0)
    return 2 * correct / (found + support) if found + support else 0.0


def test_f1_is_that_of_all_sentences_together() -> None:
    counts = made_up(1, 50, 0.7)
    assert f1(counts) == pytest.approx(reference_f1(counts))
    assert f1(np.zeros((3, 3), dtype=np.int64)) == 0.0


def same_gold(counts: SentenceCounts, seed: int, right: float) -> SentenceCounts:
    """Return another labelling of the same sentences."""
    other = made_up(seed, len(counts), right)
    support = counts[:, 2]
    return np.stack([np.minimum(other[:, 0], support), other[:, 1], support], axis=1)


@pytest.mark.parametrize("seed", range(4))
def test_p_is_that_of_all_swaps(seed: int) -> None:
    """Every way to swap eight sentences is tried; the p of drawn swaps is near."""
    one = made_up(seed, 8, 0.5)
    other = same_gold(one, seed + 10, 0.9)
    observed = reference_f1(other) - reference_f1(one)
    as_large = 0
    for swaps in product([False, True], repeat=8):
        chosen = np.array(swaps)[:, None]
        first, second = np.where(chosen, other, one), np.where(chosen, one, other)
        as_large += abs(reference_f1(second) - reference_f1(first)) >= abs(observed) - 1e-12
    found = compare([one], [other])
    assert found.difference == pytest.approx(observed)
    assert found.p == pytest.approx(as_large / 2**8, abs=4 * 0.5 / DRAWS**0.5)


def test_equal_rows_never_differ_and_clear_differences_are_sure() -> None:
    one = made_up(1, 300, 0.2)
    assert compare([one, one], [one, one]).p == 1.0
    better = np.stack([np.minimum(one[:, 1], one[:, 2]), one[:, 1], one[:, 2]], axis=1)
    found = compare([one, one], [better, better])
    assert found.difference > 0
    assert found.p == pytest.approx(1 / (DRAWS + 1))


def test_the_interval_is_that_of_sentences_drawn_one_by_one() -> None:
    seeds = [made_up(1, 120, 0.6)]
    seeds.append(same_gold(seeds[0], 2, 0.7))
    random = np.random.default_rng(7)
    means = []
    for _ in range(4000):
        drawn = random.integers(0, 120, 120)
        means.append(np.mean([reference_f1(counts[drawn]) for counts in seeds]))
    assert interval(seeds) == pytest.approx(tuple(np.quantile(means, [0.025, 0.975])), abs=0.01)
