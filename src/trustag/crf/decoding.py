"""The best label path of every sentence, inside the allowed labels where a set is given.

Scores are added in double precision, so that long sentences are not decided by rounding. The search runs on the
processor whatever the device: its steps are many and tiny, and numpy takes the least time to start each.
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
Path: TypeAlias = npt.NDArray[np.int64]


class BestPaths(NamedTuple):
    """The best path of each sentence, with -1 in the padding, and its score in double precision."""

    labels: Paths
    scores: SentenceValues


def best_paths(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> BestPaths:
    """Return the path of the highest score for each sentence; weights add their logarithm to the scores."""
    ragged = check_batch(emissions, chain, mask, allowed)
    last = _array(mask.sum(1) - 1) if ragged else None
    # Weights of zero and scores of plus infinity, which are errors, need no warning.
    with np.errstate(divide="ignore", invalid="ignore"):
        reached = _label_scores(emissions, mask, ragged, allowed)
        reached[0] += _array(chain.start)
        moves = _array(chain.transitions).astype(np.float64)
        _reach(reached, moves)
        at_last = reached[-1] if last is None else reached[last, np.arange(len(last))]
        ended = at_last + _array(chain.end)
    totals = ended.max(1)
    if not np.isfinite(totals).all():
        explain_failure(emissions, chain, mask, allowed)
    labels = _trace_back(reached, moves, ended.argmax(1), last).T.copy()
    if ragged:
        labels[~_array(mask)] = -1
    return BestPaths(torch.from_numpy(labels).to(emissions.device), torch.from_numpy(totals).to(emissions.device))


def _array(tensor: Tensor) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy(force=True)
    return array


def _label_scores(emissions: Emissions, mask: Mask, ragged: bool, allowed: Allowed | None) -> Scores:
    """Return the scores of the labels by token, sentence and label, zero in the padding."""
    batch, tokens, labels = emissions.shape
    scores = np.empty((tokens, batch, labels))
    by_sentence = scores.transpose(1, 0, 2)
    by_sentence[...] = _array(emissions)
    if allowed is not None:
        if allowed.dtype == torch.bool:
            by_sentence[~_array(allowed)] = -np.inf
        else:
            by_sentence += np.log(_array(allowed), dtype=np.float64)
    if ragged:
        by_sentence[~_array(mask)] = 0.0
    return scores


def _reach(scores: Scores, moves: Scores) -> None:
    """Turn the scores into those of the best path to each label; what the padding holds means nothing."""
    _, batch, labels = scores.shape
    # One copy of the moves for each sentence: two full arrays add faster than one that is spread at every step.
    spread = np.repeat(moves[:, None], batch, axis=1)
    through = np.empty((labels, batch, labels))
    arriving = np.empty((batch, labels))
    for before, step in zip(scores.transpose(0, 2, 1)[:-1, :, :, None], scores[1:], strict=True):
        np.add(before, spread, out=through)
        np.maximum.reduce(through, axis=0, out=arriving)
        np.add(step, arriving, out=step)


def _trace_back(reached: Scores, moves: Scores, ended: Path, last: Path | None) -> Path:
    """Return the labels of the best paths by token and sentence, from the last label of each at its last token."""
    tokens, batch, labels = reached.shape
    into = np.ascontiguousarray(moves.T)
    through = np.empty((batch, labels))
    path = np.empty((tokens, batch), dtype=np.int64)
    path[-1] = ended
    for token in range(tokens - 2, -1, -1):
        into.take(path[token + 1], axis=0, out=through, mode="clip")
        np.add(through, reached[token], out=through).argmax(1, out=path[token])
        if last is not None:
            np.copyto(path[token], ended, where=last <= token)
    return path
