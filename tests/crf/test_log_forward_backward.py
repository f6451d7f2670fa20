"""Messages in log space are the log-sums over all prefixes and suffixes of label paths."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.crf.batches import batches
from tests.crf.enumeration import AllPaths, Batch, all_paths, assert_near, each_sentence, log_sum_exp, padded
from trustag.crf import Chain
from trustag.crf.log_forward_backward import (
    LogMessages,
    constrained_emissions,
    expected_transition_counts,
    log_messages,
    log_space_marginals,
)

many = settings(max_examples=25)


def messages_of(batch: Batch, allowed: Tensor | None) -> LogMessages:
    return log_messages(constrained_emissions(batch.emissions, batch.mask, allowed), batch.chain, batch.mask)


def by_label(paths: AllPaths, token: int, label_count: int) -> Tensor:
    """Return the log-sum over the paths through each label at a token."""
    return torch.stack([log_sum_exp(paths.scores[paths.labels[:, token] == label]) for label in range(label_count)])


@many
@given(batches(), st.booleans())
def test_forward_messages_equal_enumeration_of_prefixes(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = messages_of(batch, allowed)
    open_end = Chain(batch.chain.transitions, batch.chain.start, torch.zeros_like(batch.chain.end))
    for sentence, length in enumerate(batch.lengths):
        for token in range(length):
            mask = torch.arange(batch.mask.shape[1]).expand_as(batch.mask) <= token
            prefixes = all_paths(Batch(batch.emissions, open_end, mask, batch.allowed), sentence, allowed)
            assert_near(found.forward[sentence, token], by_label(prefixes, -1, batch.label_count))


@many
@given(batches(), st.booleans())
def test_backward_messages_equal_enumeration_of_suffixes(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = messages_of(batch, allowed)
    open_start = Chain(batch.chain.transitions, torch.zeros_like(batch.chain.start), batch.chain.end)
    for sentence, length in enumerate(batch.lengths):
        for token in range(length):
            # The emission of the token itself belongs to the forward message.
            emissions, weights = batch.emissions[:, token:].clone(), batch.allowed[:, token:].clone()
            emissions[:, 0], weights[:, 0] = 0.0, 1
            suffix = Batch(emissions, open_start, batch.mask[:, token:], weights)
            suffixes = all_paths(suffix, sentence, weights if restricted else None)
            assert_near(found.backward[sentence, token], by_label(suffixes, 0, batch.label_count))


@many
@given(batches(), st.booleans())
def test_the_log_partition_and_marginals_equal_enumeration(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = messages_of(batch, allowed)
    paths = each_sentence(batch, allowed)
    assert_near(found.log_partition, torch.stack([p.log_partition() for p in paths]))
    expected = padded([p.token_marginals(batch.label_count) for p in paths], batch.emissions)
    assert_near(log_space_marginals(found, batch.mask), expected)


@many
@given(batches(), st.booleans())
def test_expected_transition_counts_equal_enumeration(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = expected_transition_counts(messages_of(batch, allowed), batch.chain, batch.mask)
    expected = [p.pair_marginals(batch.label_count).sum(0) for p in each_sentence(batch, allowed)]
    assert_near(found, torch.stack(expected))
    assert_near(found.sum((1, 2)), torch.tensor(batch.lengths, dtype=torch.float64) - 1)


@many
@given(batches(weights=True))
def test_weights_add_their_logarithms_to_the_emissions(batch: Batch) -> None:
    found = constrained_emissions(batch.emissions, batch.mask, batch.allowed)
    assert_near(found.exp()[batch.mask], (batch.emissions.exp() * batch.allowed)[batch.mask], 1e-12)
    assert not found[~batch.mask].any()


@many
@given(batches(weights=False))
def test_labels_that_are_not_allowed_have_no_score(batch: Batch) -> None:
    found = constrained_emissions(batch.emissions.float(), batch.mask, batch.allowed)
    inside = batch.allowed & batch.mask[..., None]
    assert found.dtype == torch.float64
    assert torch.equal(found[inside], batch.emissions.float().double()[inside])
    assert torch.equal(found.isneginf(), ~batch.allowed & batch.mask[..., None])
