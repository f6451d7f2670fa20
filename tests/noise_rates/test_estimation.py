"""Noise rates estimated without gold, against simulated noise whose rates are known."""

from dataclasses import astuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.noise_rates.simulated import LABELS, TYPES, B, E, Noise, S, Simulated, number, simulate
from trustag.errors import InputError
from trustag.noise_rates.estimates import NOTHING_KNOWN, EstimatedRates, Rate
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.text.label_sets import LabelSet

LEVELS = [
    Noise(forgotten=0.5, invented=0.02),
    Noise(forgotten=0.7, invented=0.02),
    Noise(forgotten=0.3, invented=0.06),
    Noise(forgotten=0.1, invented=0.04, flipped=(0.1, 0.1, 0.1)),
    Noise(forgotten=0.4, invented=0.0, flipped=(0.12, 0.12, 0.12)),
    Noise(forgotten=0.0, invented=0.1),
]


def estimate(data: Simulated, seed: int = 1) -> EstimatedRates:
    return estimate_noise_rates(data.given, data.probabilities, LABELS, seed)


def estimates(rates: EstimatedRates) -> tuple[float, ...]:
    return (rates.negative.estimate, rates.positive.estimate, *(rate.estimate for rate in rates.by_type.values()))


@pytest.mark.parametrize("noise", LEVELS, ids=str)
@pytest.mark.parametrize("sharpness", [4.0, 5.0])
def test_rates_of_simulated_noise_are_found(noise: Noise, sharpness: float) -> None:
    data = simulate(noise, sharpness=sharpness)
    negative, positive = data.rates()
    rates = estimate(data)
    assert rates.negative.estimate == pytest.approx(negative, rel=0.15, abs=0.01)
    assert rates.positive.estimate == pytest.approx(positive, rel=0.15, abs=0.02)
    assert rates.negative.low <= negative <= rates.negative.high or negative < 0.01
    assert rates.positive.low <= positive <= rates.positive.high


@pytest.mark.parametrize("noise", LEVELS[:4], ids=str)
def test_a_model_that_knows_the_truth_gives_the_rates_exactly(noise: Noise) -> None:
    data = simulate(noise, sentences=300, sharpness=60.0)
    negative, positive = data.rates()
    rates = estimate(data)
    assert rates.negative.estimate == pytest.approx(negative)
    assert rates.positive.estimate == pytest.approx(positive, abs=0.005)  # type and outside are taken as independent


def test_a_model_that_contradicts_most_labels_of_a_kind_tells_nothing_of_them() -> None:
    data = simulate(Noise(), sharpness=5.0)
    sighted = len(data.given) // 4  # elsewhere the model takes every type for the next one
    other = [np.hstack([table[:, :1], np.roll(table[:, 1:], 4, axis=1)]) for table in data.probabilities]
    tables = [*data.probabilities[:sighted], *other[sighted:]]
    rates = estimate_noise_rates(data.given, tables, LABELS)
    assert {rates.positive, *rates.by_type.values(), *rates.by_label.values()} == {NOTHING_KNOWN}
    assert rates.negative.estimate < 0.01


def test_clean_labels_have_next_to_no_noise() -> None:
    rates = estimate(simulate(Noise(), sharpness=5.0))
    assert rates.negative.estimate < 0.005
    assert rates.positive.estimate < 0.01


