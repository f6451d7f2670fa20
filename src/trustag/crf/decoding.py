"""The best label path of every sentence, inside the allowed labels where a set is given.

Scores are added in double precision, so that long sentences are not decided by rounding. As in the sums over paths, a
sentence that has ended rests in one more state, so no step needs a mask. The search runs on the processor whatever the
device: its steps are many and tiny, and numpy takes the least time to start each.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from trustag.crf.chain import Chain, check_batch
from trustag.crf.log_space import explain_failure
from trustag.crf.shapes import Allowed, Emissions, Mask, Paths, SentenceValues

Scores: TypeAlias = npt.NDArray[np.float64]


class BestPaths(NamedTuple):
    """The best path of each sentence, with -1 in the padding, and its score in double precision."""

    labels: Paths
    scores: SentenceValues


def best_paths(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> BestPaths:
    """Return the path of the highest score for each sentence; weights add their logarithm to the scores."""
    ragged = check_batch(emissions, chain, mask, allowed)
    # Weights of zero and scores of plus infinity, which are errors, need no warning.
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = _state_scores(emissions, mask, ragged, allowed)
        moves = _state_moves(chain)
        reached[0, :, :-1] += _array(chain.start)
        _reach(reached, moves)
    totals = reached[-1, :, -1].copy()
    if not np.isfinite(totals).all():
        explain_failure(emissions, chain, mask, allowed)
    labels = _trace_back(reached, moves).T.copy()
    if ragged:
        labels[~_array(mask)] = -1
    return BestPaths(torch.from_numpy(labels).to(emissions.device), torch.from_numpy(totals).to(emissions.device))


def _array(tensor: Tensor) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy(force=True)
    return array


def _state_scores(emissions: Emissions, mask: Mask, ragged: bool, allowed: Allowed | None) -> Scores:
    """Return the scores of all states by token, sentence and state, with one token of rest after the longest."""
    batch, tokens, labels = emissions.shape
    scores = np.full((tokens + 1, batch, labels + 1), -np.inf)
    inside = scores[:-1, :, :-1].transpose(1, 0, 2)
    inside[...] = _array(emissions)
    if allowed is not None:
        if allowed.dtype == torch.bool:
            inside[~_array(allowed)] = -np.inf
        else:
            inside += np.log(_array(allowed), dtype=np.float64)
    if ragged:
        padding = ~_array(mask)
        inside[padding] = -np.inf
        scores[:-1, :, -1][padding.T] = 0.0
    scores[-1, :, -1] = 0.0
    return scores


def _state_moves(chain: Chain) -> Scores:
    """Return the scores of all moves between states, by state before and state after."""
    labels = chain.label_count
    moves = np.full((labels + 1, labels + 1), -np.inf)
    moves[:-1, :-1] = _array(chain.transitions)
    moves[:-1, -1] = _array(chain.end)
    moves[-1, -1] = 0.0
    return moves


def _reach(scores: Scores, moves: Scores) -> None:
    """Turn the scores into those of the best path to each state."""
    _, batch, states = scores.shape
    # One copy of the moves for each sentence: two full arrays add faster than one that is spread at every step.
    spread = np.repeat(moves[:, None], batch, axis=1)
    through = np.empty((states, batch, states))
    arriving = np.empty((batch, states))
    for before, step in zip(scores.transpose(0, 2, 1)[:-1, :, :, None], scores[1:], strict=True):
        np.add(before, spread, out=through)
        np.maximum.reduce(through, axis=0, out=arriving)
        np.add(step, arriving, out=step)


def _trace_back(reached: Scores, moves: Scores) -> npt.NDArray[np.int64]:
    """Return the labels of the best path by token and sentence; rest is the label after the last."""
    tokens, batch, states = reached.shape
    into = np.ascontiguousarray(moves.T)
    through = np.empty((batch, states))
    labels = np.empty((tokens - 1, batch), dtype=np.int64)
    label = np.full(batch, states - 1)
    for token in range(tokens - 2, -1, -1):
        into.take(label, axis=0, out=through, mode="clip")
        label = np.add(through, reached[token], out=through).argmax(1, out=labels[token])
    return labels
