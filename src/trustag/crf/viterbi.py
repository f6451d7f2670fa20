"""Viterbi decoding of batches: the highest-scoring label path of every sentence.

Scores are summed in double precision, so that rounding does not decide long sentences. The search runs on the CPU
whatever the device: its steps are many and tiny, and numpy has the least overhead for each.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from trustag.crf.chain import Chain, check_batch
from trustag.crf.log_forward_backward import explain_failure
from trustag.crf.tensor_types import Allowed, Emissions, Mask, Paths, SentenceValues

Scores: TypeAlias = npt.NDArray[np.float64]
Indices: TypeAlias = npt.NDArray[np.int64]


class ViterbiPaths(NamedTuple):
    """The Viterbi path of each sentence (sentences, tokens), -1 in the padding, and its score (sentences,).

    Scores are in double precision.
    """

    labels: Paths
    scores: SentenceValues


def viterbi_decode(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> ViterbiPaths:
    """Return the highest-scoring label path of each sentence (sentences, tokens) and its score (sentences,).

    This is the Viterbi algorithm on emissions (sentences, tokens, labels) with a mask (sentences, tokens). Only paths
    inside ``allowed`` (sentences, tokens, labels) compete; weights add their logarithms to the emissions.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    last = _array(mask.sum(1) - 1) if ragged else None
    # Weights of zero and scores of plus infinity, which are reported as errors below, need no warning.
    with np.errstate(divide="ignore", invalid="ignore"):
        best = _label_scores(emissions, mask, ragged, allowed)
        best[0] += _array(chain.start)
        transitions = _array(chain.transitions).astype(np.float64)
        _forward_max(best, transitions)
        at_last = best[-1] if last is None else best[last, np.arange(len(last))]
        final = at_last + _array(chain.end)
    totals = final.max(1)
    if not np.isfinite(totals).all():
        explain_failure(emissions, chain, mask, allowed)
    labels = _backtrack(best, transitions, final.argmax(1), last).T.copy()
    if ragged:
        labels[~_array(mask)] = -1
    return ViterbiPaths(torch.from_numpy(labels).to(emissions.device), torch.from_numpy(totals).to(emissions.device))


def _array(tensor: Tensor) -> npt.NDArray[Any]:
    array: npt.NDArray[Any] = (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy(force=True)
    return array


def _label_scores(emissions: Emissions, mask: Mask, ragged: bool, allowed: Allowed | None) -> Scores:
    """Return the emissions inside ``allowed``, token-major (tokens, sentences, labels), zero in the padding."""
    sentences, tokens, labels = emissions.shape
    scores = np.empty((tokens, sentences, labels))
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


def _forward_max(scores: Scores, transitions: Scores) -> None:
    """Replace scores (tokens, sentences, labels) by those of the best path to each label; the padding is undefined."""
    _, sentences, labels = scores.shape
    # One copy of the transitions for each sentence: adding two full arrays is faster than broadcasting at every step.
    repeated = np.repeat(transitions[:, None], sentences, axis=1)
    candidates = np.empty((labels, sentences, labels))
    arriving = np.empty((sentences, labels))
    for before, step in zip(scores.transpose(0, 2, 1)[:-1, :, :, None], scores[1:], strict=True):
        np.add(before, repeated, out=candidates)
        np.maximum.reduce(candidates, axis=0, out=arriving)
        np.add(step, arriving, out=step)


def _backtrack(best: Scores, transitions: Scores, final: Indices, last: Indices | None) -> Indices:
    """Return the labels of the best paths (tokens, sentences), given the final label and last token of each."""
    tokens, sentences, labels = best.shape
    into = np.ascontiguousarray(transitions.T)
    candidates = np.empty((sentences, labels))
    path = np.empty((tokens, sentences), dtype=np.int64)
    path[-1] = final
    for token in range(tokens - 2, -1, -1):
        into.take(path[token + 1], axis=0, out=candidates, mode="clip")
        np.add(candidates, best[token], out=candidates).argmax(1, out=path[token])
        if last is not None:
            np.copyto(path[token], final, where=last <= token)
    return path
