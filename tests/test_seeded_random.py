"""Seeded random streams: what they draw depends on seed and name alone, and is the same for ever."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import InputError
from trustag.seeded_random import SeededRandom

SEEDS = st.integers(0, 2**63 - 1)


def test_draws_are_the_same_for_ever() -> None:
    rng = SeededRandom(7, "folds of drawing 0")
    assert [rng.below(1000) for _ in range(4)] == [502, 880, 336, 648]
    assert rng.shuffled("abcdef") == list("bfdcea")


@given(SEEDS, st.text(max_size=5))
def test_a_stream_depends_on_its_seed_and_name_alone(seed: int, name: str) -> None:
    one, other = SeededRandom(seed, name), SeededRandom(seed, f"another {name}")
    drawn = [one.fraction() for _ in range(3)]
    assert drawn != [other.fraction() for _ in range(3)]
    again = SeededRandom(seed, name)
    other.below(5)
    assert [again.fraction() for _ in range(3)] == drawn


@given(SEEDS)
def test_numbers_are_those_of_random_random(seed: int) -> None:
    rng, reference = SeededRandom(seed), Random(seed)
    assert [rng.fraction() for _ in range(3)] == [reference.random() for _ in range(3)]


@given(SEEDS, st.integers(1, 50))
def test_numbers_below_a_limit_and_picks_stay_inside(seed: int, limit: int) -> None:
    rng = SeededRandom(seed)
    assert all(0 <= rng.below(limit) < limit for _ in range(20))
    assert rng.pick(range(limit)) in range(limit)


@given(SEEDS, st.lists(st.integers()))
def test_shuffling_moves_items_and_changes_none(seed: int, items: list[int]) -> None:
    before = list(items)
    assert Counter(SeededRandom(seed).shuffled(items)) == Counter(items)
    assert items == before


def test_every_order_of_three_is_about_as_frequent() -> None:
    rng = SeededRandom(1)
    orders = Counter(tuple(rng.shuffled("abc")) for _ in range(6000))
    assert len(orders) == 6
    assert all(850 < count < 1150 for count in orders.values())


def test_a_negative_seed_is_refused() -> None:
    with pytest.raises(InputError, match="seed -1 is negative; use 0 or a positive integer"):
        SeededRandom(-1)
