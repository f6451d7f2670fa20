"""The fitted temperature: against a search over a grid, and undoing what was done to a model."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from trustag.crf import Chain
from trustag.crf.crf_outputs import CRFOutputs
from trustag.label_quality.temperature import fitted_temperature

FLAT = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))
COLDEST, HOTTEST = 0.5, 4.0
PRECISION = 1.08  # eight cuts of the range by a third leave a factor of less than this


def random_tokens(seed: int, count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Scores of three labels, labels as likely as a hotter model says, and how likely each is wrong.

    Some labels are unknown; others are replaced by any label at all, and these are likely wrong.
    """
    generator = torch.Generator().manual_seed(seed)
    emissions = 3 * torch.randn(count, 3, generator=generator)
    labels = torch.multinomial((emissions / 1.8).softmax(1), 1, generator=generator)[:, 0]
    replaced = torch.rand(count, generator=generator) < 0.3
    labels = torch.where(replaced, torch.randint(-1, 3, (count,), generator=generator), labels)
    return emissions, labels, torch.where(replaced, 0.9, 0.05)


def loss_at(temperature: float, emissions: torch.Tensor, labels: torch.Tensor, wrong: torch.Tensor) -> float:
    """The cross-entropy between "right" and "wrong" in the given shares, for tokens that do not depend on others."""
    loss = 0.0
    for scores, label, doubt in zip(emissions.tolist(), labels.tolist(), wrong.tolist(), strict=True):
        if label >= 0:
            powers = [math.exp(score / temperature) for score in scores]
            right = powers[label] / sum(powers)
            loss -= (1 - doubt) * math.log(right) + doubt * math.log(1 - right)
    return loss


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_no_temperature_on_a_grid_is_better(seed: int) -> None:
    emissions, labels, wrong = random_tokens(seed, 30)
    labels[0] = 0
    outputs = CRFOutputs([10] * 3, emissions, FLAT)
    found = fitted_temperature([(outputs, labels, wrong)])
    grid = np.exp(np.linspace(math.log(COLDEST), math.log(HOTTEST), 60))
    losses = [loss_at(temperature, emissions, labels, wrong) for temperature in grid]
    # A loss with two valleys may be left in the shallower one; such are not asked about.
    falls = [after < before for before, after in pairwise(losses)]
    if falls == sorted(falls, reverse=True):
        best = float(grid[int(np.argmin(losses))])
        assert best / PRECISION**2 < found < best * PRECISION**2


@pytest.mark.parametrize("factor", [0.6, 1.0, 2.0])
def test_a_model_that_is_too_sure_by_a_factor_is_found_out(factor: float) -> None:
    generator = torch.Generator().manual_seed(1)
    emissions = torch.randn(6000, 3, generator=generator)
    flat = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))
    labels = torch.multinomial(emissions.softmax(1), 1, generator=generator)[:, 0]  # what an honest model would expect
    sure = CRFOutputs([10] * 600, emissions * factor, flat)
    assert fitted_temperature([(sure, labels, torch.zeros(6000))]) == pytest.approx(factor, rel=0.15)


def test_nothing_known_leaves_probabilities_as_they_are() -> None:
    flat = Chain(torch.zeros(3, 3), torch.zeros(3), torch.zeros(3))
    outputs = CRFOutputs([2], torch.zeros(2, 3), flat)
    assert fitted_temperature([(outputs, torch.full((2,), -1), torch.zeros(2))]) == 1.0


@given(st.integers(0, 100), st.floats(0.5, 4))
def test_best_paths_do_not_depend_on_temperature(seed: int, temperature: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    chain = Chain(torch.randn(3, 3, generator=generator), torch.zeros(3), torch.tensor([0.0, -math.inf, 0.0]))
    outputs = CRFOutputs([4, 1], torch.randn(5, 3, generator=generator), chain)
    assert torch.equal(outputs.at(temperature).best_labels(), outputs.best_labels())


def test_labels_that_are_wrong_for_sure_count_against_the_model() -> None:
    sure = CRFOutputs([1] * 40, torch.tensor([[4.0, 0.0, 0.0]] * 40), FLAT)
    labels = torch.zeros(40, dtype=torch.long)
    right, doubtful, wrong = (fitted_temperature([(sure, labels, torch.full((40,), p))]) for p in (0.0, 0.3, 1.0))
    assert right == pytest.approx(COLDEST, rel=PRECISION - 1)
    assert wrong == pytest.approx(HOTTEST, rel=PRECISION - 1)
    # The label must come out with a probability of 0.7 after division by the temperature: 4 / T = log(0.7 / 0.15).
    assert doubtful == pytest.approx(4 / math.log(0.7 / 0.15), rel=PRECISION - 1)


def test_unknown_labels_and_the_split_into_folds_have_no_influence() -> None:
    emissions, labels, wrong = random_tokens(5, 60)
    whole = fitted_temperature([(CRFOutputs([10] * 6, emissions, FLAT), labels, wrong)])
    halves = [
        (CRFOutputs([10] * 3, emissions[own], FLAT), labels[own], wrong[own]) for own in (slice(0, 30), slice(30, 60))
    ]
    assert fitted_temperature(halves) == pytest.approx(whole)
    known = labels >= 0
    alone = CRFOutputs([1] * int(known.sum()), emissions[known], FLAT)
    assert fitted_temperature([(alone, labels[known], wrong[known])]) == pytest.approx(whole)


def test_of_many_sentences_an_even_sample_with_its_own_labels_is_enough() -> None:
    emissions, labels, wrong = random_tokens(7, 1200)
    lengths = [1, 3] * 300
    starts = np.cumsum([0, *lengths])
    few = CRFOutputs(lengths, emissions, FLAT)
    # Every sentence twice: of 1,200 sentences every second one is taken, which leaves each of them once.
    twice = torch.cat([torch.arange(starts[number], starts[number + 1]) for number in range(600) for _ in range(2)])
    many = CRFOutputs([length for length in lengths for _ in range(2)], emissions[twice], FLAT)
    assert fitted_temperature([(many, labels[twice], wrong[twice])]) == fitted_temperature([(few, labels, wrong)])
