"""Messages of the chain, kept to answer any number of questions about a batch without running the chain again."""

from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain, check_batch
from trustag.crf.forward_backward import Sweep, exact_columns, log_scales, move_weights, sweep, token_potentials
from trustag.crf.log_space import LogMessages, check_finite, log_space_marginals, restricted_scores
from trustag.crf.path_sums import log_space_columns
from trustag.crf.shapes import Allowed, Emissions, Marginals, Mask, PairMarginals


@dataclass(frozen=True, slots=True)
class Messages:
    """What every token knows of the paths before and after it, in logarithms and double precision.

    ``log`` holds the messages; a backward message is minus infinity also where no path leads to its label.
    """

    log: LogMessages
    chain: Chain
    mask: Mask

    def token_marginals(self) -> Marginals:
        """Return the probability of each label at each token, zero in the padding."""
        return log_space_marginals(self.log, self.mask)

    def pair_marginals(self) -> PairMarginals:
        """Return the probability of each two labels at each two neighbouring tokens, zero in the padding."""
        before = self.log.forward[:, :-1, :, None]
        after = (self.log.scores + self.log.backward - self.log.log_sums[:, None, None])[:, 1:, None]
        pairs = (before + self.chain.transitions + after).exp_()
        return pairs.masked_fill_(~self.mask[:, 1:, None, None], 0.0)


@torch.no_grad()
def chain_messages(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None = None) -> Messages:
    """Return the messages of all sentences, over all paths or those inside ``allowed``."""
    ragged = check_batch(emissions, chain, mask, allowed)
    doubles, exact_chain = emissions.double(), chain.to(torch.float64)
    moves = move_weights(exact_chain, torch.float64)
    swept = sweep(token_potentials(doubles, mask, ragged, (allowed,)), moves)
    scores = restricted_scores(emissions, mask, allowed)
    log = _logarithms(swept, scores, log_scales(doubles, exact_chain, mask).cumsum(1))
    columns = (~exact_columns(swept.pair_weights, chain.label_count + 1)).nonzero().flatten()
    if len(columns):
        check_finite(emissions, mask, chain)
        rescued = log_space_columns(emissions, exact_chain, mask, (allowed,), columns)
        log.forward[columns] = rescued.forward
        log.backward[columns] = rescued.backward
        log.log_sums[columns] = rescued.log_sums
    return Messages(log, exact_chain, mask)


def _logarithms(swept: Sweep, scores: Emissions, scales: Tensor) -> LogMessages:
    """Return the scaled messages as logarithms; the backward ones are what the posteriors have beyond the forward."""
    log_sums = swept.log_sums + scales[:, -1]
    divided_by = swept.forward_sums.log().cumsum(0) - swept.forward_sums.log()
    forward = swept.forward[:-1].log().permute(2, 1, 0) + (scales[:, :-1] + divided_by.t())[..., None]
    backward = swept.posteriors[:-1].log().permute(2, 1, 0) - forward + log_sums[:, None, None]
    return LogMessages(scores, forward, backward.masked_fill_(forward.isneginf(), -torch.inf), log_sums)