def test_a_bad_type_stands_out() -> None:
    data = simulate(Noise(forgotten=0.1, flipped=(0.0, 0.2, 0.0)))
    rates = estimate(data)
    given_labels, gold = np.concatenate(data.given), np.concatenate(data.gold)
    for kind, name in enumerate(TYPES):
        own = (given_labels > 0) & ((given_labels - 1) // 4 == kind)
        wrong = float((gold[own] != given_labels[own]).mean())
        assert rates.by_type[name].estimate == pytest.approx(wrong, abs=0.05)
        assert rates.positives_by_type[name] == own.sum()
    assert max(rates.by_type, key=lambda name: rates.by_type[name].estimate) == "PER"  # flipped organisations


def test_the_order_of_sentences_does_not_matter() -> None:
    data = simulate(LEVELS[3], sentences=100)
    turned = Simulated(data.given[::-1], data.gold[::-1], data.probabilities[::-1])
    assert estimates(estimate(turned)) == pytest.approx(estimates(estimate(data)), rel=1e-9)


def test_the_names_and_order_of_types_do_not_matter() -> None:
    data = simulate(LEVELS[3], sentences=100)
    order = np.array([0, *range(9, 13), *range(1, 5), *range(5, 9)])  # PER, LOC, ORG
    renumbered = [np.argsort(order)[row] for row in data.given]
    turned = estimate_noise_rates(
        renumbered, [table[:, order] for table in data.probabilities], LabelSet(("PER", "LOC", "ORG"), "BIES")
    )
    rates = estimate(data)
    assert turned.positive == rates.positive
    assert turned.negative == rates.negative
    assert dict(turned.by_type) == dict(rates.by_type)


def test_the_same_seed_gives_the_same_ranges_and_every_seed_the_same_estimates() -> None:
    data = simulate(LEVELS[3], sentences=60)
    assert estimate(data, seed=3) == estimate(data, seed=3)
    assert estimate(data, seed=3).positive != estimate(data, seed=4).positive
    assert estimates(estimate(data, seed=3)) == estimates(estimate(data, seed=4))


def test_more_sentences_give_narrower_ranges() -> None:
    few, many = (estimate(simulate(LEVELS[0], sentences=count)) for count in (40, 1200))
    for name in ("negative", "positive"):
        wide, narrow = getattr(few, name), getattr(many, name)
        assert narrow.high - narrow.low < wide.high - wide.low


def test_unknown_labels_have_no_part() -> None:
    data = simulate(LEVELS[3], sentences=100)
    hidden = [np.where(np.arange(len(row)) % 5 == 4, -1, row) for row in data.given]
    first, second = (
        estimate_noise_rates(
            hidden,
            [np.where(row[:, None] < 0, other, table) for row, table in zip(hidden, data.probabilities, strict=True)],
            LABELS,
        )
        for other in (np.eye(len(LABELS))[number(2, S)], np.eye(len(LABELS))[0])
    )
    assert first == second
    assert first.unknown == sum(int((row < 0).sum()) for row in hidden)
    assert first.negatives + first.positives + first.unknown == sum(len(row) for row in hidden)


def table(*rows: dict[int, float]) -> npt.NDArray[np.float64]:
    """Label probabilities of a sentence; what a row leaves goes to O."""
    probabilities = np.zeros((len(rows), len(LABELS)))
    for place, row in enumerate(rows):
        for label, value in row.items():
            probabilities[place, label] = value
        probabilities[place, 0] += 1 - sum(row.values())
    return probabilities


def test_an_entity_that_goes_on_into_a_missed_token_has_a_wrong_position() -> None:
    person = {B: number(2, B), E: number(2, E), S: number(2, S)}
    sure, outside = {person[S]: 0.9}, {person[S]: 0.01}
    name = [np.array([person[S], 0, 0, 0])] * 9
    usual = [table(sure, outside, outside, outside)] * 9
    half_seen = table({person[S]: 0.6, person[B]: 0.3}, {person[E]: 0.5}, outside, outside)
    longer = estimate_noise_rates([*name, name[0]], [*usual, half_seen], LABELS)
    assert longer.positive.estimate == pytest.approx(0.1)
    assert longer.negative.estimate == pytest.approx(1 / 30)
    apart = estimate_noise_rates(
        [*name, np.array([person[S]]), np.array([0, 0, 0])], [*usual, half_seen[:1], half_seen[1:]], LABELS
    )
    assert apart.positive.estimate == 0
    assert apart.negative.estimate == pytest.approx(1 / 30)


def test_without_labels_of_a_group_nothing_is_known() -> None:
    data = simulate(LEVELS[0], sentences=5)
    nothing = [np.zeros_like(row) for row in data.given]
    rates = estimate_noise_rates(nothing, data.probabilities, LABELS)
    assert rates.positives == 0
    assert rates.negative == rates.positive == Rate(0.0, 0.0, 1.0)
    everything = [np.full_like(row, number(0, S)) for row in data.given]
    assert estimate_noise_rates(everything, data.probabilities, LABELS).negative == Rate(0.0, 0.0, 1.0)
    assert estimate_noise_rates([], [], LABELS).negative == Rate(0.0, 0.0, 1.0)
    bare = LabelSet((), "BIES")
    assert not estimate_noise_rates([np.zeros(3, dtype=int)], [np.ones((3, 1))], bare).by_type


def test_one_type_is_enough() -> None:
    data = simulate(Noise(forgotten=0.4, invented=0.03))
    one = LabelSet(("name",), "BIES")
    rows = [np.where(row > 0, (row - 1) % 4 + 1, row) for row in data.given]
    merged = [
        np.column_stack([probabilities[:, :1], probabilities[:, 1:].reshape(-1, 3, 4).sum(1)])
        for probabilities in data.probabilities
    ]
    rates = estimate_noise_rates(rows, merged, one)
    assert rates.negative.estimate == pytest.approx(data.rates()[0], rel=0.15)
    assert rates.by_type["name"].estimate == pytest.approx(rates.positive.estimate)


def test_a_rare_type_leans_on_the_others() -> None:
    data = simulate(LEVELS[3], sentences=200)
    rows = [np.where(row > 8, 0, row) for row in data.given]
    rows[0][0] = number(2, S)
    rates = estimate_noise_rates(rows, data.probabilities, LABELS)
    assert rates.positives_by_type["PER"] == 1
    assert 0 < rates.by_type["PER"].estimate < 1


def test_schemes_without_ends_can_be_judged() -> None:
    plain = LabelSet(("PER",), "BI")
    rows = [np.array([0, 1, 2, 0])] * 10
    sure = np.array([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8], [0.9, 0.05, 0.05]])
    missing = [*rows, np.array([0, 0, 0, 0])]
    rates = estimate_noise_rates(missing, [sure] * 11, plain)
    assert rates.negative.estimate == pytest.approx(2 / 24)
    assert rates.positive.estimate == 0


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_labels_and_probabilities_give_rates_with_their_ranges(data: st.DataObject) -> None:
    lengths = data.draw(st.lists(st.integers(0, 5), max_size=4))
    seed = data.draw(st.integers(0, 1000))
    random = np.random.default_rng(seed)
    rows = [random.integers(-1, len(LABELS), size=length) for length in lengths]
    sharp = data.draw(st.sampled_from([0.01, 1.0, 100.0]))
    tables = [random.dirichlet(np.full(len(LABELS), sharp), size=length).astype(np.float32) for length in lengths]
    rates = estimate_noise_rates(rows, tables, LABELS)
    for rate in (rates.negative, rates.positive, *rates.by_type.values()):
        assert 0 <= rate.low <= rate.estimate <= rate.high <= 1
        assert np.isfinite(astuple(rate)).all()
    assert rates.negatives + rates.positives + rates.unknown == sum(lengths)
    assert sum(rates.positives_by_type.values()) == rates.positives


def test_what_does_not_fit_together_is_refused() -> None:
    row, fair = np.array([0, 1]), np.full((2, len(LABELS)), 1 / len(LABELS))
    with pytest.raises(InputError, match="1 sentences with labels, 0 with probabilities"):
        estimate_noise_rates([row], [], LABELS)
    with pytest.raises(InputError, match=r"sentence 0 .* shape \(1, 13\) for 2 tokens and 13 labels"):
        estimate_noise_rates([row], [fair[:1]], LABELS)
    with pytest.raises(InputError, match="label number 13 of 13 labels"):
        estimate_noise_rates([np.array([0, 13])], [fair], LABELS)
    with pytest.raises(InputError, match="not a number"):
        estimate_noise_rates([row], [np.full_like(fair, np.nan)], LABELS)
