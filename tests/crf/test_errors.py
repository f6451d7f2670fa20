"""What cannot be computed is an error that names the place, never a number that is not one."""

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

Question = Callable[[Tensor, Chain, Tensor, Tensor], object]

QUESTIONS: dict[str, Question] = {
    "loss": partial_loss,
    "sum": log_partition,
    "marginals": token_marginals,
    "best": viterbi_decode,
    "several": lambda emissions, chain, mask, allowed: n_best_viterbi(emissions, chain, mask, 2, allowed),
    "messages": forward_backward_messages,
}

ask = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS.keys())


@pytest.fixture(autouse=True)
def _own_checks_only(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(config, "jaxtyping_disable", True)
    return iter([None])


def open_chain(labels: int = 3) -> Chain:
    return Chain(torch.zeros(labels, labels), torch.zeros(labels), torch.zeros(labels))


def batch_of(sentences: int = 2, tokens: int = 3, labels: int = 3) -> tuple[Tensor, Tensor, Tensor]:
    emissions = torch.zeros(sentences, tokens, labels)
    return emissions, torch.ones(sentences, tokens, dtype=torch.bool), torch.ones_like(emissions, dtype=torch.bool)


@ask
@pytest.mark.parametrize("weighted", [False, True])
def test_a_token_without_an_allowed_label_is_named(question: Question, weighted: bool) -> None:
    emissions, mask, allowed = batch_of()
    allowed[1, 2] = False
    with pytest.raises(NoPathError, match="sentence 1 of the batch, token 2 .*: no label is allowed") as caught:
        question(emissions, open_chain(), mask, allowed.float() if weighted else allowed)
    assert (caught.value.sentence, caught.value.token) == (1, 2)


@ask
def test_a_move_that_no_legal_path_can_make_is_named(question: Question) -> None:
    emissions, mask, allowed = batch_of()
    chain = open_chain()
    chain.transitions[0, 1] = -math.inf
    allowed[1, 0] = torch.tensor([True, False, False])
    allowed[1, 1] = torch.tensor([False, True, False])
    with pytest.raises(NoPathError, match="sentence 1 of the batch, token 1 .*no legal path reaches"):
        question(emissions, chain, mask, allowed)


@ask
def test_an_end_that_is_not_legal_is_named(question: Question) -> None:
    emissions, mask, allowed = batch_of(tokens=2)
    mask[1, 1] = False
    chain = open_chain()
    chain.end[1] = -math.inf
    allowed[1, 0] = torch.tensor([False, True, False])
    with pytest.raises(NoPathError, match="sentence 1 of the batch, token 0 .*may legally end"):
        question(emissions, chain, mask, allowed)


@ask
@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_an_emission_that_is_no_number_is_named(question: Question, score: float) -> None:
    emissions, mask, allowed = batch_of()
    emissions[1, 2, 0] = score
    with pytest.raises(NonFiniteScoreError, match=rf"sentence 1 of the batch, token 2 .*label 0 is {score}"):
        question(emissions, open_chain(), mask, allowed)


@ask
@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_chain_score_that_is_no_number_is_named(question: Question, score: float) -> None:
    emissions, mask, allowed = batch_of()
    chain = open_chain()
    chain.transitions[2, 1] = score
    with pytest.raises(NonFiniteScoreError, match=rf"transition score \[2, 1\] is {score}"):
        question(emissions, chain, mask, allowed)


@ask
def test_a_label_of_minus_infinity_is_only_ruled_out(question: Question) -> None:
    emissions, mask, allowed = batch_of()
    emissions[1, 2, 0] = -math.inf
    question(emissions, open_chain(), mask, allowed)


@ask
@pytest.mark.parametrize("weight", [-0.5, math.nan, math.inf])
def test_a_weight_below_zero_or_no_number_is_named(question: Question, weight: float) -> None:
    emissions, mask, allowed = batch_of()
    weights = allowed.float()
    weights[1, 0, 2] = weight
    with pytest.raises(ValueError, match="sentence 1, token 0, label 2"):
        question(emissions, open_chain(), mask, weights)


@ask
def test_shapes_that_do_not_fit_are_told(question: Question) -> None:
    emissions, mask, allowed = batch_of()
    with pytest.raises(ValueError, match="emissions over 3 labels for a chain of 2"):
        question(emissions, open_chain(2), mask, allowed)
    with pytest.raises(ValueError, match=r"mask of shape \(2, 2\) for emissions of shape \(2, 3, 3\)"):
        question(emissions, open_chain(), mask[:, :2], allowed)
    with pytest.raises(ValueError, match=r"allowed labels of shape \(2, 3, 2\)"):
        question(emissions, open_chain(), mask, allowed[..., :2])
    with pytest.raises(ValueError, match="contain no token"):
        question(emissions[:0], open_chain(), mask[:0], allowed[:0])


@ask
def test_padding_stands_to_the_right(question: Question) -> None:
    emissions, mask, allowed = batch_of()
    mask[1, 1] = False
    with pytest.raises(ValueError, match="sentence 1 of the batch has padding between its tokens"):
        question(emissions, open_chain(), mask, allowed)
    mask[1] = False
    with pytest.raises(ValueError, match="sentence 1 of the batch has no token"):
        question(emissions, open_chain(), mask, allowed)


def test_a_chain_has_as_many_starts_and_ends_as_labels() -> None:
    with pytest.raises(ValueError, match=r"\(3, 3\) need start and end .* found \(2,\) and \(3,\)"):
        Chain(torch.zeros(3, 3), torch.zeros(2), torch.zeros(3))


def test_fewer_than_one_best_path_is_refused() -> None:
    emissions, mask, _ = batch_of()
    with pytest.raises(ValueError, match="number of best paths must be at least 1, found 0"):
        n_best_viterbi(emissions, open_chain(), mask, 0)
