import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.crf.batches import batches
from tests.crf.checked import log_partition, partial_loss, token_marginals
from tests.crf.enumeration import Batch, assert_near, each_sentence, enumerated_loss, padded
from trustag.crf import Chain, one_hot_mask

many = settings(max_examples=25)


def with_gradient(batch: Batch) -> tuple[Batch, list[Tensor]]:
    leaves = [
        scores.clone().requires_grad_()
        for scores in (batch.emissions, batch.chain.transitions, batch.chain.start, batch.chain.end)
    ]
    return Batch(leaves[0], Chain(*leaves[1:]), batch.mask, batch.allowed), leaves


@many
@given(batches())
def test_sums_over_paths_equal_enumeration(batch: Batch) -> None:
    found = log_partition(batch.emissions, batch.chain, batch.mask)
    inside = log_partition(batch.emissions, batch.chain, batch.mask, batch.allowed)
    assert_near(found, torch.stack([paths.log_partition() for paths in each_sentence(batch)]))
    assert_near(inside, torch.stack([paths.log_partition() for paths in each_sentence(batch, batch.allowed)]))


@many
@given(batches())
def test_loss_and_its_gradient_equal_enumeration(batch: Batch) -> None:
    importance = torch.linspace(0.5, 2.0, len(batch.emissions), dtype=torch.float64)
    ours, our_leaves = with_gradient(batch)
    loss = partial_loss(ours.emissions, ours.chain, ours.mask, ours.allowed).loss
    theirs, their_leaves = with_gradient(batch)
    expected = enumerated_loss(theirs)
    assert_near(loss, expected)
    our_gradients = torch.autograd.grad((loss * importance).sum(), our_leaves)
    their_gradients = torch.autograd.grad((expected * importance).sum(), their_leaves)
    for found, wanted in zip(our_gradients, their_gradients, strict=True):
        assert_near(found, wanted)


@many
@given(batches())
def test_single_precision_equals_enumeration_of_the_same_scores(batch: Batch) -> None:
    allowed = batch.allowed if batch.allowed.dtype == torch.bool else batch.allowed.float()
    rounded = Batch(batch.emissions.float(), batch.chain.to(torch.float32), batch.mask, allowed)
    ours, our_leaves = with_gradient(rounded)
    found = partial_loss(ours.emissions, ours.chain, ours.mask, ours.allowed)
    theirs, their_leaves = with_gradient(rounded)
    expected = enumerated_loss(theirs)
    assert_near(found.loss.double(), expected, 2e-6)
    marginals = padded([p.token_marginals(batch.label_count) for p in each_sentence(rounded)], batch.emissions)
    assert_near(found.marginals.double(), marginals, 2e-6)
    our_gradients = torch.autograd.grad(found.loss.sum(), our_leaves)
    their_gradients = torch.autograd.grad(expected.sum(), their_leaves)
    for gradient, wanted in zip(our_gradients, their_gradients, strict=True):
        assert_near(gradient, wanted, 5e-6)


@settings(max_examples=8)
@given(batches(forbid=False))
def test_gradients_equal_finite_differences(batch: Batch) -> None:
    batch, leaves = with_gradient(batch)

    def loss(emissions: Tensor, transitions: Tensor, start: Tensor, end: Tensor) -> Tensor:
        return partial_loss(emissions, Chain(transitions, start, end), batch.mask, batch.allowed).loss

    def constrained_log_partition(emissions: Tensor, transitions: Tensor, start: Tensor, end: Tensor) -> Tensor:
        return log_partition(emissions, Chain(transitions, start, end), batch.mask, batch.allowed)

    assert torch.autograd.gradcheck(loss, leaves, atol=1e-5, fast_mode=True)
    assert torch.autograd.gradcheck(constrained_log_partition, leaves, atol=1e-5, fast_mode=True)


@many
@given(batches())
def test_marginals_equal_enumeration(batch: Batch) -> None:
    expected = padded([p.token_marginals(batch.label_count) for p in each_sentence(batch)], batch.emissions)
    assert_near(partial_loss(batch.emissions, batch.chain, batch.mask, batch.allowed).marginals, expected)
    assert_near(token_marginals(batch.emissions, batch.chain, batch.mask), expected)
    inside = [p.token_marginals(batch.label_count) for p in each_sentence(batch, batch.allowed)]
    assert_near(
        token_marginals(batch.emissions, batch.chain, batch.mask, batch.allowed), padded(inside, batch.emissions)
    )


@many
@given(batches())
def test_marginals_sum_to_one_and_are_zero_in_the_padding(batch: Batch) -> None:
    for dtype in (torch.float64, torch.float32):
        marginals = token_marginals(batch.emissions.to(dtype), batch.chain.to(dtype), batch.mask)
        assert_near(marginals.sum(2), batch.mask.to(dtype), 1e-5)
        assert not marginals[~batch.mask].any()


@many
@given(batches(weights=False), st.integers(0, 2**32))
def test_allowing_more_never_costs_more(batch: Batch, seed: int) -> None:
    more = batch.allowed | (torch.rand(batch.allowed.shape, generator=torch.Generator().manual_seed(seed)) < 0.3)
    few = partial_loss(batch.emissions, batch.chain, batch.mask, batch.allowed).loss
    many_allowed = partial_loss(batch.emissions, batch.chain, batch.mask, more).loss
    assert (many_allowed <= few + 1e-9).all()
    assert (many_allowed >= -1e-9).all()


