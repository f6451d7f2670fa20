"""Equations 3 and 4: marginals against enumeration of all label paths, softmax against its definition."""

import math

import torch
from hypothesis import given

from tests.crf.batches import batches
from tests.crf.enumeration import Batch, all_paths, assert_near
from trustag.confidence.probabilities import confidence, token_probabilities
from trustag.confidence.untrained_labels import UNTRAINED_LABELS
from trustag.crf import Chain
from trustag.models.crf_head import CRFHeadOutputs


@given(batch=batches())
def test_global_probabilities_are_shares_of_all_paths(batch: Batch) -> None:
    found = token_probabilities("global", outputs_of(batch))
    for sentence, length in enumerate(batch.lengths):
        expected = all_paths(batch, sentence).token_marginals(batch.label_count)
        assert_near(found[sentence, :length], expected)


@given(batch=batches())
def test_local_probabilities_are_shares_of_the_tokens_own_scores(batch: Batch) -> None:
    found = token_probabilities("local", outputs_of(batch))
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
    outputs = CRFHeadOutputs(batch.emissions, batch.emissions, flat, batch.mask)
    local = token_probabilities("local", outputs)
    assert_near(token_probabilities("global", outputs)[batch.mask], local[batch.mask])


def test_no_gradient_flows_through_either() -> None:
    outputs = _outputs(torch.randn(1, 2, 3, requires_grad=True))
    assert not token_probabilities("local", outputs).requires_grad
    assert not token_probabilities("global", outputs).requires_grad


def test_confidence_is_the_probability_of_the_given_label() -> None:
    probabilities = torch.tensor([[[0.2, 0.8], [0.6, 0.4]]])
    torch.testing.assert_close(confidence(probabilities, torch.tensor([[1, 0]])), torch.tensor([[0.8, 0.6]]))


def test_untrained_labels_take_their_part_of_the_local_probability_alone() -> None:
    logits, untrained = torch.randn(2, 3, 4), torch.randn(2, 3, UNTRAINED_LABELS)
    outputs = _outputs(logits)
    found = token_probabilities("local", outputs, untrained)
    total = logits.exp().sum(-1, keepdim=True) + untrained.exp().sum(-1, keepdim=True)
    torch.testing.assert_close(found, logits.exp() / total)
    plain = token_probabilities("global", outputs)
    assert torch.equal(token_probabilities("global", outputs, untrained), plain)


class WithoutMarginals:
    """What a head says that has logits and nothing else."""

    logits = torch.randn(1, 2, 3)

    def marginals(self) -> None:
        return None


def test_without_marginals_global_probabilities_are_local_ones() -> None:
    outputs = WithoutMarginals()
    assert torch.equal(token_probabilities("global", outputs), token_probabilities("local", outputs))


def outputs_of(batch: Batch) -> CRFHeadOutputs:
    return CRFHeadOutputs(batch.emissions, batch.emissions, batch.chain, batch.mask)


def _outputs(logits: torch.Tensor) -> CRFHeadOutputs:
    labels = logits.shape[-1]
    chain = Chain(torch.randn(labels, labels), torch.randn(labels), torch.randn(labels))
    return CRFHeadOutputs(logits, logits, chain, torch.ones(logits.shape[:2], dtype=torch.bool))
