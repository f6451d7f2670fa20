"""Noise rates with and without the labels that no model is told."""

import pytest
import torch

from trustag.confidence.selection import NoiseRates
from trustag.data.encoded_corpus import label_set
from trustag.training.told_rates import all_rates, told_rates


def test_labels_that_nobody_is_told_count_as_wrong() -> None:
    labels = label_set(["ORG", "PER"])
    organisation, person = labels.index["S-ORG"], labels.index["S-PER"]
    given = torch.tensor([organisation] * 10 + [person] * 10)
    untold = torch.tensor([True] * 4 + [False] * 16)
    rates = NoiseRates(0.1, 0.4, {"S-ORG": 0.7, "PER": 0.1, "S-LOC": 0.2})
    found = told_rates(rates, given, untold, labels)
    assert found.positive == pytest.approx((0.4 * 20 - 4) / 16)
    assert found.apart == {"S-ORG": pytest.approx((7 - 4) / 6), "PER": pytest.approx(0.1), "S-LOC": 0.0}
    assert told_rates(NoiseRates(0.1, 0.1), given, untold, labels).positive == 0.0
    assert told_rates(rates, given, torch.zeros_like(untold), labels) == rates
    outside = torch.tensor([0] * 10), torch.tensor([True] * 2 + [False] * 8)
    assert told_rates(NoiseRates(0.3, 0.4), *outside, labels).negative == pytest.approx((3 - 2) / 8)
    assert all_rates(NoiseRates(0.125, 0.4), *outside, labels).negative == pytest.approx(0.3)
    back = all_rates(found, given, untold, labels)
    assert back.positive == pytest.approx(rates.positive)
    assert back.apart == {"S-ORG": pytest.approx(0.7), "PER": pytest.approx(0.1), "S-LOC": 0.0}