@many
@given(batches())
def test_allowing_everything_costs_nothing(batch: Batch) -> None:
    everything = torch.ones_like(batch.emissions, dtype=torch.bool)
    for dtype in (torch.float64, torch.float32):
        loss = partial_loss(batch.emissions.to(dtype), batch.chain.to(dtype), batch.mask, everything).loss
        assert_near(loss, torch.zeros_like(loss), 1e-6)


@many
@given(batches(forbid=False), st.integers(0, 2**32))
def test_allowing_one_path_costs_its_negative_log_likelihood(batch: Batch, seed: int) -> None:
    labels = torch.randint(batch.label_count, batch.mask.shape, generator=torch.Generator().manual_seed(seed))
    loss = partial_loss(batch.emissions, batch.chain, batch.mask, one_hot_mask(labels, batch.label_count)).loss
    for sentence, paths in enumerate(each_sentence(batch)):
        chosen = (paths.labels == labels[sentence, : batch.lengths[sentence]]).all(1)
        assert_near(loss[sentence], paths.log_partition() - paths.scores[chosen][0])


@many
@given(batches(weights=False))
def test_a_set_is_the_same_as_weights_of_one_and_zero(batch: Batch) -> None:
    as_set = partial_loss(batch.emissions, batch.chain, batch.mask, batch.allowed)
    as_weights = partial_loss(batch.emissions, batch.chain, batch.mask, batch.allowed.double())
    assert torch.equal(as_set.loss, as_weights.loss)


@many
@given(batches(), st.sampled_from([0.0, 1e30, float("nan"), float("inf")]))
def test_neither_padding_nor_the_other_sentences_matter(batch: Batch, filling: float) -> None:
    together, leaves = with_gradient(batch)
    emissions = torch.cat((together.emissions, torch.zeros_like(together.emissions[:, :2])), 1)
    mask = torch.nn.functional.pad(batch.mask, (0, min(2, batch.mask.shape[1])))
    allowed = torch.cat((batch.allowed, batch.allowed[:, :2]), 1)
    if allowed.dtype != torch.bool:
        allowed = allowed.masked_fill(~mask[..., None], filling)
    found = partial_loss(emissions.masked_fill(~mask[..., None], filling), together.chain, mask, allowed)
    gradient = torch.autograd.grad(found.loss.sum(), leaves)[0]
    assert not gradient[~batch.mask].any()
    for sentence, length in enumerate(batch.lengths):
        alone = Batch(
            batch.emissions[sentence : sentence + 1, :length],
            batch.chain,
            batch.mask[sentence : sentence + 1, :length],
            batch.allowed[sentence : sentence + 1, :length],
        )
        alone, alone_leaves = with_gradient(alone)
        single = partial_loss(alone.emissions, alone.chain, alone.mask, alone.allowed)
        assert_near(found.loss[sentence], single.loss[0])
        assert_near(found.marginals[sentence, :length], single.marginals[0])
        assert_near(gradient[sentence, :length], torch.autograd.grad(single.loss.sum(), alone_leaves)[0][0])


def test_the_marginals_of_the_loss_carry_no_gradient() -> None:
    emissions = torch.randn(2, 3, 4, requires_grad=True)
    chain = Chain(torch.randn(4, 4), torch.randn(4), torch.randn(4))
    result = partial_loss(emissions, chain, torch.ones(2, 3, dtype=torch.bool), torch.ones(2, 3, 4, dtype=torch.bool))
    assert not result.marginals.requires_grad
    assert result.loss.requires_grad
    torch.autograd.backward(result.loss.sum())
    assert emissions.grad is not None
    emissions.grad.mul_(2.0)


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16, torch.float32, torch.float64])
def test_results_come_in_the_precision_of_the_emissions_single_at_least(dtype: torch.dtype) -> None:
    emissions = torch.randn(2, 3, 4).to(dtype).requires_grad_()
    chain = Chain(torch.randn(4, 4, requires_grad=True), torch.randn(4), torch.randn(4))
    mask, allowed = torch.ones(2, 3, dtype=torch.bool), torch.rand(2, 3, 4) < 0.5
    allowed[..., 0] = True
    result = partial_loss(emissions, chain, mask, allowed)
    expected = torch.float64 if dtype == torch.float64 else torch.float32
    assert result.loss.dtype == result.marginals.dtype == expected
    torch.autograd.backward(result.loss.sum())
    assert emissions.grad is not None
    assert emissions.grad.dtype == dtype
    assert chain.transitions.grad is not None
    assert chain.transitions.grad.dtype == torch.float32


def test_mixed_precision_does_not_change_the_loss() -> None:
    emissions = torch.randn(3, 5, 4, requires_grad=True)
    chain = Chain(torch.randn(4, 4, requires_grad=True), torch.randn(4), torch.randn(4))
    mask, allowed = torch.ones(3, 5, dtype=torch.bool), torch.rand(3, 5, 4) < 0.5
    allowed[..., 0] = True
    leaves = (emissions, chain.transitions)
    plain = partial_loss(emissions, chain, mask, allowed).loss
    expected = torch.autograd.grad(plain.sum(), leaves)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = partial_loss(emissions, chain, mask, allowed).loss
        found = torch.autograd.grad(mixed.sum(), leaves)
    assert torch.equal(mixed, plain)
    assert all(torch.equal(a, b) for a, b in zip(found, expected, strict=True))
