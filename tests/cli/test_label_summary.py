"""What a run found about its labels, line by line."""

from typing import Any

import numpy as np
import pytest

from trustag.cli.label_summary import noise_rate_lines
from trustag.label_quality.analysis import LabelAnalysis
from trustag.noise_rates.rates import FoundRates, NoiseRates


@pytest.mark.parametrize(("rate", "expected"), [(0.0, []), (0.25, ["  least reliable: first word of PER 25%"])])
def test_the_least_reliable_labels_are_named_where_some_are_doubted(rate: float, expected: list[str]) -> None:
    nothing: dict[str, Any] = dict.fromkeys(("relabelled", "changes", "all_changes", "issues"), ())
    rates = FoundRates("auto", NoiseRates(0.0, rate, {"B-PER": rate}), (0.0, 1.0), (0.0, 1.0))
    labels = {"label": np.array([0, 1], dtype=np.int16), "names": np.array(["O", "B-PER"])}
    analysis = LabelAnalysis(rates, 1, 1, columns=labels, temperature=1.0, detection=None, **nothing)
    assert [line for line in noise_rate_lines(analysis) if "least reliable" in line] == expected
