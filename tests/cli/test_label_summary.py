"""What a run found about its labels, line by line."""

from typing import Any

import numpy as np
import pytest

from trustag.cli.label_summary import noise_rate_lines
from trustag.label_quality.analysis import LabelAnalysis
from trustag.noise_rates.estimates import Rate
from trustag.noise_rates.kinds import KindRates
from trustag.noise_rates.rates import FoundRates, NoiseRates


@pytest.mark.parametrize(("rate", "expected"), [(0.0, []), (0.25, ["  least reliable: first word of PER 25%"])])
def test_the_least_reliable_labels_are_named_where_some_are_doubted(rate: float, expected: list[str]) -> None:
    nothing: dict[str, Any] = dict.fromkeys(("relabelled", "changes", "all_changes", "issues"), ())
    rates = FoundRates("auto", NoiseRates(0.0, rate, {"B-PER": rate}), (0.0, 1.0), (0.0, 1.0))
    labels = {"label": np.array([0, 1], dtype=np.int16), "names": np.array(["O", "B-PER"])}
    analysis = LabelAnalysis(rates, 1, 1, columns=labels, temperature=1.0, detection=None, **nothing)
    assert [line for line in noise_rate_lines(analysis) if "least reliable" in line] == expected


@pytest.mark.parametrize("source", ["auto", "pairs"])
def test_kinds_that_were_counted_have_a_rate_and_those_that_are_bounded_a_range_alone(source: str) -> None:
    nothing: dict[str, Any] = dict.fromkeys(("relabelled", "changes", "all_changes", "issues"), ())
    own = {"spurious": Rate(0.12, 0.05, 0.2), "type": Rate(0.0, 0.0, 0.1), "boundary": Rate(0.0, 0.0, 0.1)}
    kinds = KindRates(Rate(0.1, 0.05, 0.2), **own, by_type={"PER": own})
    rates = FoundRates(source, NoiseRates(0.1, 0.12), (0.05, 0.2), (0.05, 0.3), kinds=kinds)
    labels = {"label": np.array([0, 1], dtype=np.int16), "names": np.array(["O", "B-PER"])}
    analysis = LabelAnalysis(rates, 1, 1, columns=labels, temperature=1.0, detection=None, **nothing)
    text = "\n".join(noise_rate_lines(analysis))
    line = next(line for line in text.splitlines() if "no entity" in line)
    assert "(5.0% to 20.0%)" in line
    assert ("12.0%" in line and "most of PER" in line) == (source == "pairs")
    assert ("bounds from dev" in text) == (source == "auto")
    assert max(map(len, text.splitlines())) <= 100
