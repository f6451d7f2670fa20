"""The forward-backward algorithm gives right results whether a column is scaled or in log space."""

import math

import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.enumeration import Batch, assert_near, each_sentence, padded
from trustag.crf import Chain
from trustag.crf.forward_backward import forward_backward, log_messages_of_columns
from trustag.crf.log_forward_backward import constrained_emissions, log_messages
from trustag.crf.scaled_forward_backward import log_scales

many = settings(max_examples=25)


def widened(batch: Batch, factor: float) -> Batch:
    chain = Chain(batch.chain.transitions * factor, batch.chain.start * factor, batch.chain.end * factor)
    return Batch(batch.emissions * factor, chain, batch.mask, batch.allowed)


@many
@given(batches(), st.sampled_from([1.0, 10.0, 100.0, 1000.0]))
def test_scores_of_any_range_equal_enumeration(batch: Batch, factor: float) -> None:
    wide = widened(batch, factor)
    found = forward_backward(wide.emissions, wide.chain, wide.mask, True, (None, wide.allowed))
    every, inside = each_sentence(wide), each_sentence(wide, wide.allowed)
    scales = log_scales(wide.emissions, wide.chain, wide.mask).sum(1).repeat(2)
    assert_near(found.messages.log_partition + scales, torch.stack([p.log_partition() for p in (*every, *inside)]))
    expected = padded([p.token_marginals(wide.label_count) for p in every], wide.emissions)
    # Scores of 50,000 have a rounding error of 1e-11 each.
    assert_near(found.marginals(len(wide.emissions)), expected, 1e-8)


@many
@given(batches(), st.sampled_from([10.0, 100.0, 1000.0]))
def test_columns_in_log_space_count_the_transitions_of_enumeration(batch: Batch, factor: float) -> None:
    wide = widened(batch, factor)
    found = forward_backward(wide.emissions, wide.chain, wide.mask, True, (None, wide.allowed))
    if found.log_space is None:
        return
    oracles = [*each_sentence(wide), *each_sentence(wide, wide.allowed)]
    for column, counts in zip(found.log_space.indices.tolist(), found.log_space.transition_counts, strict=True):
        assert_near(counts, oracles[column].pair_marginals(wide.label_count).sum(0), 1e-8)
        assert not found.messages.forward[:, :, column].any()


@many
@given(batches())
def test_every_set_of_allowed_labels_has_columns_of_its_own(batch: Batch) -> None:
    sets = (None, batch.allowed, None)
    together = forward_backward(batch.emissions, batch.chain, batch.mask, True, sets)
    sentences = len(batch.emissions)
    for number, allowed in enumerate(sets):
        alone = forward_backward(batch.emissions, batch.chain, batch.mask, True, (allowed,))
        own = slice(number * sentences, (number + 1) * sentences)
        assert_near(together.messages.log_partition[own], alone.messages.log_partition)
        assert_near(together.messages.posteriors[:-1, :, own], alone.messages.posteriors[:-1])


@many
@given(batches(), st.data())
def test_messages_of_some_columns_are_those_of_their_sentences(batch: Batch, data: st.DataObject) -> None:
    sentences = len(batch.emissions)
    chosen = sorted(data.draw(st.sets(st.integers(0, 2 * sentences - 1), min_size=1)))
    sets = (None, batch.allowed)
    found = log_messages_of_columns(batch.emissions, batch.chain, batch.mask, sets, torch.tensor(chosen))
    for row, column in enumerate(chosen):
        scores = constrained_emissions(batch.emissions, batch.mask, sets[column // sentences])
        expected = log_messages(scores, batch.chain, batch.mask)
        assert torch.equal(found.forward[row], expected.forward[column % sentences])
        assert torch.equal(found.backward[row], expected.backward[column % sentences])
        assert torch.equal(found.log_partition[row], expected.log_partition[column % sentences])


def test_only_the_sentences_that_underflow_need_log_space() -> None:
    """The second sentence can only take a path that lies 2000 below the scores of its tokens."""
    transitions = torch.tensor([[0.0, -math.inf], [-math.inf, 0.0]])
    chain = Chain(transitions, torch.zeros(2), torch.zeros(2))
    emissions = torch.tensor([[[0.0, 1.0], [0.0, 1.0]], [[-1000.0, 1000.0], [1000.0, -1000.0]]])
    found = forward_backward(emissions, chain, torch.ones(2, 2, dtype=torch.bool), False, (None,))
    assert found.log_space is not None
    assert found.log_space.indices.tolist() == [1]
    assert_near(found.marginals(2)[1], torch.full((2, 2), 0.5), 1e-6)
