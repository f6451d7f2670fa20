"""Which groups are forgotten: sums as near to the target as any choice gets, found by trying every choice."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.noise.removal import choose_groups
from trustag.seeded_random import SeededRandom

SIZES = st.lists(st.integers(1, 12) | st.integers(13, 40), max_size=8)


def nearest_miss(sizes: list[int], target: int) -> int:
    """How far the best of all choices of groups stays from the target."""
    sums = {sum(chosen) for count in range(len(sizes) + 1) for chosen in combinations(sizes, count)}
    return min(abs(target - total) for total in sums)


@given(SIZES, st.data(), st.integers(0, 3), st.integers(0, 1000))
def test_the_sum_is_within_the_tolerance_or_as_near_as_any_choice(
    sizes: list[int], data: st.DataObject, tolerance: int, seed: int
) -> None:
    target = data.draw(st.integers(0, sum(sizes)))
    chosen = choose_groups(sizes, target, tolerance, SeededRandom(seed))
    assert len(chosen) == len(set(chosen))
    assert set(chosen) <= set(range(len(sizes)))
    miss = abs(target - sum(sizes[group] for group in chosen))
    assert miss <= max(tolerance, nearest_miss(sizes, target))


@pytest.mark.parametrize(
    ("sizes", "target", "tolerance"),
    [([1, 8], 4, 2), ([12, 1, 2], 7, 2), ([3, 24, 19], 10, 4), ([18, 2, 37], 46, 4)],
)
def test_small_groups_fill_up_what_large_ones_leave(sizes: list[int], target: int, tolerance: int) -> None:
    for seed in range(50):
        chosen = choose_groups(sizes, target, tolerance, SeededRandom(seed))
        assert abs(target - sum(sizes[group] for group in chosen)) == nearest_miss(sizes, target)


@given(SIZES, st.integers(0, 1000))
def test_all_or_nothing_can_always_be_chosen(sizes: list[int], seed: int) -> None:
    assert choose_groups(sizes, 0, 0, SeededRandom(seed)) == []
    assert sorted(choose_groups(sizes, sum(sizes), 0, SeededRandom(seed))) == list(range(len(sizes)))


def test_every_group_of_equal_size_has_the_same_chance() -> None:
    counts = [0] * 6
    for seed in range(3000):
        for group in choose_groups([2] * 6, 4, 0, SeededRandom(seed)):
            counts[group] += 1
    # Two of six groups, 3,000 times: 1,000 each, give or take five standard deviations.
    assert counts == pytest.approx([1000] * 6, abs=5 * (3000 * 2 / 9) ** 0.5)


def test_the_choice_depends_on_the_seed_only() -> None:
    sizes = [5, 1, 3, 3, 2, 8, 1]
    once = [choose_groups(sizes, 11, 1, SeededRandom(seed)) for seed in range(20)]
    assert once == [choose_groups(sizes, 11, 1, SeededRandom(seed)) for seed in range(20)]
    assert len({tuple(chosen) for chosen in once}) > 5
