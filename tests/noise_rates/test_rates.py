"""Noise rates as values: the rate of a label, the cap, and what is written down."""

import json

import pytest

from trustag.noise_rates.rates import NO_NOISE, FoundRates, NoiseRates, TruncatedEntityCounts


@pytest.mark.parametrize(
    ("label", "group"), [("S-PER", "S-PER"), ("B-PER", "PER"), ("B-LOC", ""), ("S-geo-loc", "geo-loc")]
)
def test_a_label_has_its_own_rate_or_that_of_its_type_or_none(label: str, group: str) -> None:
    assert NoiseRates(0.1, 0.2, {"PER": 0.3, "S-PER": 0.4, "geo-loc": 0.5}).group(label) == group


def test_some_labels_of_every_group_stay_trusted() -> None:
    assert NoiseRates(1.0, 0.2, {"PER": 0.99, "LOC": 0.5}).capped() == NoiseRates(0.95, 0.2, {"PER": 0.95, "LOC": 0.5})
    assert NO_NOISE.capped() == NO_NOISE


def test_a_summary_holds_everything_as_plain_values() -> None:
    counts = TruncatedEntityCounts(10, 1, 8, 0.9)
    found = FoundRates("auto", NoiseRates(0.1, 0.2, {"PER": 0.3}), (0.05, 0.15), None, counts)
    summary = found.summary()
    assert json.loads(json.dumps(summary)) == {
        "source": "auto",
        "negative": 0.1,
        "negative_interval": [0.05, 0.15],
        "positive": 0.2,
        "positive_interval": None,
        "by_group": {"PER": 0.3},
        "truncated_entities": {"labels": 10, "same": 1, "another": 8, "agreed": 0.9},
    }
    assert FoundRates("given", NO_NOISE).summary()["truncated_entities"] is None
