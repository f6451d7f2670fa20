"""Differentiable sums over label paths: the log partition, and the loss of a partly known labelling.

Every CRF objective is one loss with a different answer to which labels are still allowed at a token: the logarithm of
the sum over all paths less that of the sum over the paths inside the allowed labels. Its gradient by the emissions is
the marginals of all paths less those of the allowed ones; by the transitions it is the difference of the expected
numbers of moves. Both come from one sweep, and so do the marginals that a caller reads as confidence.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from trustag.crf.chain import Chain, check_batch
from trustag.crf.forward_backward import log_scales
from trustag.crf.path_sums import PathSums, sum_paths
from trustag.crf.shapes import Allowed, Emissions, Marginals, Mask, SentenceValues


class PartialLoss(NamedTuple):
    """The loss of each sentence, and the probability of each label at each token over all paths."""

    loss: SentenceValues
    marginals: Marginals


def partial_loss(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed) -> PartialLoss:
    """Return the negative logarithm of the probability that each sentence's path lies inside ``allowed``.

    With weights it is that of the expected product of the weights along the path. The loss is differentiable by the
    emissions and the chain, not by the weights; the marginals carry no gradient.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    loss, marginals = _log_sum(emissions, chain, mask, ragged, (None, allowed))
    return PartialLoss(loss, marginals)


def log_partition(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> SentenceValues:
    """Return the logarithm of the sum over all paths, or over those inside ``allowed``, weighted by it.

    The result is in double precision, so that differences of large sums stay exact; it is differentiable.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    log_sums, _ = _log_sum(emissions, chain, mask, ragged, (allowed,))
    return log_sums


@torch.no_grad()
def token_marginals(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> Marginals:
    """Return the probability of each label at each token, over all paths or those inside ``allowed``.

    The probabilities of the padding are zero.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    return sum_paths(emissions, chain, mask, ragged, (allowed,)).marginals(emissions.shape[0])


def exactly(labels: Tensor, label_count: int) -> Tensor:
    """Return the allowed set that holds, at each token, the one given label (no label where it is negative).

    >>> exactly(torch.tensor([[1, -1]]), 2).tolist()
    [[[False, True], [False, False]]]
    """
    return labels[..., None] == torch.arange(label_count, device=labels.device)


def _log_sum(
    emissions: Emissions, chain: Chain, mask: Mask, ragged: bool, restrictions: tuple[Allowed | None, ...]
) -> tuple[Tensor, Tensor]:
    differentiable = (emissions, chain.transitions, chain.start, chain.end)
    fixed = (chain, mask, ragged, restrictions)
    result: tuple[Tensor, Tensor] = _LogSum.apply(*differentiable, *fixed)  # type: ignore[no-untyped-call]
    return result


class _LogSum(torch.autograd.Function):
    """The log sum under the first restriction, less that under the second where there is one; and marginals."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> tuple[Tensor, Tensor]:
        emissions, *_, chain, mask, ragged, restrictions = inputs
        batch = emissions.shape[0]
        sums = sum_paths(emissions, chain, mask, ragged, restrictions)
        marginals = sums.marginals(batch)
        ctx.mark_non_differentiable(marginals)
        ctx.set_materialize_grads(False)
        ctx.sums = sums
        ctx.mask = mask if ragged else None
        log_sums = sums.sweep.log_sums
        if len(restrictions) == 1:
            return log_sums + log_scales(emissions, chain, mask).sum(1), marginals
        return (log_sums[:batch] - log_sums[batch:]).to(marginals.dtype), marginals

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor | None, ...]:
        if gradients[0] is None:
            return (None,) * 8
        sums: PathSums = ctx.sums
        posteriors = sums.sweep.posteriors[:-1]
        upstream = gradients[0].to(posteriors.dtype)
        batch = upstream.shape[0]
        if posteriors.shape[2] > batch:
            by_emissions = (posteriors[..., :batch] - posteriors[..., batch:]).mul_(upstream)
            by_column = torch.cat((upstream, -upstream))
        else:
            by_emissions = posteriors * upstream
            by_column = upstream
        by_transitions = _transition_gradient(sums, by_column) if ctx.needs_input_grad[1] else None
        by_start = by_emissions[:, 0].sum(1)
        by_end = _at_last_tokens(by_emissions, ctx.mask).sum(1)
        return (by_emissions.permute(2, 1, 0), by_transitions, by_start, by_end, *(None,) * 4)


def _at_last_tokens(by_emissions: Tensor, mask: Mask | None) -> Tensor:
    if mask is None:
        return by_emissions[:, -1]
    last = (mask.sum(1) - 1).expand(by_emissions.shape[0], 1, -1)
    return by_emissions.gather(1, last)[:, 0]


def _transition_gradient(sums: PathSums, by_column: Tensor) -> Tensor:
    swept = sums.sweep
    scales = by_column / swept.pair_weights[:-1]
    before, after = swept.forward[:-1, :-1] * scales, swept.ahead[:-1, :-1]
    gradient = before.new_empty(before.shape[0], after.shape[0])
    # A product into a given tensor keeps its precision under automatic mixed precision.
    torch.mm(before.flatten(1), after.flatten(1).t(), out=gradient)
    gradient.mul_(sums.moves.between_labels)
    if sums.rescued is not None:
        weights = by_column[sums.rescued.columns].double()
        gradient += torch.tensordot(weights, sums.rescued.move_counts, 1).to(gradient.dtype)
    return gradient
