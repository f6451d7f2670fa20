"""The record of a training: as slow arithmetic gives it, beside a loss that it does not change."""

import pytest
import torch

from tests.methods.confidence.made_up_batches import (
    B_LOC,
    B_PER,
    FLAT,
    I_PER,
    LABELS,
    OUTSIDE,
    batch_of,
    corpus_of,
    objective_of,
    schedule_of,
    settings_with,
    sure_of,
)
from tests.training.small import small_network
from trustag.confidence.probabilities import Scoring
from trustag.crf import Chain
from trustag.crossfit.tracking import (
    ConfidenceTracker,
    ScoringPass,
    TrackedLabels,
    TrackedLabelsObjective,
    Tracking,
    recorded_dynamics,
)
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.noise_rates.rates import NO_NOISE
from trustag.training.objectives import GivenLabelsObjective

ROWS = [[OUTSIDE, B_PER, I_PER], [B_LOC], [NO_LABEL, OUTSIDE]]
CHAIN = Chain(torch.randn(5, 5), torch.randn(5), torch.randn(5))


def tracked(corpus: EncodedCorpus, tracking: Tracking, epochs: int = 2) -> TrackedLabelsObjective:
    network = small_network(LABELS, corpus.tokens)
    return TrackedLabels(tracking).build(corpus, network, schedule_of(epochs))


@pytest.mark.parametrize("scoring", ["local", "global"])
def test_the_loss_is_that_of_given_labels_and_the_record_that_of_confidence_without_noise(scoring: Scoring) -> None:
    corpus = corpus_of(ROWS)
    objective = tracked(corpus, Tracking(scoring))
    confident = objective_of(ROWS, NO_NOISE, settings_with(scoring=scoring), epochs=2)
    for epoch in range(2):
        logits = [torch.randn(len(row), 5) for row in ROWS]
        objective.begin_epoch(epoch)
        confident.begin_epoch(epoch)
        for sentences in ([2, 0], [1]):
            batch = batch_of(sentences, ROWS, logits, CHAIN)
            expected = GivenLabelsObjective()(batch)
            torch.testing.assert_close(objective(batch), expected, rtol=0, atol=0)
            torch.testing.assert_close(confident(batch), expected, rtol=0, atol=0)
    found, expected_record = objective.record(2), confident.record(2)
    assert found.keys() == expected_record.keys()
    for name, tensor in found.items():
        torch.testing.assert_close(tensor, expected_record[name], rtol=0, atol=0)
    assert not found["scores"].isnan().any()


def test_what_is_recorded_stands_at_the_tokens_it_was_said_of() -> None:
    rows = [[OUTSIDE, B_PER], [B_PER]]
    tracker = ConfidenceTracker(corpus_of(rows), schedule_of(2), Tracking("local"))
    logits = [torch.cat([sure_of(0.9), sure_of(0.2, label=B_PER)]), sure_of(0.7, label=B_PER)]
    _, indices = tracker.observe(batch_of([1, 0], rows, logits, FLAT), 1)
    assert indices.tolist() == [2, 0, 1]
    assert tracker.dynamics.scores[1].tolist() == pytest.approx([0.9, 0.2, 0.7])
    assert tracker.dynamics.beliefs[1].tolist() == [OUTSIDE, OUTSIDE, B_PER]
    assert tracker.dynamics.scores[0].isnan().all()


@pytest.mark.parametrize(("scoring_pass", "expected"), [("training", 0.9), ("without dropout", 0.3)])
def test_the_chosen_pass_is_recorded(scoring_pass: ScoringPass, expected: float) -> None:
    rows = [[OUTSIDE]]
    objective = tracked(corpus_of(rows), Tracking("local", scoring_pass), epochs=1)
    objective.begin_epoch(0)
    objective(batch_of([0], rows, [sure_of(0.9)], without_dropout=[sure_of(0.3)]))
    assert objective.record(1)["scores"].item() == pytest.approx(expected)


def test_untrained_labels_take_a_share_of_the_confidence() -> None:
    rows = [[OUTSIDE]]
    scores = []
    for is_on in (False, True):
        objective = tracked(corpus_of(rows), Tracking("local", untrained_labels=is_on), epochs=1)
        objective.begin_epoch(0)
        objective(batch_of([0], rows, [sure_of(0.9)]))
        scores.append(objective.record(1)["scores"].item())
    assert scores[1] < scores[0] == pytest.approx(0.9)


def test_nothing_is_distrusted_and_with_gold_the_confidence_of_right_and_wrong_labels_is_logged() -> None:
    rows, gold = [[OUTSIDE, OUTSIDE, B_PER]], [[OUTSIDE, B_PER, B_PER]]
    objective = tracked(corpus_of(rows, gold=gold), Tracking("local"), epochs=1)
    objective.begin_epoch(0)
    objective(batch_of([0], rows, [torch.cat([sure_of(0.9, 0.4), sure_of(0.7, label=B_PER)])]))
    facts = objective.end_epoch(0)
    assert (facts["distrusted_negative"], facts["distrusted_positive"]) == (0, 0)
    assert facts["confidence_clean_negative"] == pytest.approx(0.9)
    assert facts["confidence_noisy_negative"] == pytest.approx(0.4)
    assert facts["confidence_clean_positive"] == pytest.approx(0.7)
    assert facts["detection_recall_negative"] == 0
    without = tracked(corpus_of(rows), Tracking("local"), epochs=1)
    assert set(without.end_epoch(0)) == {"distrusted_negative", "distrusted_positive"}


def test_a_record_survives_a_checkpoint() -> None:
    corpus = corpus_of(ROWS)
    first, second = (tracked(corpus, Tracking()) for _ in range(2))
    first.begin_epoch(0)
    first(batch_of([0, 1, 2], ROWS, [torch.randn(len(row), 5) for row in ROWS]))
    second.restore(first.state())
    for name, tensor in first.record(1).items():
        assert torch.equal(second.record(1)[name], tensor)
    assert first.record(1)["scores"].shape == (1, 6)


def test_dynamics_are_there_where_a_tracker_was_at_work() -> None:
    assert recorded_dynamics({}) is None
    scores, labels = torch.rand(2, 3), torch.zeros(2, 3)
    found = recorded_dynamics({"scores": scores, "beliefs": labels})
    assert found is not None
    assert found.scores is scores
    assert found.beliefs is labels
