"""The log-partition, the partial (marginal) likelihood loss, and token marginals; the first two are differentiable.

Every CRF objective is one loss with a different set of labels allowed at each token: the log-partition over all paths
minus the log-partition over the paths inside the allowed labels. Its gradient with respect to the emissions is the
token marginals over all paths minus those over the allowed paths; with respect to the transitions it is the difference
of the expected transition counts. Both come from one run of the forward-backward algorithm, as do the marginals that
callers use as confidence.
"""

from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable

from trustag.crf.chain import Chain, check_batch
from trustag.crf.forward_backward import ForwardBackward, forward_backward
from trustag.crf.scaled_forward_backward import log_scales
from trustag.crf.tensor_types import Allowed, Emissions, Marginals, Mask, SentenceValues


class PartialLoss(NamedTuple):
    """The loss of each sentence (sentences,), and the token marginals over all paths (sentences, tokens, labels)."""

    loss: SentenceValues
    marginals: Marginals


def partial_loss(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed) -> PartialLoss:
    """Return the negative log marginal likelihood of the paths inside ``allowed`` (sentences,), and token marginals.

    It is the negative log probability that a sentence's path lies inside ``allowed`` (sentences, tokens, labels), given
    emissions (sentences, tokens, labels) and a mask (sentences, tokens); with weights, that of the expected product
    of the weights along the path. One allowed label per token makes it the usual negative log likelihood of a CRF. The
    loss is differentiable with respect to the emissions and the chain, not the weights. The marginals are those over
    all paths (sentences, tokens, labels) and carry no gradient.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    loss, marginals = _log_partition(emissions, chain, mask, ragged, (None, allowed))
    return PartialLoss(loss, marginals)


def log_partition(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> SentenceValues:
    """Return the log-partition (sentences,), over all label paths or those inside ``allowed``, weighted by it.

    This is the forward algorithm on emissions (sentences, tokens, labels) with a mask (sentences, tokens). The result
    is differentiable, and in double precision so that differences of large values stay exact.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    result, _ = _log_partition(emissions, chain, mask, ragged, (allowed,))
    return result


@torch.no_grad()
def token_marginals(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> Marginals:
    """Return the token marginals (sentences, tokens, labels), over all label paths or those inside ``allowed``.

    This is the forward-backward algorithm on emissions (sentences, tokens, labels) with a mask (sentences, tokens).
    Marginals are zero in the padding.
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    return forward_backward(emissions, chain, mask, ragged, (allowed,)).marginals(emissions.shape[0])


def one_hot_mask(labels: Tensor, label_count: int) -> Tensor:
    """Return the mask (..., label_count) that allows only the given label of ``labels`` (...), none where negative.

    >>> one_hot_mask(torch.tensor([[1, -1]]), 2).tolist()
    [[[False, True], [False, False]]]
    """
    return labels[..., None] == torch.arange(label_count, device=labels.device)


def _log_partition(
    emissions: Emissions, chain: Chain, mask: Mask, ragged: bool, allowed_sets: tuple[Allowed | None, ...]
) -> tuple[Tensor, Tensor]:
    differentiable = (emissions, chain.transitions, chain.start, chain.end)
    fixed = (chain, mask, ragged, allowed_sets)
    result: tuple[Tensor, Tensor] = _LogPartition.apply(*differentiable, *fixed)  # type: ignore[no-untyped-call]
    return result


class _LogPartition(torch.autograd.Function):
    """The log-partition under the first set of allowed labels, minus that under the second if any; and marginals."""

    @staticmethod
    def forward(ctx: Any, *inputs: Any) -> tuple[Tensor, Tensor]:
        emissions, *_, chain, mask, ragged, allowed_sets = inputs
        sentences = emissions.shape[0]
        result = forward_backward(emissions, chain, mask, ragged, allowed_sets)
        marginals = result.marginals(sentences)
        ctx.mark_non_differentiable(marginals)
        ctx.set_materialize_grads(False)
        ctx.result = result
        ctx.mask = mask if ragged else None
        scaled = result.messages.log_partition
        if len(allowed_sets) == 1:
            return scaled + log_scales(emissions, chain, mask).sum(1), marginals
        return (scaled[:sentences] - scaled[sentences:]).to(marginals.dtype), marginals

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Any) -> tuple[Tensor | None, ...]:
        if gradients[0] is None:
            return (None,) * 8
        result: ForwardBackward = ctx.result
        posteriors = result.messages.posteriors[:-1]
        upstream = gradients[0].to(posteriors.dtype)
        sentences = upstream.shape[0]
        if posteriors.shape[2] > sentences:
            by_emissions = (posteriors[..., :sentences] - posteriors[..., sentences:]).mul_(upstream)
            by_column = torch.cat((upstream, -upstream))
        else:
            by_emissions = posteriors * upstream
            by_column = upstream
        by_transitions = _transition_gradient(result, by_column) if ctx.needs_input_grad[1] else None
        by_start = by_emissions[:, 0].sum(1)
        by_end = _at_last_tokens(by_emissions, ctx.mask).sum(1)
        return (by_emissions.permute(2, 1, 0), by_transitions, by_start, by_end, *(None,) * 4)


def _at_last_tokens(by_emissions: Tensor, mask: Mask | None) -> Tensor:
    """Return the values (labels, sentences) of the last token of each sentence, from (labels, tokens, sentences)."""
    if mask is None:
        return by_emissions[:, -1]
    last = (mask.sum(1) - 1).expand(by_emissions.shape[0], 1, -1)
    return by_emissions.gather(1, last)[:, 0]


def _transition_gradient(result: ForwardBackward, by_column: Tensor) -> Tensor:
    """Return the expected transition counts (labels, labels), each column weighted by its gradient (columns,)."""
    messages = result.messages
    scales = by_column / messages.pair_sums[:-1]
    before, after = messages.forward[:-1, :-1] * scales, messages.next_backward[:-1, :-1]
    gradient = before.new_empty(before.shape[0], after.shape[0])
    # A product into a given tensor keeps its precision under automatic mixed precision.
    torch.mm(before.flatten(1), after.flatten(1).t(), out=gradient)
    gradient.mul_(result.weights.between_labels)
    if result.log_space is not None:
        weights = by_column[result.log_space.indices].double()
        gradient += torch.tensordot(weights, result.log_space.transition_counts, 1).to(gradient.dtype)
    return gradient
