"""Long sentences, scores of a wide range, and paths beyond the range of scaled messages: all stay finite and exact."""

import math

import pytest
import torch
from torch import Tensor

from tests.crf.checked import forward_backward_messages, log_partition, partial_loss, token_marginals, viterbi_decode
from tests.crf.enumeration import assert_near, plain_log_partition
from trustag.crf import Chain, one_hot_mask


def random_sentence(tokens: int, labels: int, spread: float) -> tuple[Tensor, Chain, Tensor]:
    generator = torch.Generator().manual_seed(tokens + labels)

    def scores(*shape: int) -> Tensor:
        return (torch.rand(shape, generator=generator, dtype=torch.float64) * 2 - 1) * spread

    allowed = torch.rand(1, tokens, labels, generator=generator) < 0.3
    allowed[..., 0] = True
    return scores(1, tokens, labels), Chain(scores(labels, labels), scores(labels), scores(labels)), allowed


@pytest.mark.parametrize("spread", [1.0, 10.0, 50.0])
@pytest.mark.parametrize("tokens", [1, 2, 30, 1000])
@pytest.mark.parametrize(("dtype", "tolerance"), [(torch.float64, 1e-9), (torch.float32, 1e-6)])
def test_loss_and_gradient_equal_log_space(spread: float, tokens: int, dtype: torch.dtype, tolerance: float) -> None:
    emissions, chain, allowed = random_sentence(tokens, 9, spread)
    leaves = [scores.to(dtype).requires_grad_() for scores in (emissions, chain.transitions, chain.start, chain.end)]
    loss = partial_loss(leaves[0], Chain(*leaves[1:]), torch.ones(1, tokens, dtype=torch.bool), allowed).loss
    # The oracle gets the scores as rounded to single precision.
    exact = [scores.detach().double().clone().requires_grad_() for scores in leaves]
    exact_chain = Chain(*exact[1:])
    expected = plain_log_partition(exact[0][0], exact_chain) - plain_log_partition(exact[0][0], exact_chain, allowed[0])
    assert_near(loss[0].double(), expected, tolerance)
    found = torch.autograd.grad(loss.sum(), leaves)
    wanted = torch.autograd.grad(expected, exact, allow_unused=True, materialize_grads=True)
    for ours, oracle in zip(found, wanted, strict=True):
        assert_near(ours.double(), oracle, tolerance * math.sqrt(tokens))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("gap", [50.0, 200.0, 2000.0])
def test_a_path_far_below_the_best_keeps_its_probability(gap: float, dtype: torch.dtype) -> None:
    """Only label 1 may be followed by 2, and it lies far below label 0, which may be followed by 3 far below 2."""
    forbidden = -math.inf
    transitions = torch.full((4, 4), forbidden, dtype=dtype)
    transitions[1, 2] = transitions[0, 3] = 0.0
    start = torch.tensor([0.0, 0.0, forbidden, forbidden], dtype=dtype)
    chain = Chain(transitions, start, torch.zeros(4, dtype=dtype))
    emissions = torch.tensor([[[0.0, -gap, 0.0, 0.0], [0.0, 0.0, 0.0, -gap + 1.0]]], dtype=dtype)
    mask = torch.ones(1, 2, dtype=torch.bool)
    assert_near(log_partition(emissions, chain, mask)[0].item(), -gap + math.log(1 + math.e), 1e-6)
    marginals = token_marginals(emissions, chain, mask)[0, 0].double()
    likely = math.e / (1 + math.e)
    assert_near(marginals, torch.tensor([likely, 1 - likely, 0.0, 0.0], dtype=torch.float64), 1e-5)
    assert_near(forward_backward_messages(emissions, chain, mask).token_marginals()[0, 0], marginals, 1e-5)
    loss = partial_loss(emissions, chain, mask, one_hot_mask(torch.tensor([[1, 2]]), 4)).loss
    assert_near(loss.item(), math.log(1 + math.e), 1e-6)
    assert viterbi_decode(emissions, chain, mask).labels.tolist() == [[0, 3]]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_gradients_of_far_paths_weigh_each_sentence(dtype: torch.dtype) -> None:
    """One sentence is in the range of scaled messages, the other is not; both gradients are right."""
    transitions = torch.tensor([[0.0, -math.inf], [-300.0, 0.0]], dtype=dtype, requires_grad=True)
    chain = Chain(transitions, torch.zeros(2, dtype=dtype), torch.zeros(2, dtype=dtype))
    emissions = torch.tensor([[[0.0, 1.0], [0.0, 1.0]], [[-900.0, 0.0], [0.0, -900.0]]], dtype=dtype)
    mask = torch.ones(2, 2, dtype=torch.bool)
    loss = partial_loss(emissions, chain, mask, one_hot_mask(torch.tensor([[1, 1], [1, 0]]), 2)).loss
    (gradient,) = torch.autograd.grad((loss * torch.tensor([1.0, 10.0], dtype=dtype)).sum(), transitions)
    stay = 1 / (1 + math.e**2)
    expected = torch.tensor([[stay, 0.0], [0.0, -stay]], dtype=dtype)
    assert_near(gradient, expected, 1e-6)
    assert_near(loss[1].item(), 0.0, 1e-6)


def test_single_precision_marginals_are_close_to_double() -> None:
    emissions, chain, _ = random_sentence(200, 17, 5.0)
    mask = torch.ones(1, 200, dtype=torch.bool)
    single = token_marginals(emissions.float(), chain.to(torch.float32), mask)
    double = token_marginals(emissions.float().double(), chain.to(torch.float32).to(torch.float64), mask)
    assert_near(single.double(), double, 2e-6)
