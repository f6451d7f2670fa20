"""N-best Viterbi decoding: the several highest-scoring label paths of every sentence, best first."""

from typing import NamedTuple

import torch
from torch import Tensor

from trustag.crf.chain import Chain, check_batch
from trustag.crf.log_forward_backward import constrained_emissions, explain_failure
from trustag.crf.tensor_types import Allowed, Emissions, Mask, RankedPaths, RankedValues


class NBestPaths(NamedTuple):
    """The best paths of each sentence (sentences, ranks, tokens), best first, and their scores (sentences, ranks).

    Labels are -1 in the padding, scores are in double precision. Where a sentence has fewer paths than ranks, the other
    ranks have -1 for labels and minus infinity for a score.
    """

    labels: RankedPaths
    scores: RankedValues


@torch.no_grad()
def n_best_viterbi(
    emissions: Emissions, chain: Chain, mask: Mask, count: int, allowed: Allowed | None = None
) -> NBestPaths:
    """Return the ``count`` highest-scoring label paths of each sentence (sentences, count, tokens), best first.

    This is the n-best Viterbi algorithm on emissions (sentences, tokens, labels) with a mask (sentences, tokens). Only
    paths inside ``allowed`` (sentences, tokens, labels) compete; weights add their logarithms to the emissions. The
    order of paths with equal scores is arbitrary.
    """
    if count < 1:
        raise ValueError(f"the number of best paths must be at least 1, found {count}")
    check_batch(emissions, chain, mask, allowed)
    scores = constrained_emissions(emissions, mask, allowed)
    totals, pointers = _rank(scores, chain.to(torch.float64), mask, count)
    if not bool(totals[:, 0].isfinite().all()):
        explain_failure(emissions, chain, mask, allowed)
    found = totals.isfinite()
    labels = _backtrack(pointers, chain.label_count)[:, : totals.shape[1]]
    labels = labels.masked_fill(~(mask[:, None] & found[..., None]), -1)
    return NBestPaths(labels, totals)


def _rank(scores: Emissions, chain: Chain, mask: Mask, count: int) -> tuple[Tensor, list[Tensor]]:
    """Return the best total scores (sentences, ranks), and backpointers for each token after the first and the end.

    A backpointer is the previous rank times the number of labels, plus the previous label. Those of a token are
    (sentences, ranks, labels), those of the end (sentences, ranks).
    """
    sentences, tokens, labels = scores.shape
    best = scores.new_full((sentences, count, labels), -torch.inf)
    best[:, 0] = chain.start + scores[:, 0]
    unchanged = torch.arange(count * labels, device=scores.device).view(1, count, labels).expand(sentences, -1, -1)
    pointers = []
    for token in range(1, tokens):
        inside = mask[:, token, None, None]
        candidates = (best[..., None] + chain.transitions).flatten(1, 2)
        arriving, came_from = candidates.topk(count, 1)
        best = torch.where(inside, arriving + scores[:, token, None], best)
        pointers.append(torch.where(inside, came_from, unchanged))
    totals, last = (best + chain.end).flatten(1).topk(count, 1)
    return totals, [*pointers, last]


def _backtrack(pointers: list[Tensor], labels: int) -> Tensor:
    """Return the labels of the ranked paths (sentences, ranks, tokens)."""
    pointer = pointers[-1]
    paths = [pointer % labels]
    for earlier in reversed(pointers[:-1]):
        pointer = earlier.flatten(1).gather(1, pointer)
        paths.append(pointer % labels)
    return torch.stack(paths[::-1], 2)
