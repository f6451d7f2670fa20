"""Sums over all label paths, forwards and backwards, in scaled probability space.

Every sentence is a column, every step one matrix product. Besides the labels there is one more state, ``rest``: a
sentence enters it after its last token, by the weight of its end, and stays. So sentences of different lengths run side
by side without a mask, and every message stands at its own token.

Potentials and move weights are at most one and every state is divided by its sum, so nothing overflows. Underflow loses
terms below the smallest normal number; they matter only where the joint weight of a step is almost as small. That
weight is known at the end, so a column is exact when it stays large enough at every step, and the caller
computes the others in log space.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.shapes import Allowed, Columns, Emissions, Mask


@dataclass(frozen=True, slots=True)
class MoveWeights:
    """The weights of the chain, divided by the largest, and the logarithm of that.

    The moves between states are bordered by ones, so that each product carries the sums of the states along.
    """

    bordered: Tensor
    start: Tensor
    peak: Tensor


@dataclass(frozen=True, slots=True)
class Sweep:
    """Messages of both directions for every column, scaled, and what follows from them.

    ``forward`` and ``backward`` include the potential of their own token. ``forward_sums`` are the sums of ``forward``
    over states; each state is divided by the sum before. ``pair_weights`` are the sums, over the moves into each token,
    of forward, move and backward weight. ``posteriors`` hold the probability of each state. ``log_sums`` leave out
    the scales of the potentials and of the chain, the same for all restrictions of a sentence.
    """

    forward: Columns
    backward: Columns
    posteriors: Columns
    forward_sums: Tensor
    pair_weights: Tensor
    log_sums: Tensor


def working_precision(emissions: Emissions) -> torch.dtype:
    """Return the precision to compute in: the emissions' own, single at least."""
    return torch.float64 if emissions.dtype == torch.float64 else torch.float32


def token_potentials(emissions: Emissions, mask: Mask, ragged: bool, restrictions: Sequence[Allowed | None]) -> Columns:
    """Return what each token says of each state: the shares of its labels, times what a restriction leaves of them.

    The columns are the sentences under the first restriction, then the sentences under the second, and so on.
    """
    batch, tokens, labels = emissions.shape
    shares = torch.softmax(emissions, 2, dtype=working_precision(emissions))
    weights = shares.new_empty(tokens, labels + 1, len(restrictions), batch)
    if ragged:
        padding = ~mask
        weights[:, labels] = padding.t()[:, None]
        # The padding may hold anything, not-a-number included.
        shares.masked_fill_(padding[..., None], 0.0)
    else:
        weights[:, labels].zero_()
    for column, allowed in enumerate(restrictions):
        target = weights[:, :labels, column]
        if allowed is None:
            target.copy_(shares.permute(1, 2, 0))
        else:
            torch.mul(shares, allowed, out=target.permute(2, 0, 1))
    return weights.flatten(2)


def move_weights(chain: Chain, dtype: torch.dtype) -> MoveWeights:
    """Return the weights of all moves between states: labels, then rest."""
    labels = chain.label_count
    # Rows: labels, then before the first token. No sentence starts at rest, so the last number is never used.
    to_rest = torch.cat((chain.end, chain.end[:1])).unsqueeze(1)
    scores = torch.cat((torch.cat((chain.transitions, chain.start.unsqueeze(0))), to_rest), 1)
    if scores.dtype != dtype:
        scores = scores.to(dtype)
    peak = scores.max()
    weights = torch.sub(scores, peak).exp_()
    bordered = weights.new_ones(labels + 2, labels + 2)
    bordered[:labels, :-1] = weights[:-1]
    bordered[labels, :labels].zero_()
    return MoveWeights(bordered, weights[-1:].t(), peak)


def token_log_scales(emissions: Emissions, mask: Mask, moves: MoveWeights) -> Tensor:
    """Return the logarithms of the scales by sentence and token: that of the potential and of the move before it."""
    return (torch.logsumexp(emissions.double(), 2) + moves.peak.double()).masked_fill_(~mask, 0.0)


def log_scales(emissions: Emissions, mask: Mask, moves: MoveWeights) -> Tensor:
    """Return what the log sums of each sentence lack: the scales of its tokens, and of its end."""
    return token_log_scales(emissions, mask, moves).sum(1) + moves.peak.double()


def sweep(weights: Columns, moves: MoveWeights) -> Sweep:
    """Return the messages of both directions."""
    states, arriving = _sweep_both(weights, moves)
    forward, backward = states[:, 0], states[:, 1].flip(0)
    forward_sums = forward.sum(1)
    posteriors = arriving[:, 1].flip(0).mul_(forward)
    joint = posteriors.sum(1)
    posteriors.div_(joint[:, None])
    joint[1:].mul_(forward_sums[:-1])
    # The last joint weight stands for the sums of the last two tokens, so one logarithm serves all.
    log_sums = torch.cat((forward_sums[:-2], joint[-1:])).double().log_().sum(0)
    return Sweep(forward, backward, posteriors, forward_sums, joint, log_sums)


def exact_columns(pair_weights: Tensor, states: int) -> Tensor:
    """Tell the columns in which all that underflowed is below rounding; not-a-number is never exact."""
    smallest, largest = pair_weights.aminmax(dim=0)
    return (smallest >= _least_pair_weight(pair_weights, states)) & (largest < torch.inf)


def all_exact(pair_weights: Tensor, states: int) -> bool:
    """Tell whether every column is exact, cheaper than asking for each."""
    smallest, largest = pair_weights.aminmax()
    return smallest.item() >= _least_pair_weight(pair_weights, states) and largest.item() < torch.inf


def _least_pair_weight(pair_weights: Tensor, states: int) -> float:
    limits = torch.finfo(pair_weights.dtype)
    return states**2 * limits.tiny / limits.eps


def _sweep_both(weights: Columns, moves: MoveWeights) -> tuple[Tensor, Tensor]:
    """Return the states of both directions and the messages that arrive before them, (tokens, directions, ...).

    The second direction runs from the last token to the first. Both take each step together: a step of two small
    products costs little more than a step of one.
    """
    _, states, columns = weights.shape
    bordered = moves.bordered
    both = torch.stack((weights, weights.flip(0)), 1)
    arriving = torch.empty_like(both)
    products = torch.stack((bordered[:-1].t(), bordered[:, :-1]))
    product = both.new_empty(2, states + 1, columns)
    message, total = product[:, :-1], product[:, -1:]
    first, *others = zip(both.unbind(0), arriving.unbind(0), strict=True)
    state, arrived = first
    state.mul_(arrived.copy_(torch.stack((moves.start, bordered[:-1, -2:-1]))))
    for weight, arrived in others:
        torch.bmm(products, state, out=product)
        torch.div(message, total, out=arrived)
        state = weight.mul_(arrived)
    return both, arriving
