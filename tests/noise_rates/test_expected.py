"""Expected noise rates against sums by hand, and their ranges."""

import numpy as np
import pytest

from trustag.noise_rates.expected import expected_rates
from trustag.text.label_sets import LabelSet

LABELS = LabelSet(("PER",), "BI")
GIVEN = np.array([0, 1, 0, 0, 1, -1])
FIRST = np.array([0.9, 0.5, 1.0, 0.8, 0.1, 0.3])
OTHER = np.array([0.7, 0.3, 1.0, 0.8, 0.1, 0.9])


def test_a_rate_is_the_mean_of_what_all_models_expect() -> None:
    rates = expected_rates(GIVEN, [FIRST, OTHER], [2, 4], LABELS)
    assert rates.negative.estimate == pytest.approx((0.1 + 0 + 0.2 + 0.3 + 0 + 0.2) / 6)
    assert rates.positive.estimate == pytest.approx((0.5 + 0.9 + 0.7 + 0.9) / 4)
    assert (rates.negatives, rates.positives, rates.unknown) == (3, 2, 1)


def test_the_range_takes_in_every_model() -> None:
    both = expected_rates(GIVEN, [FIRST, OTHER], [2, 4], LABELS)
    for own in (FIRST, OTHER):
        alone = expected_rates(GIVEN, [own], [2, 4], LABELS)
        assert both.positive.low <= alone.positive.low <= alone.positive.estimate
        assert alone.positive.estimate <= alone.positive.high <= both.positive.high


def test_without_such_labels_nothing_is_known() -> None:
    rates = expected_rates(np.zeros(2, dtype=np.int64), [np.ones(2)], [2], LABELS)
    assert (rates.positive.estimate, rates.positive.low, rates.positive.high) == (0.0, 0.0, 1.0)
