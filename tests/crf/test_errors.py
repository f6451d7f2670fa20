"""Invalid input is an error that names the sentence and the token; no function returns NaN."""

import math
from collections.abc import Callable, Iterator

import pytest
import torch
from jaxtyping import config
from torch import Tensor

from trustag.crf import (
    Chain,
    NonFiniteScoreError,
    NoPathError,
    forward_backward_messages,
    log_partition,
    n_best_viterbi,
    partial_loss,
    token_marginals,
    viterbi_decode,
)

Function = Callable[[Tensor, Chain, Tensor, Tensor], object]

FUNCTIONS: dict[str, Function] = {
    "loss": partial_loss,
    "log-partition": log_partition,
    "marginals": token_marginals,
    "Viterbi": viterbi_decode,
    "n-best": lambda emissions, chain, mask, allowed: n_best_viterbi(emissions, chain, mask, 2, allowed),
    "messages": forward_backward_messages,
}

every_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())


@pytest.fixture(autouse=True)
def _own_checks_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(config, "jaxtyping_disable", True)
    return iter([None])


def open_chain(labels: int = 3) -> Chain:
    return Chain(torch.zeros(labels, labels), torch.zeros(labels), torch.zeros(labels))


def batch_of(sentences: int = 2, tokens: int = 3, labels: int = 3) -> tuple[Tensor, Tensor, Tensor]:
    emissions = torch.zeros(sentences, tokens, labels)
    return emissions, torch.ones(sentences, tokens, dtype=torch.bool), torch.ones_like(emissions, dtype=torch.bool)


@every_function
@pytest.mark.parametrize("weighted", [False, True])
def test_a_token_without_an_allowed_label_is_named(function: Function, weighted: bool) -> None:
    emissions, mask, allowed = batch_of()
    allowed[1, 2] = False
    with pytest.raises(NoPathError, match="sentence 1 of the batch, token 2 .*: no label is allowed") as caught:
        function(emissions, open_chain(), mask, allowed.float() if weighted else allowed)
    assert (caught.value.sentence, caught.value.token) == (1, 2)


@every_function
def test_a_token_that_no_legal_path_reaches_is_named(function: Function) -> None:
    emissions, mask, allowed = batch_of()
    chain = open_chain()
    chain.transitions[0, 1] = -math.inf
    allowed[1, 0] = torch.tensor([True, False, False])
    allowed[1, 1] = torch.tensor([False, True, False])
    with pytest.raises(NoPathError, match="sentence 1 of the batch, token 1 .*no legal path reaches"):
        function(emissions, chain, mask, allowed)


@every_function
def test_an_illegal_end_is_named(function: Function) -> None:
    emissions, mask, allowed = batch_of(tokens=2)
    mask[1, 1] = False
    chain = open_chain()
    chain.end[1] = -math.inf
    allowed[1, 0] = torch.tensor([False, True, False])
    with pytest.raises(NoPathError, match="sentence 1 of the batch, token 0 .*may legally end"):
        function(emissions, chain, mask, allowed)


@every_function
@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_an_emission_that_is_not_finite_is_named(function: Function, score: float) -> None:
    emissions, mask, allowed = batch_of()
    emissions[1, 2, 0] = score
    with pytest.raises(NonFiniteScoreError, match=rf"sentence 1 of the batch, token 2 .*label 0 is {score}"):
        function(emissions, open_chain(), mask, allowed)


@every_function
@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_transition_score_that_is_not_finite_is_named(function: Function, score: float) -> None:
    emissions, mask, allowed = batch_of()
    chain = open_chain()
    chain.transitions[2, 1] = score
    with pytest.raises(NonFiniteScoreError, match=rf"transition score \[2, 1\] is {score}"):
        function(emissions, chain, mask, allowed)


@every_function
def test_an_emission_of_minus_infinity_is_no_error(function: Function) -> None:
    emissions, mask, allowed = batch_of()
    emissions[1, 2, 0] = -math.inf
    function(emissions, open_chain(), mask, allowed)


@every_function
@pytest.mark.parametrize("weight", [-0.5, math.nan, math.inf])
def test_a_negative_or_infinite_weight_is_named(function: Function, weight: float) -> None:
    emissions, mask, allowed = batch_of()
    weights = allowed.float()
    weights[1, 0, 2] = weight
    with pytest.raises(ValueError, match="sentence 1, token 0, label 2"):
        function(emissions, open_chain(), mask, weights)


@every_function
def test_mismatched_shapes_are_refused(function: Function) -> None:
    emissions, mask, allowed = batch_of()
    with pytest.raises(ValueError, match="emissions over 3 labels for a chain of 2"):
        function(emissions, open_chain(2), mask, allowed)
    with pytest.raises(ValueError, match=r"mask of shape \(2, 2\) for emissions of shape \(2, 3, 3\)"):
        function(emissions, open_chain(), mask[:, :2], allowed)
    with pytest.raises(ValueError, match=r"allowed labels of shape \(2, 3, 2\)"):
        function(emissions, open_chain(), mask, allowed[..., :2])
    with pytest.raises(ValueError, match="contain no token"):
        function(emissions[:0], open_chain(), mask[:0], allowed[:0])


@every_function
def test_padding_before_a_token_is_refused(function: Function) -> None:
    emissions, mask, allowed = batch_of()
    mask[1, 1] = False
    with pytest.raises(ValueError, match="sentence 1 of the batch has padding between its tokens"):
        function(emissions, open_chain(), mask, allowed)
    mask[1] = False
    with pytest.raises(ValueError, match="sentence 1 of the batch has no token"):
        function(emissions, open_chain(), mask, allowed)
