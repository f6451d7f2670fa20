"""Equations 3 and 4: marginals against enumeration of all label paths, softmax against its definition."""

import math

import torch
from hypothesis import given

from tests.crf.batches import batches
from tests.crf.enumeration import Batch, all_paths, assert_near
from trustag.confidence.probabilities import confidence, token_probabilities
from trustag.confidence.untrained_labels import IDLE_LABELS, idle_scores
from trustag.crf import Chain


@given(batch=batches())
def test_global_probabilities_are_shares_of_all_paths(batch: Batch) -> None:
    found = token_probabilities("global", batch.emissions, batch.chain, batch.mask)
    for sentence, length in enumerate(batch.lengths):
        expected = all_paths(batch, sentence).token_marginals(batch.label_count)
        assert_near(found[sentence, :length], expected)


@given(batch=batches())
def test_local_probabilities_are_shares_of_the_tokens_own_scores(batch: Batch) -> None:
    found = token_probabilities("local", batch.emissions, batch.chain, batch.mask)
    for sentence, length in enumerate(batch.lengths):
        for token in range(length):
            row = batch.emissions[sentence, token].tolist()
            total = math.fsum(math.exp(score - max(row)) for score in row)
            expected = [math.exp(score - max(row)) / total for score in row]
            assert_near(found[sentence, token], torch.tensor(expected, dtype=torch.float64))


@given(batch=batches(forbid=False))
def test_without_a_chain_both_are_the_same(batch: Batch) -> None:
    labels = batch.label_count
    flat = Chain(*(torch.zeros(shape, dtype=torch.float64) for shape in ((labels, labels), (labels,), (labels,))))
    local = token_probabilities("local", batch.emissions, flat, batch.mask)
    assert_near(token_probabilities("global", batch.emissions, flat, batch.mask)[batch.mask], local[batch.mask])


def test_no_gradient_flows_through_either() -> None:
    emissions, mask = torch.randn(1, 2, 3, requires_grad=True), torch.ones(1, 2, dtype=torch.bool)
    assert not token_probabilities("local", emissions, _chain(3), mask).requires_grad
    assert not token_probabilities("global", emissions, _chain(3), mask).requires_grad


def test_confidence_is_the_probability_of_the_given_label() -> None:
    probabilities = torch.tensor([[[0.2, 0.8], [0.6, 0.4]]])
    torch.testing.assert_close(confidence(probabilities, torch.tensor([[1, 0]])), torch.tensor([[0.8, 0.6]]))


def test_idle_labels_take_their_part_of_the_local_probability_alone() -> None:
    emissions, idle = torch.randn(2, 3, 4), torch.randn(2, 3, IDLE_LABELS)
    chain, mask = _chain(4), torch.ones(2, 3, dtype=torch.bool)
    found = token_probabilities("local", emissions, chain, mask, idle)
    total = emissions.exp().sum(-1, keepdim=True) + idle.exp().sum(-1, keepdim=True)
    torch.testing.assert_close(found, emissions.exp() / total)
    plain = token_probabilities("global", emissions, chain, mask)
    assert torch.equal(token_probabilities("global", emissions, chain, mask, idle), plain)


def test_idle_scores_stay_as_drawn_and_train_nothing() -> None:
    features = torch.randn(2, 3, 16, requires_grad=True)
    scores = idle_scores(features, seed=1)
    assert scores.shape == (2, 3, IDLE_LABELS)
    assert not scores.requires_grad
    assert torch.equal(scores, idle_scores(features, seed=1))
    assert not torch.equal(scores, idle_scores(features, seed=2))
    bias = idle_scores(torch.zeros(1, 1, 16), seed=1)
    each = idle_scores(torch.eye(16)[None], seed=1) - bias
    assert max(bias.abs().max(), each.abs().max()) <= 1 / 4 + 1e-6  # torch spreads a fresh layer over 1 / sqrt(width)


def _chain(labels: int) -> Chain:
    return Chain(torch.randn(labels, labels), torch.randn(labels), torch.randn(labels))
