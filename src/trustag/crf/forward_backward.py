"""Sums over all label paths, forwards and backwards, in scaled probability space.

Every sentence is a column, every step one matrix product. Besides the labels there is one more state, ``rest``: a
sentence leaves it for its first token, by the weight of its start, enters it after its last one, by the weight of its
end, and stays. So sentences of different lengths run side by side without a mask, and every message stands at its own
token. No token is at rest and no padding has a label, by their potentials.

Potentials and move weights are at most one and every state is divided by its sum, so nothing overflows. Underflow loses
terms below the smallest normal number; they matter only where the joint weight of a step is almost as small. That
weight is known at the end, so a column is exact when it stays large enough at every step, and the caller
computes the others in log space.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.shapes import Allowed, Columns, DirectedColumns, Emissions, Mask


@dataclass(frozen=True, slots=True)
class MoveWeights:
    """The weights of the moves between states, labels, then rest, for both directions.

    Below the moves stands a row of ones, so that each product carries the sums of the states along.
    """

    products: Tensor

    @property
    def between_states(self) -> Tensor:
        """The weights of all moves: row before, column after."""
        return self.products[1, :-1]

    @property
    def between_labels(self) -> Tensor:
        """The weights of the moves from label to label: row before, column after."""
        return self.products[1, :-2, :-1]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Messages of both directions for every column, scaled, and what follows from them.

    ``forward`` is the state of each token and ``ahead`` the backward state of what follows it; both include the
    potential of their own token and are divided by the sum of the state before them. ``forward_sums`` are the sums of
    ``forward`` over states. ``pair_weights`` are the sums, over the moves out of each token, of forward, move and
    backward weight. ``posteriors`` hold the probability of each state. ``log_sums`` leave out the scales of the
    potentials and of the chain, the same for all restrictions of a sentence.
    """

    forward: Columns
    ahead: Columns
    posteriors: Columns
    forward_sums: Tensor
    pair_weights: Tensor
    log_sums: Tensor


def working_precision(emissions: Emissions) -> torch.dtype:
    """Return the precision to compute in: the emissions' own, single at least."""
    return torch.float64 if emissions.dtype == torch.float64 else torch.float32


def token_potentials(
    emissions: Emissions, mask: Mask, ragged: bool, restrictions: Sequence[Allowed | None]
) -> DirectedColumns:
    """Return what each token says of each state: the shares of its labels, times what a restriction leaves of them.

    Before the first token stands rest. The columns are the sentences under the first restriction, then the sentences
    under the second, and so on.
    """
    batch, tokens, labels = emissions.shape
    shares = torch.softmax(emissions, 2, dtype=working_precision(emissions))
    weights = shares.new_zeros(2, labels + 1, tokens + 1, len(restrictions), batch)
    weights[:, labels, 0] = 1.0
    onwards, backwards = weights[:, :, 1:]
    if ragged:
        padding = ~mask
        onwards[labels] = padding.t()[:, None]
        # The padding may hold anything, not-a-number included.
        shares.masked_fill_(padding[..., None], 0.0)
    for target, allowed in zip(onwards[:labels].permute(2, 3, 1, 0), restrictions, strict=True):
        if allowed is None:
            target.copy_(shares)
        else:
            torch.mul(shares, allowed, out=target)
    backwards.copy_(onwards.flip(1))
    return weights.flatten(3)


def move_weights(chain: Chain, dtype: torch.dtype) -> MoveWeights:
    """Return the weights of all moves: their shares, so that none exceeds one."""
    shares = torch.softmax(_all_scores(chain), 0, dtype=dtype)
    one_and_shares = torch.constant_pad_nd(shares, (1, 0), 1.0)
    return MoveWeights(torch.take(one_and_shares, _places(chain.label_count, shares.device)))


@lru_cache(maxsize=8)
def _places(labels: int, device: torch.device) -> Tensor:
    """Return where the products find their weights: a one at place 0, then transitions, starts and ends."""
    starts = 1 + labels * labels
    ends = starts + labels
    moves = torch.zeros(labels + 1, labels + 1, dtype=torch.long, device=device)
    moves[:labels, :labels] = torch.arange(1, starts).view(labels, labels)
    moves[labels, :labels] = torch.arange(starts, ends)
    moves[:labels, labels] = torch.arange(ends, ends + labels)
    return torch.constant_pad_nd(torch.stack((moves.t(), moves)), (0, 0, 0, 1))


def log_scales(emissions: Emissions, chain: Chain, mask: Mask) -> Tensor:
    """Return the logarithms of the scales by sentence and token: that of the potential and of the move before it.

    The last column holds the scale of the end. The sum of its row is what the log sums of a sentence lack.
    """
    of_moves = torch.logsumexp(_all_scores(chain).double(), 0)
    by_token = torch.logsumexp(emissions.double(), 2).add_(of_moves).masked_fill_(~mask, 0.0)
    return torch.cat((by_token, of_moves.expand(len(mask), 1)), 1)


def _all_scores(chain: Chain) -> Tensor:
    """Return the scores of the chain in one row: transitions, starts and ends."""
    return torch.cat((chain.transitions.flatten(), chain.start, chain.end))


def sweep(weights: DirectedColumns, moves: MoveWeights) -> Sweep:
    """Return the messages of both directions; they take the place of the potentials in ``weights``."""
    _sweep_both(weights, moves)
    forward, ahead = weights[0, :, 1:], weights[1, :, :-1].flip(1)
    posteriors = torch.empty_like(ahead)
    # A product into a given tensor keeps its precision under automatic mixed precision.
    torch.mm(moves.between_states, ahead.flatten(1), out=posteriors.flatten(1))
    pair_weights = posteriors.mul_(forward).sum(0)
    posteriors.div_(pair_weights)
    forward_sums = forward.sum(0)
    log_sums = torch.cat((forward_sums[:-1], pair_weights[-1:])).double().log_().sum(0)
    return Sweep(forward, ahead, posteriors, forward_sums, pair_weights, log_sums)


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


def _sweep_both(weights: DirectedColumns, moves: MoveWeights) -> None:
    """Turn potentials into states, each divided by the sum of the state before it.

    Both directions take each step together: a step of two small products costs little more than a step of one.
    """
    products = moves.products
    product = weights.new_empty(2, products.shape[1], weights.shape[3])
    message, total = product[:, :-1], product[:, -1:]
    state, *others = weights.unbind(2)
    for weight in others:
        torch.bmm(products, state, out=product)
        message.div_(total)
        state = weight.mul_(message)
