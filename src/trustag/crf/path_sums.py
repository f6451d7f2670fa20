"""Sums over label paths for every sentence: scaled where that is exact, in log space where it is not."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.forward_backward import (
    MoveWeights,
    Sweep,
    all_exact,
    exact_columns,
    log_scales,
    move_weights,
    sweep,
    token_potentials,
    working_precision,
)
from trustag.crf.log_space import (
    LogMessages,
    check_finite,
    check_paths,
    expected_moves,
    log_messages,
    log_space_marginals,
    restricted_scores,
)
from trustag.crf.shapes import Allowed, Emissions, Marginals, Mask


@dataclass(frozen=True, slots=True)
class Rescued:
    """The columns that needed log space, and how often each is expected to make each move."""

    columns: Tensor
    move_counts: Tensor


@dataclass(frozen=True, slots=True)
class PathSums:
    """A finished sweep: all its log sums and posteriors are right; its messages are zero in rescued columns."""

    sweep: Sweep
    moves: MoveWeights
    rescued: Rescued | None

    def marginals(self, batch: int) -> Marginals:
        """Return the probability of each label at each token under the first restriction."""
        return self.sweep.posteriors[:-1, :, :batch].permute(2, 1, 0).clone(memory_format=torch.contiguous_format)


def sum_paths(
    emissions: Emissions, chain: Chain, mask: Mask, ragged: bool, restrictions: Sequence[Allowed | None]
) -> PathSums:
    """Return the sums over the paths of each sentence under each restriction, or raise for one without a path."""
    # Inference mode saves a quarter of the time of many small operations.
    with torch.inference_mode():
        moves = move_weights(chain, working_precision(emissions))
        swept = sweep(token_potentials(emissions, mask, ragged, restrictions), moves)
        if all_exact(swept.pair_weights, chain.label_count + 1):
            return PathSums(swept, moves, None)
        check_finite(emissions, mask, chain)
        columns = (~exact_columns(swept.pair_weights, chain.label_count + 1)).nonzero().flatten()
        inside = mask[columns % emissions.shape[0]]
        exact_chain = chain.to(torch.float64)
        messages = log_space_columns(emissions, exact_chain, mask, restrictions, columns)
        _replace_columns(swept, columns, log_space_marginals(messages, inside))
        swept.log_sums[columns] = messages.log_sums - log_scales(emissions, chain, mask).sum(1)[columns % len(mask)]
        return PathSums(swept, moves, Rescued(columns, expected_moves(messages, exact_chain, inside)))


def log_space_columns(
    emissions: Emissions, chain: Chain, mask: Mask, restrictions: Sequence[Allowed | None], columns: Tensor
) -> LogMessages:
    """Return the log-space messages of some columns, or raise for one without a path."""
    batch = emissions.shape[0]
    sentences = columns % batch
    scores = [
        restricted_scores(emissions[chosen], mask[chosen], None if allowed is None else allowed[chosen])
        for restriction, allowed in enumerate(restrictions)
        for chosen in [sentences[columns // batch == restriction]]
    ]
    messages = log_messages(torch.cat(scores), chain, mask[sentences])
    check_paths(messages, mask[sentences], sentences)
    return messages


def _replace_columns(swept: Sweep, columns: Tensor, marginals: Marginals) -> None:
    swept.posteriors[:-1, :, columns] = marginals.permute(2, 1, 0).to(swept.posteriors.dtype)
    swept.forward[:, :, columns] = 0.0
    swept.ahead[:, :, columns] = 0.0
    swept.pair_weights[:, columns] = 1.0
