"""The paper's objective against its slow form, and where its settings lead."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.training import paper_method
from tests.training.confident_batches import (
    B_LOC,
    B_PER,
    FLAT,
    I_PER,
    OUTSIDE,
    PAPER,
    batch_of,
    objective_of,
    settled,
    sure_of,
)
from tests.training.paper_method import Example
from trustag.confidence.selection import NoiseRates
from trustag.crf import Chain
from trustag.recipes.doubt_settings import ConfidenceSettings
from trustag.text.label_sets import LabelSet
from trustag.training.objectives import GivenLabels, Pass, Scored

CHOICES = st.fixed_dictionaries(
    {
        "scoring": st.sampled_from(["local", "global"]),
        "calibration": st.booleans(),
        "part_score": st.sampled_from(["sum", "mean"]),
        "part_outside": st.booleans(),
        "schedule": st.sampled_from(["stepped", "smooth"]),
        "rounding": st.sampled_from(["floor", "nearest"]),
        "ramp": st.integers(1, 4),
    }
).map(lambda changes: PAPER.model_copy(update=changes))


@settings(max_examples=60)
@given(
    chosen=CHOICES,
    shape=st.sampled_from([(("A", "B"), "BI"), (("A",), "BIES"), (("A", "B", "C"), "I")]),
    lengths=st.lists(st.integers(1, 3), min_size=1, max_size=3),
    rates=st.tuples(st.sampled_from([0.0, 0.2, 0.5]), st.sampled_from([0.0, 0.3, 0.6])),
    epoch=st.integers(0, 4),
    seed=st.integers(0, 10_000),
)
def test_the_method_equals_its_slow_form(
    chosen: ConfidenceSettings,
    shape: tuple[tuple[str, ...], str],
    lengths: list[int],
    rates: tuple[float, float],
    epoch: int,
    seed: int,
) -> None:
    labels = LabelSet(*shape)
    generator = torch.Generator().manual_seed(seed)

    def drawn(*sizes: int) -> Tensor:
        return torch.randn(*sizes, generator=generator, dtype=torch.float64) * 2

    chain = Chain(drawn(len(labels), len(labels)), drawn(len(labels)), drawn(len(labels)))
    emissions = [drawn(length, len(labels)).requires_grad_() for length in lengths]
    rows = [torch.randint(len(labels), (length,), generator=generator).tolist() for length in lengths]
    objective = objective_of(rows, NoiseRates(*rates), chosen, epochs=5, labels=labels)
    objective.begin_epoch(epoch)
    batch = batch_of(range(len(rows)), rows, emissions, chain)
    found = objective(batch).sum()

    example = Example(labels.labels, emissions, chain, [[labels.labels[label] for label in row] for row in rows])
    ratios = [paper_method.drop_ratio(rate, epoch + 1, chosen.ramp, chosen.schedule) for rate in rates]
    allowed = paper_method.allowed_sets(example, chosen, (ratios[0], ratios[1]))
    decided = objective.decide(batch).allowed
    for sentence, length in enumerate(lengths):
        rows_found = decided[sentence, :length].tolist()
        sets = [{name for name, is_in in zip(labels, row, strict=True) if is_in} for row in rows_found]
        assert sets == allowed[sentence]
    expected = paper_method.loss(example, allowed)
    torch.testing.assert_close(found, expected)
    for ours, theirs in zip(
        torch.autograd.grad(found, emissions, allow_unused=True),
        torch.autograd.grad(expected, emissions, allow_unused=True),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs)


def test_without_noise_every_label_is_believed_as_by_the_plain_crf() -> None:
    rows = [[OUTSIDE, B_PER, I_PER], [B_LOC]]
    emissions = [torch.randn(len(row), 5) for row in rows]
    objective = objective_of(rows, NoiseRates(0.0, 0.0), settled())
    objective.begin_epoch(0)
    batch = batch_of([0, 1], rows, emissions)
    torch.testing.assert_close(objective(batch), GivenLabels()(batch), rtol=0, atol=0)


def test_batches_are_ranked_apart_or_the_whole_corpus_together() -> None:
    rows = [[OUTSIDE, OUTSIDE], [OUTSIDE, OUTSIDE]]
    emissions = [sure_of(0.9, 0.8), sure_of(0.4, 0.3)]
    trusted = {}
    for ranking in ("batch", "epoch"):
        objective = objective_of(rows, NoiseRates(0.5, 0.0), settled(ranking=ranking), epochs=2)
        for epoch in range(2):
            objective.begin_epoch(epoch)
            for number in (0, 1):
                objective.decide(batch_of([number], rows, emissions))
        trusted[ranking] = objective.trusted.tolist()
    assert trusted == {"batch": [True, False, True, False], "epoch": [True, True, False, False]}


def test_ranking_the_corpus_trusts_everything_until_an_epoch_has_been_recorded() -> None:
    objective = objective_of([[OUTSIDE, OUTSIDE]], NoiseRates(0.5, 0.0), settled(ranking="epoch"), epochs=2)
    objective.begin_epoch(0)
    objective.decide(batch_of([0], [[OUTSIDE, OUTSIDE]], [sure_of(0.9, 0.1)]))
    assert objective.trusted.tolist() == [True, True]
    objective.begin_epoch(1)
    assert objective.trusted.tolist() == [True, False]


@pytest.mark.parametrize(("passes", "expected"), [("training", [True, False]), ("clean", [False, True])])
def test_the_chosen_pass_scores(passes: str, expected: list[bool]) -> None:
    objective = objective_of([[OUTSIDE, OUTSIDE]], NoiseRates(0.5, 0.0), settled(passes=passes))
    objective.begin_epoch(0)
    batch = batch_of([0], [[OUTSIDE, OUTSIDE]], [sure_of(0.9, 0.1)], clean=[sure_of(0.2, 0.8)])
    assert objective.decide(batch).trusted.tolist() == [expected]


@pytest.mark.parametrize("ranking", ["batch", "epoch"])
@pytest.mark.parametrize(("memory", "expected"), [(0.0, [False, True]), (0.9, [True, False])])
def test_confidence_may_be_the_mean_over_epochs(ranking: str, memory: float, expected: list[bool]) -> None:
    objective = objective_of(
        [[OUTSIDE, OUTSIDE]], NoiseRates(0.5, 0.0), settled(ranking=ranking, memory=memory), epochs=4
    )
    views = [sure_of(0.9, 0.1), sure_of(0.9, 0.1), sure_of(0.3, 0.4)]
    for epoch, view in enumerate(views):
        objective.begin_epoch(epoch)
        objective.decide(batch_of([0], [[OUTSIDE, OUTSIDE]], [view]))
    if ranking == "epoch":
        objective.begin_epoch(3)
    assert objective.trusted.tolist() == expected


def test_groups_stay_apart_however_unlikely_a_label_is() -> None:
    rows = [[OUTSIDE, OUTSIDE, B_PER, B_PER]]
    emissions = torch.zeros(4, 5)
    emissions[0, OUTSIDE], emissions[2, B_PER] = -5000.0, -3000.0
    for scoring in ("local", "global"):
        objective = objective_of(rows, NoiseRates(0.5, 0.5), settled(scoring=scoring))
        objective.begin_epoch(0)
        assert objective.decide(batch_of([0], rows, [emissions])).trusted.tolist() == [[False, True, False, True]]


@pytest.mark.parametrize("scoring", ["local", "global"])
@pytest.mark.parametrize("filling", [-1e30, 1e30])
def test_what_stands_in_the_padding_has_no_influence(scoring: str, filling: float) -> None:
    rows = [[OUTSIDE, B_PER, I_PER], [B_LOC]]
    emissions = [torch.randn(3, 5), torch.randn(1, 5)]
    chain = Chain(torch.randn(5, 5), torch.randn(5), torch.randn(5))
    found = []
    for value in (0.0, filling):
        batch = batch_of([0, 1], rows, emissions, chain)
        batch.emissions[1, 1:] = value
        objective = objective_of(rows, NoiseRates(0.5, 0.5), settled(scoring=scoring))
        objective.begin_epoch(0)
        found.append((objective.decide(batch).allowed[batch.mask], objective(batch)))
    assert torch.equal(found[0][0], found[1][0])
    assert torch.equal(found[0][1], found[1][1])


def test_local_and_global_differ_in_their_probabilities_alone() -> None:
    rows = [[OUTSIDE, B_PER, I_PER, OUTSIDE], [B_LOC, OUTSIDE]]
    emissions = [torch.randn(len(row), 5) for row in rows]
    found = []
    for scoring in ("local", "global"):
        objective = objective_of(rows, NoiseRates(0.5, 0.5), settled(scoring=scoring))
        objective.begin_epoch(0)
        batch = batch_of([0, 1], rows, emissions, FLAT)
        found.append((objective.decide(batch).allowed[batch.mask], objective(batch)))
    assert torch.equal(found[0][0], found[1][0])
    torch.testing.assert_close(found[0][1], found[1][1])


def test_a_token_loss_trains_the_softmax_on_trusted_labels_alone() -> None:
    rows = [[OUTSIDE, OUTSIDE]]
    emissions = sure_of(0.9, 0.2)
    losses = []
    for weight in (0.0, 0.5):
        objective = objective_of(rows, NoiseRates(0.5, 0.0), settled(token_loss=weight))
        objective.begin_epoch(0)
        losses.append(objective(batch_of([0], rows, [emissions])).item())
    assert losses[1] - losses[0] == pytest.approx(-0.5 * math.log(0.9), rel=1e-5)


def test_untrained_labels_may_compete_in_local_confidence() -> None:
    rows = [[OUTSIDE, OUTSIDE]]
    plain = batch_of([0], rows, [sure_of(0.9, 0.2)])
    reading = Pass(torch.randn(1, 2, 16), plain.emissions)
    batch = Scored(plain.sentences, plain.labels, plain.mask, reading, FLAT, lambda: reading)
    totals = []
    for idle in (False, True):
        objective = objective_of(rows, NoiseRates(0.5, 0.0), settled(idle_labels=idle))
        objective.begin_epoch(0)
        totals.append(objective.decide(batch).probabilities.sum(-1))
    torch.testing.assert_close(totals[0], torch.ones(1, 2))
    assert (totals[1] < 1).all()
