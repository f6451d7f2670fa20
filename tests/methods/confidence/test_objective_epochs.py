"""What the paper's objective does and logs from epoch to epoch, and how it survives a checkpoint."""

import pytest
import torch

from tests.methods.confidence.made_up_batches import (
    B_PER,
    OUTSIDE,
    batch_of,
    corpus_of,
    objective_of,
    objective_on,
    schedule_of,
    settings_with,
    sure_of,
)
from trustag.methods.confidence.objective import ConfidenceObjective
from trustag.noise_rates.rates import NO_NOISE, NoiseRates
from trustag.training.schedule import FitSchedule


def test_an_epoch_logs_how_much_was_really_distrusted() -> None:
    rows = [[OUTSIDE] * 7, [B_PER] * 3, [B_PER]]
    objective = objective_of(rows, NoiseRates(0.1, 0.15), settings_with())
    objective.begin_epoch(0)
    for number, row in enumerate(rows):
        objective(batch_of([number], rows, [torch.randn(len(row), 5) for row in rows]))
    facts = objective.end_epoch(0)
    assert facts["distrusted_negative"] == pytest.approx(1 / 7)  # the floor of 6.3 stays
    assert facts["distrusted_positive"] == pytest.approx(1 / 4)  # the floor of 2.55 stays, and all where that is none


def test_an_epoch_counts_detected_noise_over_the_corpus_and_logs_the_confidence_of_both_kinds() -> None:
    rows = [[OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE], [OUTSIDE, OUTSIDE]]
    gold = [[OUTSIDE, OUTSIDE, OUTSIDE, B_PER], [OUTSIDE, B_PER]]
    views = [sure_of(0.9, 0.8, 0.3, 0.2), sure_of(0.4, 0.6)]
    objective = objective_of(rows, NoiseRates(0.5, 0.0), settings_with(), gold=gold)
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
    chosen = settings_with(schedule=schedule, ramp_epochs=3, rounding="nearest")
    objective = objective_of([[OUTSIDE] * 4], NoiseRates(0.5, 0.0), chosen, epochs=4)
    dropped = []
    for epoch in range(4):
        objective.begin_epoch(epoch)
        decided = objective.decide(batch_of([0], [[OUTSIDE] * 4], [sure_of(0.9, 0.8, 0.7, 0.6)]))
        dropped.append(4 - int(decided.trusted.sum()))
    assert dropped == expected


def test_a_ramp_longer_than_the_training_ends_with_it() -> None:
    objective = objective_of([[OUTSIDE] * 4], NoiseRates(0.5, 0.0), settings_with(ramp_epochs=10), epochs=2)
    objective.begin_epoch(1)
    decided = objective.decide(batch_of([0], [[OUTSIDE] * 4], [sure_of(0.9, 0.8, 0.7, 0.6)]))
    assert decided.trusted.tolist() == [[True, True, False, False]]


def test_the_ramp_grows_with_the_epochs_of_a_small_corpus() -> None:
    schedule = FitSchedule(seed=1, epochs=30, patience=30, batch_size=8, nominal_epochs=10)
    objective = ConfidenceObjective(corpus_of([[OUTSIDE]]), schedule, NO_NOISE, settings_with(ramp_epochs=4))
    assert objective.dropping.ramp == 12


def test_a_label_that_is_not_visible_allows_everything_and_is_still_ranked_as_trusted() -> None:
    row = [OUTSIDE, OUTSIDE, OUTSIDE, OUTSIDE, B_PER]
    # What is labelled as an entity somewhere is a name wherever it stands.
    corpus = corpus_of([row, [B_PER]], words=[["EFE", "and", "EFE", "saw", "Ann"], ["EFE"]])
    objective = objective_on(corpus, NO_NOISE, settings_with(negatives_per_name=1))
    objective.begin_epoch(0)
    decided = objective.decide(batch_of([0], [row], [torch.randn(5, 5)]))
    counts = decided.allowed[0].sum(-1).tolist()
    assert sorted(counts[0:3:2]) == [1, 5]
    assert [counts[1], *counts[3:]] == [1, 1, 1]
    assert objective.trusted.all()


def test_reviewed_labels_are_visible_in_every_epoch() -> None:
    rows = [[OUTSIDE] * 7, [B_PER]]
    words = [["EFE", "or", "EFE", "or", "EFE", "or", "EFE"], ["EFE"]]
    marks = [[True, False, True, False, False, False, False], [False]]
    corpus = corpus_of(rows, words=words, reviewed=marks)
    objective = objective_on(corpus, NO_NOISE, settings_with(negatives_per_name=1), epochs=4)
    for epoch in range(4):
        objective.begin_epoch(epoch)
        decided = objective.decide(batch_of([0], rows, [torch.randn(7, 5)]))
        assert decided.trusted[0, [0, 2]].all()
        assert int(decided.trusted[0, [4, 6]].sum()) == 1


@pytest.mark.parametrize("ranking", ["batch", "epoch"])
def test_restored_from_its_state_it_continues_as_before(ranking: str) -> None:
    rows = [[OUTSIDE] * 4]
    views = [sure_of(0.9, 0.2, 0.7, 0.6), sure_of(0.3, 0.8, 0.5, 0.6), sure_of(0.5, 0.5, 0.9, 0.1)]

    def fresh() -> ConfidenceObjective:
        return ConfidenceObjective(
            corpus_of(rows), schedule_of(3), NoiseRates(0.5, 0.0), settings_with(ranking=ranking, ema_decay=0.5)
        )

    unbroken, stopped = fresh(), fresh()
    for epoch, view in enumerate(views):
        if epoch == 2:
            state = {name: tensor.clone() for name, tensor in stopped.state().items()}
            stopped = fresh()
            stopped.restore(state)
        decisions = []
        for objective in (unbroken, stopped):
            objective.begin_epoch(epoch)
            decisions.append(objective.decide(batch_of([0], rows, [view])).trusted.tolist())
        assert decisions[0] == decisions[1]
    for name, tensor in unbroken.record(3).items():
        torch.testing.assert_close(stopped.record(3)[name], tensor, rtol=0, atol=0)
    assert unbroken.record(2)["scores"].shape == (2, 4)
