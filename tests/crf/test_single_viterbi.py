"""The Viterbi path of a single sentence is that of the batch, whether the greedy path proves best or not."""

from itertools import pairwise, product

import numpy as np
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from trustag.crf import Chain, viterbi_decode
from trustag.crf.single_viterbi import SingleViterbi


def random_scores(seed: int, labels: int, tokens: int, spread: float, forbidden: float) -> tuple[Chain, torch.Tensor]:
    draw = torch.Generator().manual_seed(seed)
    transitions = torch.randn(labels + 2, labels, generator=draw)
    transitions[torch.rand(transitions.shape, generator=draw) < forbidden] = -torch.inf
    return Chain(transitions[2:], transitions[0], transitions[1]), spread * torch.randn(tokens, labels, generator=draw)


def score_of(path: tuple[int, ...], scores: torch.Tensor, chain: Chain) -> float:
    total = chain.start[path[0]].double() + chain.end[path[-1]].double()
    total = total + sum(scores[token, label].double() for token, label in enumerate(path))
    return float(total + sum(chain.transitions[a, b].double() for a, b in pairwise(path)))


@given(
    st.integers(0, 10_000),
    st.integers(1, 3),
    st.integers(1, 5),
    st.sampled_from([0.1, 1.0, 5.0, 30.0]),
    st.sampled_from([0.0, 0.3]),
)
@example(0, 1, 1, 1.0, 0.0)
def test_no_path_scores_higher(seed: int, labels: int, tokens: int, spread: float, forbidden: float) -> None:
    chain, scores = random_scores(seed, labels, tokens, spread, forbidden)
    found = SingleViterbi(chain).decode(scores.numpy())
    every = {path: score_of(path, scores, chain) for path in product(range(labels), repeat=tokens)}
    best = max(every.values())
    if best == -np.inf:
        assert found is None
    else:
        assert found is not None
        assert every[tuple(found)] == best


def test_long_sentences_agree_with_batched_viterbi() -> None:
    greedy = 0
    for seed in range(60):
        chain, scores = random_scores(seed, 17, 40, *[(0.5, 0.1), (3.0, 0.0), (1000.0, 0.0)][seed % 3])
        single = SingleViterbi(chain)
        expected = viterbi_decode(scores[None], chain, torch.ones(1, 40, dtype=torch.bool)).labels[0].tolist()
        assert single.decode(scores.numpy()) == expected
        greedy += scores.argmax(1).tolist() == expected
    assert 0 < greedy < 60


def test_emissions_that_are_not_finite_have_no_path() -> None:
    chain, scores = random_scores(1, 3, 4, 1.0, 0.0)
    for wrong in (torch.nan, torch.inf):
        scores[2, 1] = wrong
        assert SingleViterbi(chain).decode(scores.numpy()) is None
