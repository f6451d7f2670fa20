"""What the paper's objective does and tells from epoch to epoch."""

import pytest
import torch

from tests.training.confident_batches import B_PER, LABELS, OUTSIDE, batch_of, objective_of, settled, sure_of
from trustag.confidence.selection import NoiseRates
from trustag.data.encoded_corpus import Numbered
from trustag.recipes.settings import Recipe, TrainingSettings
from trustag.training.confident import ConfidentLabels


def test_an_epoch_tells_how_much_was_really_distrusted() -> None:
    rows = [[OUTSIDE] * 7, [B_PER] * 3, [B_PER]]
    objective = objective_of(rows, NoiseRates(0.1, 0.15), settled())
    objective.begin_epoch(0)
    for number, row in enumerate(rows):
        objective(batch_of([number], rows, [torch.randn(len(row), 5) for row in rows]))
    facts = objective.end_epoch(0)
    assert facts["distrusted_negative"] == pytest.approx(1 / 7)  # the floor of 6.3 stays
    assert facts["distrusted_positive"] == pytest.approx(1 / 4)  # the floor of 2.55 stays, and all where that is none


def test_an_epoch_counts_detected_noise_over_the_corpus_and_tells_the_confidence_of_both_kinds() -> None:
    rows = [[OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE], [OUTSIDE, OUTSIDE]]
    gold = [[OUTSIDE, OUTSIDE, OUTSIDE, B_PER], [OUTSIDE, B_PER]]
    views = [sure_of(0.9, 0.8, 0.3, 0.2), sure_of(0.4, 0.6)]
    objective = objective_of(rows, NoiseRates(0.5, 0.0), settled(), gold=gold)
    objective.begin_epoch(0)
    for number in (0, 1):
        objective(batch_of([number], rows, views))
    facts = objective.end_epoch(0)
    assert facts["detection_precision_negative"] == pytest.approx(1 / 3)
    assert facts["detection_recall_negative"] == pytest.approx(1 / 2)
    assert facts["detection_f1_negative"] == pytest.approx(0.4)
    assert facts["confidence_clean_negative"] == pytest.approx((0.9 + 0.8 + 0.3 + 0.4) / 4)
    assert facts["confidence_noisy_negative"] == pytest.approx((0.2 + 0.6) / 2)
    assert facts["detection_f1_positive"] == 0


@pytest.mark.parametrize(("schedule", "expected"), [("stepped", [0, 1, 2, 2]), ("smooth", [1, 1, 2, 2])])
def test_distrust_grows_with_the_epochs(schedule: str, expected: list[int]) -> None:
    chosen = settled(schedule=schedule, ramp=3, rounding="nearest")
    objective = objective_of([[OUTSIDE] * 4], NoiseRates(0.5, 0.0), chosen, epochs=4)
    dropped = []
    for epoch in range(4):
        objective.begin_epoch(epoch)
        decided = objective.decide(batch_of([0], [[OUTSIDE] * 4], [sure_of(0.9, 0.8, 0.7, 0.6)]))
        dropped.append(4 - int(decided.trusted.sum()))
    assert dropped == expected


def test_a_ramp_longer_than_the_training_ends_with_it() -> None:
    objective = objective_of([[OUTSIDE] * 4], NoiseRates(0.5, 0.0), settled(ramp=10), epochs=2)
    objective.begin_epoch(1)
    decided = objective.decide(batch_of([0], [[OUTSIDE] * 4], [sure_of(0.9, 0.8, 0.7, 0.6)]))
    assert decided.trusted.tolist() == [[True, True, False, False]]


@pytest.mark.parametrize(("weight", "expected"), [(0.0, [True, True, False]), (1.0, [True, False, True])])
def test_what_others_believed_before_counts_at_its_weight(weight: float, expected: list[bool]) -> None:
    rows, tokens = (torch.tensor([OUTSIDE] * 3),), (("word",) * 3,)
    recipe = Recipe(confidence=settled(rounding="nearest", prior=weight), training=TrainingSettings(epochs=1))
    prior = torch.tensor([0.9, 0.1, 0.6])
    objective = ConfidentLabels(Numbered(tokens, rows), LABELS, NoiseRates(1 / 3, 0.0), recipe, prior)
    objective.begin_epoch(0)
    decided = objective.decide(batch_of([0], [[OUTSIDE] * 3], [sure_of(0.9, 0.8, 0.7)]))
    assert decided.trusted.tolist() == [expected]


def test_an_untold_label_allows_everything_and_is_still_ranked_as_trusted() -> None:
    row = [OUTSIDE, OUTSIDE, OUTSIDE, B_PER]
    numbered = Numbered((("EFE", "EFE", "said", "Ann"),), (torch.tensor(row),))
    recipe = Recipe(confidence=settled(tellings=1), training=TrainingSettings(epochs=1))
    names = [("EFE",), ("EFE",), (None,), ("Ann",)]
    objective = ConfidentLabels(numbered, LABELS, NoiseRates(0.0, 0.0), recipe, names=names)
    objective.begin_epoch(0)
    decided = objective.decide(batch_of([0], [row], [torch.randn(4, 5)]))
    counts = decided.allowed[0].sum(-1).tolist()
    assert sorted(counts[:2]) == [1, 5]
    assert counts[2:] == [1, 1]
    assert objective.trusted.all()


def test_what_a_person_has_decided_is_told_each_time() -> None:
    row = [OUTSIDE] * 4
    reviewed = (torch.tensor([True, True, False, False]),)
    numbered = Numbered((("EFE",) * 4,), (torch.tensor(row),), reviewed=reviewed)
    recipe = Recipe(confidence=settled(tellings=1), training=TrainingSettings(epochs=1))
    objective = ConfidentLabels(numbered, LABELS, NoiseRates(0.0, 0.0), recipe, names=[("EFE",)] * 4)
    objective.begin_epoch(0)
    decided = objective.decide(batch_of([0], [row], [torch.randn(4, 5)]))
    assert decided.trusted[0, :2].all()
    assert int(decided.trusted[0, 2:].sum()) == 1
