"""The several best label paths of every sentence, the best first."""

from typing import NamedTuple

import torch
from torch import Tensor

from trustag.crf.chain import Chain, check_batch
from trustag.crf.log_space import explain_failure, restricted_scores
from trustag.crf.shapes import Allowed, Emissions, Mask, RankedPaths, RankedValues


class RankedBestPaths(NamedTuple):
    """The best paths of each sentence, with -1 in the padding, and their scores in double precision, the best first.

    A sentence with fewer paths than asked for has -1 as labels and minus infinity as score in the other ranks.
    """

    labels: RankedPaths
    scores: RankedValues


@torch.no_grad()
def n_best_paths(
    emissions: Emissions, chain: Chain, mask: Mask, count: int, allowed: Allowed | None = None
) -> RankedBestPaths:
    """Return the ``count`` paths of the highest scores for each sentence, the best first.

    Paths of equal score come in any order; weights add their logarithm to the scores.
    """
    if count < 1:
        raise ValueError(f"asked for {count} best paths")
    check_batch(emissions, chain, mask, allowed)
    scores = restricted_scores(emissions, mask, allowed)
    totals, pointers = _rank(scores, chain.to(torch.float64), mask, count)
    if not bool(totals[:, 0].isfinite().all()):
        explain_failure(emissions, chain, mask, allowed)
    found = totals.isfinite()
    labels = _trace_back(pointers, chain.label_count)[:, : totals.shape[1]]
    labels = labels.masked_fill(~(mask[:, None] & found[..., None]), -1)
    return RankedBestPaths(labels, totals)


def _rank(scores: Emissions, chain: Chain, mask: Mask, count: int) -> tuple[Tensor, list[Tensor]]:
    """Return the best total scores by sentence and rank, and where each ranked path to each label came from.

    A pointer is the rank before times the number of labels, plus the label before; the last is that of the whole path.
    """
    batch, tokens, labels = scores.shape
    reached = scores.new_full((batch, count, labels), -torch.inf)
    reached[:, 0] = chain.start + scores[:, 0]
    stay = torch.arange(count * labels, device=scores.device).view(1, count, labels).expand(batch, -1, -1)
    pointers = []
    for token in range(1, tokens):
        inside = mask[:, token, None, None]
        through = (reached[..., None] + chain.transitions).flatten(1, 2)
        best, came_from = through.topk(count, 1)
        reached = torch.where(inside, best + scores[:, token, None], reached)
        pointers.append(torch.where(inside, came_from, stay))
    totals, last = (reached + chain.end).flatten(1).topk(count, 1)
    return totals, [*pointers, last]


def _trace_back(pointers: list[Tensor], labels: int) -> Tensor:
    """Return the labels of the ranked paths by sentence, rank and token."""
    place = pointers[-1]
    paths = [place % labels]
    for pointer in reversed(pointers[:-1]):
        place = pointer.flatten(1).gather(1, place)
        paths.append(place % labels)
    return torch.stack(paths[::-1], 2)
