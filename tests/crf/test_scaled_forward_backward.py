"""Scaled messages agree with enumeration in every column that they report as exact."""

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.crf.batches import batches
from tests.crf.enumeration import Batch, assert_near, each_sentence, padded
from trustag.crf import Chain
from trustag.crf.scaled_forward_backward import (
    ScaledMessages,
    all_exact,
    exact_columns,
    log_scales,
    scaled_messages,
    token_potentials,
    transition_weights,
    working_precision,
)

many = settings(max_examples=25)


def messages_of(batch: Batch, *allowed_sets: Tensor | None) -> ScaledMessages:
    weights = transition_weights(batch.chain, working_precision(batch.emissions))
    return scaled_messages(token_potentials(batch.emissions, batch.mask, True, allowed_sets), weights)


def exact_messages_of(batch: Batch, *allowed_sets: Tensor | None) -> ScaledMessages:
    """Return messages, of batches without underflow only."""
    found = messages_of(batch, *allowed_sets)
    assume(all_exact(found.pair_sums, batch.label_count + 1))
    return found


@many
@given(batches(), st.booleans())
def test_the_log_partition_and_posteriors_equal_enumeration(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = exact_messages_of(batch, allowed)
    paths = each_sentence(batch, allowed)
    log_partition = found.log_partition + log_scales(batch.emissions, batch.chain, batch.mask).sum(1)
    assert_near(log_partition, torch.stack([p.log_partition() for p in paths]))
    expected = padded([p.token_marginals(batch.label_count) for p in paths], batch.emissions)
    assert_near(found.posteriors[:-1].permute(2, 1, 0), expected)


@many
@given(batches(), st.sampled_from([1.0, 5.0, 25.0, 125.0]), st.sampled_from([torch.float32, torch.float64]))
def test_a_column_that_is_called_exact_is_exact(batch: Batch, factor: float, dtype: torch.dtype) -> None:
    """Scores of up to 6250 underflow in many columns; none of those may pass for exact."""
    chain = Chain(batch.chain.transitions * factor, batch.chain.start * factor, batch.chain.end * factor)
    wide = Batch((batch.emissions * factor).to(dtype), chain.to(dtype), batch.mask, batch.allowed.to(dtype))
    found = messages_of(wide, None, wide.allowed)
    tolerance = 1e-9 if dtype == torch.float64 else 5e-6
    sentences = len(wide.emissions)
    exact = exact_columns(found.pair_sums, wide.label_count + 1)
    assert all_exact(found.pair_sums, wide.label_count + 1) == bool(exact.all())
    oracles = [*each_sentence(wide), *each_sentence(wide, wide.allowed)]
    for column in exact.nonzero().flatten().tolist():
        expected = oracles[column].token_marginals(wide.label_count)
        posteriors = found.posteriors[:-1, : len(expected), column].t()
        assert_near(posteriors.double(), expected, tolerance)
    if exact.all():
        loss = found.log_partition[:sentences] - found.log_partition[sentences:]
        expected_loss = [
            a.log_partition() - b.log_partition() for a, b in zip(oracles[:sentences], oracles[sentences:], strict=True)
        ]
        assert_near(loss, torch.stack(expected_loss), tolerance)


@many
@given(batches())
def test_tokens_have_labels_and_the_padding_is_in_the_boundary_state(batch: Batch) -> None:
    found = exact_messages_of(batch, None)
    assert_near(found.posteriors.sum(0), torch.ones_like(found.posteriors[0]))
    assert torch.equal(found.posteriors[-1].t() > 0.5, ~batch.mask)
    assert not found.posteriors[-1].t()[batch.mask].any()


@many
@given(batches())
def test_forward_sums_are_those_of_the_messages(batch: Batch) -> None:
    found = exact_messages_of(batch, batch.allowed)
    assert torch.equal(found.forward_sums, found.forward.sum(0))
    assert (found.forward_sums <= 1 + 1e-12).all()


@many
@given(batches())
def test_transition_weights_are_proportional_to_exponential_scores(batch: Batch) -> None:
    weights, chain = transition_weights(batch.chain, torch.float64), batch.chain
    total = torch.cat((chain.transitions.flatten(), chain.start, chain.end)).logsumexp(0)
    assert_near(weights.between_labels, (chain.transitions - total).exp())
    assert_near(weights.between_states[-1, :-1], (chain.start - total).exp())
    assert_near(weights.between_states[:-1, -1], (chain.end - total).exp())
    assert weights.between_states[-1, -1] == 1
    assert torch.equal(weights.products[0, :-1], weights.products[1, :-1].t())
    assert (weights.products[:, -1] == 1).all()


@many
@given(batches())
def test_potentials_are_shares_of_the_labels_times_their_weights(batch: Batch) -> None:
    sentences = len(batch.emissions)
    potentials = token_potentials(batch.emissions, batch.mask, True, (None, batch.allowed))
    expected = torch.softmax(batch.emissions, 2).masked_fill(~batch.mask[..., None], 0.0)
    forward = potentials[0, :-1, 1:].permute(2, 1, 0)
    assert_near(forward[:sentences], expected)
    assert_near(forward[sentences:], expected * batch.allowed)
    assert torch.equal(potentials[1, :, 1:], potentials[0, :, 1:].flip(1))
    boundary = potentials[:, :, 0]
    assert (boundary[:, -1] == 1).all()
    assert not boundary[:, :-1].any()


@pytest.mark.parametrize("wrong", [torch.nan, torch.inf, 0.0, 1e-310])
def test_a_column_with_an_undefined_or_tiny_sum_is_not_exact(wrong: float) -> None:
    pair_sums = torch.ones(3, 2, dtype=torch.float64)
    assert all_exact(pair_sums, 4)
    pair_sums[1, 1] = wrong
    assert exact_columns(pair_sums, 4).tolist() == [True, False]
    assert not all_exact(pair_sums, 4)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_the_working_precision_is_at_least_single(dtype: torch.dtype) -> None:
    expected = torch.float64 if dtype == torch.float64 else torch.float32
    assert working_precision(torch.zeros(1, 1, 1, dtype=dtype)) == expected
