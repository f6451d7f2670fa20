"""The forward-backward algorithm for any scores: scaled where that is exact, in log space where it is not."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.log_forward_backward import (
    LogMessages,
    check_finite,
    check_paths,
    constrained_emissions,
    expected_transition_counts,
    log_messages,
    log_space_marginals,
)
from trustag.crf.scaled_forward_backward import (
    ScaledMessages,
    TransitionWeights,
    all_exact,
    exact_columns,
    log_scales,
    scaled_messages,
    token_potentials,
    transition_weights,
    working_precision,
)
from trustag.crf.tensor_types import Allowed, Emissions, Marginals, Mask, TransitionCounts


@dataclass(frozen=True, slots=True)
class LogSpaceColumns:
    """The indices of the columns that needed log space (columns,), and their expected transition counts."""

    indices: Tensor
    transition_counts: TransitionCounts


@dataclass(frozen=True, slots=True)
class ForwardBackward:
    """The result of the forward-backward algorithm.

    The log-partition and the posteriors of ``messages`` are right in every column; the messages themselves are zero in
    the columns of ``log_space``.
    """

    messages: ScaledMessages
    weights: TransitionWeights
    log_space: LogSpaceColumns | None

    def marginals(self, sentences: int) -> Marginals:
        """Return the token marginals (sentences, tokens, labels) under the first set of allowed labels."""
        own = self.messages.posteriors[:-1, :, :sentences]
        return own.permute(2, 1, 0).clone(memory_format=torch.contiguous_format)


def forward_backward(
    emissions: Emissions, chain: Chain, mask: Mask, ragged: bool, allowed_sets: Sequence[Allowed | None]
) -> ForwardBackward:
    """Run the forward-backward algorithm on emissions (sentences, tokens, labels) under each set of allowed labels.

    The columns of the result are the sentences under the first set, then under the second, and so on. Raise if a
    sentence has no path.
    """
    # Inference mode saves a quarter of the time of many small operations.
    with torch.inference_mode():
        weights = transition_weights(chain, working_precision(emissions))
        messages = scaled_messages(token_potentials(emissions, mask, ragged, allowed_sets), weights)
        if all_exact(messages.pair_sums, chain.label_count + 1):
            return ForwardBackward(messages, weights, None)
        check_finite(emissions, mask, chain)
        columns = (~exact_columns(messages.pair_sums, chain.label_count + 1)).nonzero().flatten()
        inside = mask[columns % emissions.shape[0]]
        double_chain = chain.to(torch.float64)
        exact = log_messages_of_columns(emissions, double_chain, mask, allowed_sets, columns)
        _replace_columns(messages, columns, log_space_marginals(exact, inside))
        scales = log_scales(emissions, chain, mask).sum(1)[columns % len(mask)]
        messages.log_partition[columns] = exact.log_partition - scales
        counts = expected_transition_counts(exact, double_chain, inside)
        return ForwardBackward(messages, weights, LogSpaceColumns(columns, counts))


def log_messages_of_columns(
    emissions: Emissions, chain: Chain, mask: Mask, allowed_sets: Sequence[Allowed | None], columns: Tensor
) -> LogMessages:
    """Return the log-space messages (columns, tokens, labels) of the given columns; raise if one has no path."""
    batch = emissions.shape[0]
    sentences = columns % batch
    scores = [
        constrained_emissions(emissions[chosen], mask[chosen], None if allowed is None else allowed[chosen])
        for index, allowed in enumerate(allowed_sets)
        for chosen in [sentences[columns // batch == index]]
    ]
    messages = log_messages(torch.cat(scores), chain, mask[sentences])
    check_paths(messages, mask[sentences], sentences)
    return messages


def _replace_columns(messages: ScaledMessages, columns: Tensor, marginals: Marginals) -> None:
    messages.posteriors[:-1, :, columns] = marginals.permute(2, 1, 0).to(messages.posteriors.dtype)
    messages.forward[:, :, columns] = 0.0
    messages.next_backward[:, :, columns] = 0.0
    messages.pair_sums[:, columns] = 1.0
