"""Forward and backward messages of a batch, kept to answer any number of queries without another pass."""

from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain, check_batch
from trustag.crf.forward_backward import log_messages_of_columns
from trustag.crf.log_forward_backward import LogMessages, check_finite, constrained_emissions, log_space_marginals
from trustag.crf.scaled_forward_backward import (
    ScaledMessages,
    exact_columns,
    log_scales,
    scaled_messages,
    token_potentials,
    transition_weights,
)
from trustag.crf.tensor_types import Allowed, Emissions, Marginals, Mask, PairMarginals


@dataclass(frozen=True, slots=True)
class Messages:
    """The forward and backward messages of a batch, with its chain and mask, in log space and double precision.

    ``log`` holds the messages (sentences, tokens, labels) and the log-partition (sentences,). A backward message is
    minus infinity also where no path leads to its label.
    """

    log: LogMessages
    chain: Chain
    mask: Mask

    def token_marginals(self) -> Marginals:
        """Return the token marginals (sentences, tokens, labels), zero in the padding."""
        return log_space_marginals(self.log, self.mask)

    def pair_marginals(self) -> PairMarginals:
        """Return the pairwise marginals of adjacent tokens (sentences, tokens - 1, labels, labels); padding is zero."""
        before = self.log.forward[:, :-1, :, None]
        after = (self.log.emissions + self.log.backward - self.log.log_partition[:, None, None])[:, 1:, None]
        pairs = (before + self.chain.transitions + after).exp_()
        return pairs.masked_fill_(~self.mask[:, 1:, None, None], 0.0)


@torch.no_grad()
def forward_backward_messages(
    emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None
) -> Messages:
    """Return the forward and backward messages (sentences, tokens, labels) and log-partition (sentences,) of a batch.

    This is the forward-backward algorithm on emissions (sentences, tokens, labels) with a mask (sentences, tokens),
    over all label paths or those inside ``allowed`` (sentences, tokens, labels).
    """
    ragged = check_batch(emissions, chain, mask, allowed)
    doubles, double_chain = emissions.double(), chain.to(torch.float64)
    weights = transition_weights(double_chain, torch.float64)
    scaled = scaled_messages(token_potentials(doubles, mask, ragged, (allowed,)), weights)
    scores = constrained_emissions(emissions, mask, allowed)
    log = _logarithms(scaled, scores, log_scales(doubles, double_chain, mask).cumsum(1))
    columns = (~exact_columns(scaled.pair_sums, chain.label_count + 1)).nonzero().flatten()
    if len(columns):
        check_finite(emissions, mask, chain)
        exact = log_messages_of_columns(emissions, double_chain, mask, (allowed,), columns)
        log.forward[columns] = exact.forward
        log.backward[columns] = exact.backward
        log.log_partition[columns] = exact.log_partition
    return Messages(log, double_chain, mask)


def _logarithms(scaled: ScaledMessages, emissions: Emissions, scales: Tensor) -> LogMessages:
    """Return scaled messages in log space; the backward ones are the posteriors divided by the forward ones."""
    log_partition = scaled.log_partition + scales[:, -1]
    divided_by = scaled.forward_sums.log().cumsum(0) - scaled.forward_sums.log()
    forward = scaled.forward[:-1].log().permute(2, 1, 0) + (scales[:, :-1] + divided_by.t())[..., None]
    backward = scaled.posteriors[:-1].log().permute(2, 1, 0) - forward + log_partition[:, None, None]
    return LogMessages(emissions, forward, backward.masked_fill_(forward.isneginf(), -torch.inf), log_partition)
