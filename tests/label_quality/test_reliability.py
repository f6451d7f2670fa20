"""Reliability against a plain count of every bin, and a temperature that undoes what was done to a model."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from trustag.crf import Chain
from trustag.crf.outputs import Judgement
from trustag.label_quality.reliability import reliability, reliability_by_part
from trustag.label_quality.temperature import fitted_temperature

PAIRS = st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40)


@given(PAIRS, st.integers(1, 12))
def test_bins_hold_what_a_plain_count_finds(pairs: list[tuple[float, bool]], bins: int) -> None:
    confidence, right = np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs], dtype=bool)
    found = reliability(confidence, right, bins)
    error = 0.0
    for number in range(bins):
        own = [p for p in pairs if min(int(p[0] * bins), bins - 1) == number]
        if own:
            error += abs(sum(p[0] for p in own) - sum(p[1] for p in own))
    assert found.count == len(pairs)
    assert found.error == pytest.approx(error / len(pairs) if pairs else 0.0)


def test_parts_are_told_apart_by_position_and_by_type() -> None:
    names = ("O", "B-PER", "S-PER", "S-LOC")
    labels, right = np.array([0, 1, 2, 3, 3]), np.array([True, True, False, True, False])
    by_position, by_type = reliability_by_part(labels, names, np.full(5, 0.75), right)
    assert {part: found.count for part, found in by_position.items()} == {"O": 1, "B": 1, "S": 3}
    assert {part: found.count for part, found in by_type.items()} == {"O": 1, "PER": 2, "LOC": 2}
    assert by_type["LOC"].error == pytest.approx(0.25)


@pytest.mark.parametrize("factor", [0.6, 1.0, 2.0])
def test_a_model_that_is_too_sure_by_a_factor_is_found_out(factor: float) -> None:
    generator = torch.Generator().manual_seed(1)
    emissions = torch.randn(6000, 3, generator=generator)
    flat = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))
    labels = torch.multinomial(emissions.softmax(1), 1, generator=generator)[:, 0]  # what an honest model would expect
    sure = Judgement([10] * 600, emissions * factor, flat)
    assert fitted_temperature([(sure, labels, torch.zeros(6000))]) == pytest.approx(factor, rel=0.15)


def test_nothing_known_leaves_probabilities_as_they_are() -> None:
    flat = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))
    judgement = Judgement([2], torch.zeros(2, 3), flat)
    assert fitted_temperature([(judgement, torch.full((2,), -1), torch.zeros(2))]) == 1.0


@given(st.integers(0, 100), st.floats(0.5, 4))
def test_best_paths_do_not_depend_on_temperature(seed: int, temperature: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    chain = Chain(torch.randn(3, 3, generator=generator), torch.zeros(3), torch.tensor([0.0, -math.inf, 0.0]))
    judgement = Judgement([4, 1], torch.randn(5, 3, generator=generator), chain)
    assert torch.equal(judgement.at(temperature).best_labels(), judgement.best_labels())
