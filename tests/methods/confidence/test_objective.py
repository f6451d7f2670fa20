"""The paper's objective against its slow form, and where its settings lead."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.methods.confidence import paper_method
from tests.methods.confidence.made_up_batches import (
    B_LOC,
    B_PER,
    FLAT,
    I_PER,
    LABELS,
    OUTSIDE,
    batch_of,
    batch_with,
    corpus_of,
    objective_of,
    objective_on,
    paper_settings,
    schedule_of,
    settings_with,
    sure_of,
)
from tests.methods.confidence.paper_method import Example
from tests.training.small import small_network
from trustag.crf import Chain
from trustag.methods.confidence.objective import ConfidenceObjective, ConfidentLabels
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.models.crf_head import CRFHeadOutputs
from trustag.noise_rates.rates import NO_NOISE, NoiseRates
from trustag.text.label_sets import LabelSet
from trustag.training.objectives import GivenLabelsObjective

CHOICES = st.fixed_dictionaries(
    {
        "scoring": st.sampled_from(["local", "global"]),
        "calibration": st.booleans(),
        "part_score": st.sampled_from(["sum", "mean"]),
        "part_outside": st.booleans(),
        "schedule": st.sampled_from(["stepped", "smooth"]),
        "rounding": st.sampled_from(["floor", "nearest"]),
        "ramp_epochs": st.integers(1, 4),
    }
).map(lambda changes: paper_settings(**changes))


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
    logits = [drawn(length, len(labels)).requires_grad_() for length in lengths]
    rows = [torch.randint(len(labels), (length,), generator=generator).tolist() for length in lengths]
    objective = objective_of(rows, NoiseRates(*rates), chosen, epochs=5, labels=labels)
    objective.begin_epoch(epoch)
    batch = batch_of(range(len(rows)), rows, logits, chain)
    found = objective(batch).sum()

    example = Example(labels.labels, logits, chain, [[labels.labels[label] for label in row] for row in rows])
    ratios = [paper_method.drop_ratio(rate, epoch + 1, chosen.ramp_epochs, chosen.parity.schedule) for rate in rates]
    allowed = paper_method.allowed_sets(example, chosen, (ratios[0], ratios[1]))
    decided = objective.decide(batch).allowed
    for sentence, length in enumerate(lengths):
        rows_found = decided[sentence, :length].tolist()
        sets = [{name for name, is_in in zip(labels, row, strict=True) if is_in} for row in rows_found]
        assert sets == allowed[sentence]
    expected = paper_method.loss(example, allowed)
    torch.testing.assert_close(found, expected)
    for ours, theirs in zip(
        torch.autograd.grad(found, logits, allow_unused=True),
        torch.autograd.grad(expected, logits, allow_unused=True),
        strict=True,
    ):
        torch.testing.assert_close(ours, theirs)


def test_without_noise_every_label_is_trusted_as_by_the_plain_crf() -> None:
    rows = [[OUTSIDE, B_PER, I_PER], [B_LOC]]
    logits = [torch.randn(len(row), 5) for row in rows]
    objective = objective_of(rows, NO_NOISE, settings_with())
    objective.begin_epoch(0)
    batch = batch_of([0, 1], rows, logits)
    torch.testing.assert_close(objective(batch), GivenLabelsObjective()(batch), rtol=0, atol=0)


def test_batches_are_ranked_apart_or_the_whole_corpus_together() -> None:
    rows = [[OUTSIDE, OUTSIDE], [OUTSIDE, OUTSIDE]]
    logits = [sure_of(0.9, 0.8), sure_of(0.4, 0.3)]
    trusted = {}
    for ranking in ("batch", "epoch"):
        objective = objective_of(rows, NoiseRates(0.5, 0.0), settings_with(ranking=ranking), epochs=2)
        for epoch in range(2):
            objective.begin_epoch(epoch)
            for number in (0, 1):
                objective.decide(batch_of([number], rows, logits))
        trusted[ranking] = objective.trusted.tolist()
    assert trusted == {"batch": [True, False, True, False], "epoch": [True, True, False, False]}


def test_ranking_the_corpus_trusts_everything_until_an_epoch_has_been_recorded() -> None:
    objective = objective_of([[OUTSIDE, OUTSIDE]], NoiseRates(0.5, 0.0), settings_with(ranking="epoch"), epochs=2)
    objective.begin_epoch(0)
    objective.decide(batch_of([0], [[OUTSIDE, OUTSIDE]], [sure_of(0.9, 0.1)]))
    assert objective.trusted.tolist() == [True, True]
    objective.begin_epoch(1)
    assert objective.trusted.tolist() == [True, False]


@pytest.mark.parametrize(
    ("scoring_pass", "expected"), [("training", [True, False]), ("without dropout", [False, True])]
)
def test_the_chosen_pass_scores(scoring_pass: str, expected: list[bool]) -> None:
    objective = objective_of([[OUTSIDE, OUTSIDE]], NoiseRates(0.5, 0.0), settings_with(scoring_pass=scoring_pass))
    objective.begin_epoch(0)
    batch = batch_of([0], [[OUTSIDE, OUTSIDE]], [sure_of(0.9, 0.1)], without_dropout=[sure_of(0.2, 0.8)])
    assert objective.decide(batch).trusted.tolist() == [expected]


@pytest.mark.parametrize("ranking", ["batch", "epoch"])
@pytest.mark.parametrize(("ema_decay", "expected"), [(0.0, [False, True]), (0.9, [True, False])])
def test_confidence_may_be_the_mean_over_epochs(ranking: str, ema_decay: float, expected: list[bool]) -> None:
    objective = objective_of(
        [[OUTSIDE, OUTSIDE]], NoiseRates(0.5, 0.0), settings_with(ranking=ranking, ema_decay=ema_decay), epochs=4
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
    logits = torch.zeros(4, 5)
    logits[0, OUTSIDE], logits[2, B_PER] = -5000.0, -3000.0
    for scoring in ("local", "global"):
        objective = objective_of(rows, NoiseRates(0.5, 0.5), settings_with(scoring=scoring))
        objective.begin_epoch(0)
        assert objective.decide(batch_of([0], rows, [logits])).trusted.tolist() == [[False, True, False, True]]


@pytest.mark.parametrize("scoring", ["local", "global"])
@pytest.mark.parametrize("filling", [-1e30, 1e30])
def test_what_stands_in_the_padding_has_no_influence(scoring: str, filling: float) -> None:
    rows = [[OUTSIDE, B_PER, I_PER], [B_LOC]]
    logits = [torch.randn(3, 5), torch.randn(1, 5)]
    chain = Chain(torch.randn(5, 5), torch.randn(5), torch.randn(5))
    found = []
    for value in (0.0, filling):
        batch = batch_of([0, 1], rows, logits, chain)
        batch.label_outputs.logits[1, 1:] = value
        objective = objective_of(rows, NoiseRates(0.5, 0.5), settings_with(scoring=scoring))
        objective.begin_epoch(0)
        found.append((objective.decide(batch).allowed[batch.mask], objective(batch)))
    assert torch.equal(found[0][0], found[1][0])
    assert torch.equal(found[0][1], found[1][1])


def test_local_and_global_differ_in_their_probabilities_alone() -> None:
    rows = [[OUTSIDE, B_PER, I_PER, OUTSIDE], [B_LOC, OUTSIDE]]
    logits = [torch.randn(len(row), 5) for row in rows]
    found = []
    for scoring in ("local", "global"):
        objective = objective_of(rows, NoiseRates(0.5, 0.5), settings_with(scoring=scoring))
        objective.begin_epoch(0)
        batch = batch_of([0, 1], rows, logits, FLAT)
        found.append((objective.decide(batch).allowed[batch.mask], objective(batch)))
    assert torch.equal(found[0][0], found[1][0])
    torch.testing.assert_close(found[0][1], found[1][1])


def test_untrained_labels_may_compete_in_local_confidence() -> None:
    rows = [[OUTSIDE, OUTSIDE]]
    plain = batch_of([0], rows, [sure_of(0.9, 0.2)])
    outputs = CRFHeadOutputs(torch.randn(1, 2, 16), plain.label_outputs.logits, FLAT, plain.mask)
    batch = batch_with([0], plain.labels, outputs, outputs)
    totals = []
    for is_on in (False, True):
        objective = objective_of(rows, NoiseRates(0.5, 0.0), settings_with(untrained_labels=is_on))
        objective.begin_epoch(0)
        totals.append(objective.decide(batch).probabilities.sum(-1))
    torch.testing.assert_close(totals[0], torch.ones(1, 2))
    assert (totals[1] < 1).all()


@pytest.mark.parametrize("ranking", ["batch", "epoch"])
def test_the_least_confident_label_stays_trusted_if_reviewed_and_takes_no_other_label_s_place(ranking: str) -> None:
    row = [OUTSIDE] * 5
    corpus = corpus_of([row], reviewed=[[True, False, False, False, False]])
    objective = objective_on(corpus, NoiseRates(0.5, 0.5), settings_with(ranking=ranking, ema_decay=0.0), epochs=2)
    batch = batch_of([0], [row], [sure_of(0.01, 0.9, 0.2, 0.8, 0.1)])
    for epoch in range(2):
        objective.begin_epoch(epoch)
        decision = objective.decide(batch)
    # Half of the four others go, and the first is none of them.
    assert decision.trusted.tolist() == [[True, True, False, True, False]]
    assert decision.allowed[0, 0].tolist() == [label == OUTSIDE for label in range(5)]
    assert B_LOC in decision.allowed[0, 4].nonzero().flatten().tolist()


def test_the_specification_builds_the_objective_for_its_rates() -> None:
    corpus = corpus_of([[OUTSIDE, B_PER]])
    spec = ConfidentLabels(NoiseRates(0.1, 0.2), settings_with())
    built = spec.build(corpus, small_network(LABELS, corpus.tokens), schedule_of(3))
    assert isinstance(built, ConfidenceObjective)
    assert built.dropping.groups.rates == (0.1, 0.2)
    assert built.tracker.dynamics.scores.shape == (3, 2)
