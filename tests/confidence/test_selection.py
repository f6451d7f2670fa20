"""Laws of trust: who is kept, how many, and when."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.confidence.selection import (
    Rounding,
    Schedule,
    drop_ratio,
    kept_count,
    label_groups,
    most_confident,
)
from trustag.noise_rates.rates import NoiseRates
from trustag.seeded_random import SeededRandom
from trustag.text.label_sets import LabelSet

SCHEDULES: list[Schedule] = ["stepped", "smooth"]
ROUNDINGS: list[Rounding] = ["floor", "nearest", "stochastic"]


@pytest.mark.parametrize("schedule", SCHEDULES)
@given(rate=st.floats(0, 0.9), ramp=st.integers(1, 20))
def test_distrust_never_shrinks_and_ends_at_the_rate(schedule: Schedule, rate: float, ramp: int) -> None:
    ratios = [drop_ratio(rate, epoch, ramp, schedule) for epoch in range(25)]
    assert ratios == sorted(ratios)
    assert ratios[ramp - 1 :] == [rate] * (26 - ramp)


def test_the_published_schedule_is_a_line_from_zero() -> None:
    expected = torch.linspace(0, 0.14, 10).tolist()
    assert [drop_ratio(0.14, epoch, 10, "stepped") for epoch in range(10)] == pytest.approx(expected)


def test_the_schedule_of_the_text_is_the_smaller_of_line_and_rate() -> None:
    expected = [min(epoch * 0.14 / 10, 0.14) for epoch in range(1, 15)]
    assert [drop_ratio(0.14, epoch, 10, "smooth") for epoch in range(14)] == pytest.approx(expected)


@pytest.mark.parametrize("rounding", ROUNDINGS)
@given(size=st.integers(0, 500), ratio=st.floats(0, 0.99))
def test_kept_labels_are_within_one_of_the_exact_share(rounding: Rounding, size: int, ratio: float) -> None:
    kept = kept_count(size, ratio, rounding, SeededRandom(1, "rounding"))
    assert 0 <= kept <= size
    assert abs(kept - size * (1 - ratio)) <= 1 or (rounding == "floor" and kept == size)


@given(size=st.integers(1, 500))
def test_without_noise_everything_is_kept(size: int) -> None:
    assert all(kept_count(size, 0.0, rounding, SeededRandom(1, "rounding")) == size for rounding in ROUNDINGS)


def test_rounding_by_chance_keeps_the_share_on_average() -> None:
    rng = SeededRandom(1, "rounding")
    kept = [kept_count(7, 0.3, "stochastic", rng) for _ in range(4000)]
    assert sum(kept) / len(kept) == pytest.approx(4.9, abs=0.05)


@given(data=st.data(), size=st.integers(0, 60))
def test_the_kept_of_a_group_are_its_most_confident(data: st.DataObject, size: int) -> None:
    scores = data.draw(st.lists(st.sampled_from([0.0, 0.1, 0.5, 0.9]), min_size=size, max_size=size))
    groups = data.draw(st.lists(st.integers(-1, 2), min_size=size, max_size=size))
    keep = [data.draw(st.integers(0, max(groups.count(group), 0))) for group in range(3)]
    kept = most_confident(torch.tensor(scores), torch.tensor(groups, dtype=torch.long), keep).tolist()
    for group, count in enumerate(keep):
        members = [index for index in range(size) if groups[index] == group]
        best = sorted(members, key=lambda index: (-scores[index], index))[:count]
        assert {index for index in members if kept[index]} == set(best)
    assert not any(kept[index] for index in range(size) if groups[index] < 0)


def test_types_are_ranked_apart_when_their_rates_are_known() -> None:
    labels = LabelSet(("LOC", "PER"), "BIES")
    groups = label_groups(labels, NoiseRates(0.1, 0.2, {"PER": 0.3}))
    assert groups.rates == (0.1, 0.2, 0.3)
    assert groups.of_label.tolist() == [0, 1, 1, 1, 1, 2, 2, 2, 2]


def test_a_label_is_ranked_under_its_own_rate_or_that_of_its_type_or_with_the_rest() -> None:
    labels = LabelSet(("LOC", "ORG", "PER"), "BS")
    groups = label_groups(labels, NoiseRates(0.1, 0.2, {"S-PER": 0.6, "PER": 0.3, "LOC": 0.4}))
    ranked_with: dict[int, set[str]] = {}
    for label, group in zip(labels, groups.of_label.tolist(), strict=True):
        ranked_with.setdefault(group, set()).add(label)
    expected = {0.1: {"O"}, 0.4: {"B-LOC", "S-LOC"}, 0.2: {"B-ORG", "S-ORG"}, 0.3: {"B-PER"}, 0.6: {"S-PER"}}
    assert {groups.rates[group]: members for group, members in ranked_with.items()} == expected
