import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.checked import forward_backward_messages, log_partition
from tests.crf.enumeration import Batch, assert_near, each_sentence, padded

many = settings(max_examples=25)


@many
@given(batches(), st.booleans())
def test_marginals_of_tokens_and_pairs_equal_enumeration(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    messages = forward_backward_messages(batch.emissions, batch.chain, batch.mask, allowed)
    paths = each_sentence(batch, allowed)
    tokens = messages.token_marginals()
    assert_near(tokens, padded([p.token_marginals(batch.label_count) for p in paths], tokens))
    pairs = messages.pair_marginals()
    assert_near(pairs, padded([p.pair_marginals(batch.label_count) for p in paths], pairs))


@many
@given(batches())
def test_pair_marginals_agree_with_token_marginals(batch: Batch) -> None:
    messages = forward_backward_messages(batch.emissions, batch.chain, batch.mask)
    tokens, pairs = messages.token_marginals(), messages.pair_marginals()
    inside = batch.mask[:, 1:, None]
    assert_near(pairs.sum(2), tokens[:, 1:])
    assert_near(pairs.sum(3), tokens[:, :-1] * inside)


@many
@given(batches())
def test_forward_plus_backward_is_the_log_partition_at_every_token(batch: Batch) -> None:
    messages = forward_backward_messages(batch.emissions, batch.chain, batch.mask, batch.allowed)
    expected = log_partition(batch.emissions, batch.chain, batch.mask, batch.allowed)
    at_tokens = torch.logsumexp(messages.log.forward + messages.log.backward, 2)
    assert_near(messages.log.log_partition, expected)
    assert_near(at_tokens[batch.mask], expected[:, None].expand_as(at_tokens)[batch.mask])
