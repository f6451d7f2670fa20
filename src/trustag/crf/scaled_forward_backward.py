"""The forward-backward algorithm in scaled probability space: one matrix product per step for a whole batch.

Every sentence is a column. Besides the labels there is one more state, the boundary: a sentence leaves it for its first
token with the weight of its start, enters it after its last token with the weight of its end, and stays there. So
sentences of different lengths run side by side without a mask, and every message is at the index of its own token. The
potentials keep tokens out of the boundary state, and the padding in it.

Potentials and transition weights are at most one and every message is divided by its sum, so nothing overflows.
Underflow loses terms below the smallest normal number. They matter only where the joint weight of a step is almost as
small. That weight is known at the end: a column is exact if it stays large enough at every step. The caller computes
the other columns in log space.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.tensor_types import Allowed, Columns, DirectedColumns, Emissions, Mask


@dataclass(frozen=True, slots=True)
class TransitionWeights:
    """The weights of the transitions between states (labels, then the boundary) for both directions.

    ``products`` is (2, states + 1, states). Its last row is all ones, so that each product also yields the sums of the
    messages.
    """

    products: Tensor

    @property
    def between_states(self) -> Tensor:
        """The weights of all transitions (states, states), from row to column."""
        return self.products[1, :-1]

    @property
    def between_labels(self) -> Tensor:
        """The weights of the transitions between labels (labels, labels), from row to column."""
        return self.products[1, :-2, :-1]


@dataclass(frozen=True, slots=True)
class ScaledMessages:
    """Scaled forward and backward messages for every column, and what follows from them.

    ``forward`` and ``next_backward`` are (states, tokens, columns): the forward message of each token, and the backward
    message of the token after it. Both include the potential of their own token and are divided by the sum of the
    message before them. ``posteriors`` (states, tokens, columns) are the probabilities of the states. ``forward_sums``
    (tokens, columns) are the sums of ``forward`` over states, ``pair_sums`` (tokens, columns) those of forward message
    times transition weight times backward message over the transitions out of each token. ``log_partition`` (columns,)
    lacks the scales of the potentials and of the chain, which do not depend on the allowed labels.
    """

    forward: Columns
    next_backward: Columns
    posteriors: Columns
    forward_sums: Tensor
    pair_sums: Tensor
    log_partition: Tensor


def working_precision(emissions: Emissions) -> torch.dtype:
    """Return the precision to compute in: that of the emissions, but at least single."""
    return torch.float64 if emissions.dtype == torch.float64 else torch.float32


def token_potentials(
    emissions: Emissions, mask: Mask, ragged: bool, allowed_sets: Sequence[Allowed | None]
) -> DirectedColumns:
    """Return the potential of each state at each token (2, states, tokens + 1, columns), for both directions.

    The potentials of the labels are the softmax of the emissions (sentences, tokens, labels), times the weight that a
    set of allowed labels gives them. The first step is the boundary. The columns are the sentences under the first set,
    then the sentences under the second set, and so on.
    """
    sentences, tokens, labels = emissions.shape
    shares = torch.softmax(emissions, 2, dtype=working_precision(emissions))
    potentials = shares.new_zeros(2, labels + 1, tokens + 1, len(allowed_sets), sentences)
    potentials[:, labels, 0] = 1.0
    forward, backward = potentials[:, :, 1:]
    if ragged:
        padding = ~mask
        forward[labels] = padding.t()[:, None]
        # The padding may hold anything, NaN included.
        shares.masked_fill_(padding[..., None], 0.0)
    for target, allowed in zip(forward[:labels].permute(2, 3, 1, 0), allowed_sets, strict=True):
        if allowed is None:
            target.copy_(shares)
        else:
            torch.mul(shares, allowed, out=target)
    backward.copy_(forward.flip(1))
    return potentials.flatten(3)


def transition_weights(chain: Chain, dtype: torch.dtype) -> TransitionWeights:
    """Return the weights of all transitions, starts and ends: a softmax over all of them, so none exceeds one."""
    shares = torch.softmax(_all_scores(chain), 0, dtype=dtype)
    one_and_shares = torch.constant_pad_nd(shares, (1, 0), 1.0)
    return TransitionWeights(torch.take(one_and_shares, _weight_indices(chain.label_count, shares.device)))


@lru_cache(maxsize=8)
def _weight_indices(labels: int, device: torch.device) -> Tensor:
    """Return the indices of the weights in the products: a one at index 0, then transitions, starts and ends."""
    starts = 1 + labels * labels
    ends = starts + labels
    indices = torch.zeros(labels + 1, labels + 1, dtype=torch.long, device=device)
    indices[:labels, :labels] = torch.arange(1, starts).view(labels, labels)
    indices[labels, :labels] = torch.arange(starts, ends)
    indices[:labels, labels] = torch.arange(ends, ends + labels)
    return torch.constant_pad_nd(torch.stack((indices.t(), indices)), (0, 0, 0, 1))


def log_scales(emissions: Emissions, chain: Chain, mask: Mask) -> Tensor:
    """Return the log of each token's scale and, last, of the end's (sentences, tokens + 1), in double precision.

    The scale of a token is that of its potential times that of the transition into it. A scaled log-partition plus the
    sum of its sentence's row is the log-partition.
    """
    of_transitions = torch.logsumexp(_all_scores(chain).double(), 0)
    by_token = torch.logsumexp(emissions.double(), 2).add_(of_transitions).masked_fill_(~mask, 0.0)
    return torch.cat((by_token, of_transitions.expand(len(mask), 1)), 1)


def _all_scores(chain: Chain) -> Tensor:
    """Return all scores of the chain in one row: transitions, starts and ends."""
    return torch.cat((chain.transitions.flatten(), chain.start, chain.end))


def scaled_messages(potentials: DirectedColumns, weights: TransitionWeights) -> ScaledMessages:
    """Return the messages of both directions; they overwrite ``potentials`` (2, states, tokens + 1, columns)."""
    _pass_messages(potentials, weights)
    forward, next_backward = potentials[0, :, 1:], potentials[1, :, :-1].flip(1)
    posteriors = torch.empty_like(next_backward)
    # A product into a given tensor keeps its precision under automatic mixed precision.
    torch.mm(weights.between_states, next_backward.flatten(1), out=posteriors.flatten(1))
    pair_sums = posteriors.mul_(forward).sum(0)
    posteriors.div_(pair_sums)
    forward_sums = forward.sum(0)
    log_partition = torch.cat((forward_sums[:-1], pair_sums[-1:])).double().log_().sum(0)
    return ScaledMessages(forward, next_backward, posteriors, forward_sums, pair_sums, log_partition)


def exact_columns(pair_sums: Tensor, states: int) -> Tensor:
    """Return for each column (columns,) whether all underflow is below rounding; a column with NaN is never exact."""
    smallest, largest = pair_sums.aminmax(dim=0)
    return (smallest >= _least_pair_sum(pair_sums, states)) & (largest < torch.inf)


def all_exact(pair_sums: Tensor, states: int) -> bool:
    """Return whether every column is exact, which is cheaper than checking each."""
    smallest, largest = pair_sums.aminmax()
    return smallest.item() >= _least_pair_sum(pair_sums, states) and largest.item() < torch.inf


def _least_pair_sum(pair_sums: Tensor, states: int) -> float:
    limits = torch.finfo(pair_sums.dtype)
    return states**2 * limits.tiny / limits.eps


def _pass_messages(potentials: DirectedColumns, weights: TransitionWeights) -> None:
    """Turn potentials into messages, each divided by the sum of the message before it.

    Both directions take each step together: a step of two small products costs little more than a step of one.
    """
    products = weights.products
    product = potentials.new_empty(2, products.shape[1], potentials.shape[3])
    arriving, total = product[:, :-1], product[:, -1:]
    message, *others = potentials.unbind(2)
    for potential in others:
        torch.bmm(products, message, out=product)
        arriving.div_(total)
        message = potential.mul_(arriving)
