"""Noise rates with and without the labels that are hidden from every model."""

import pytest
import torch

from trustag.noise_rates.rates import NoiseRates
from trustag.noise_rates.visible_rates import all_rates, visible_rates
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["ORG", "PER"])
ORGANISATION, PERSON = LABELS.index["S-ORG"], LABELS.index["S-PER"]
GIVEN = torch.tensor([ORGANISATION] * 10 + [PERSON] * 10)
HIDDEN = torch.tensor([True] * 4 + [False] * 16)
RATES = NoiseRates(0.1, 0.4, {"S-ORG": 0.7, "PER": 0.1, "S-LOC": 0.2})


def test_hidden_labels_count_as_wrong() -> None:
    found = visible_rates(RATES, GIVEN, HIDDEN, LABELS)
    assert found.positive == pytest.approx((0.4 * 20 - 4) / 16)
    assert found.by_group == {"S-ORG": pytest.approx((7 - 4) / 6), "PER": pytest.approx(0.1), "S-LOC": 0.0}
    outside = torch.tensor([0] * 10), torch.tensor([True] * 2 + [False] * 8)
    assert visible_rates(NoiseRates(0.3, 0.4), *outside, LABELS).negative == pytest.approx((3 - 2) / 8)
    assert all_rates(NoiseRates(0.125, 0.4), *outside, LABELS).negative == pytest.approx(0.3)


def test_more_hidden_than_wrong_labels_leave_no_noise() -> None:
    assert visible_rates(NoiseRates(0.1, 0.1), GIVEN, HIDDEN, LABELS).positive == 0.0


def test_without_hidden_labels_rates_stay() -> None:
    nothing = torch.zeros_like(HIDDEN)
    assert visible_rates(RATES, GIVEN, nothing, LABELS) == all_rates(RATES, GIVEN, nothing, LABELS) == RATES


def test_rates_of_all_labels_lead_back_from_those_of_visible_ones() -> None:
    back = all_rates(visible_rates(RATES, GIVEN, HIDDEN, LABELS), GIVEN, HIDDEN, LABELS)
    assert back.positive == pytest.approx(RATES.positive)
    assert back.by_group == {"S-ORG": pytest.approx(0.7), "PER": pytest.approx(0.1), "S-LOC": 0.0}
