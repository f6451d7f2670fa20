"""The forward-backward algorithm in log space and double precision: slower, but exact for scores of any range.

It handles the sentences whose messages leave the range of the scaled algorithm, and finds out what is wrong with those
that have no path. Minus infinity stands for a probability of exactly zero.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.errors import NonFiniteScoreError, NoPathError
from trustag.crf.tensor_types import Allowed, Emissions, Marginals, Mask, SentenceValues, TransitionCounts


@dataclass(frozen=True, slots=True)
class LogMessages:
    """Forward and backward messages in log space (sentences, tokens, labels), and the log-partition (sentences,).

    ``emissions`` are those inside the allowed labels. ``forward`` is the log-sum over the paths up to and including a
    token, ``backward`` the log-sum over the paths after it, without its own emission.
    """

    emissions: Emissions
    forward: Emissions
    backward: Emissions
    log_partition: SentenceValues


def constrained_emissions(emissions: Emissions, mask: Mask, allowed: Allowed | None) -> Emissions:
    """Return emissions (sentences, tokens, labels) in double precision with ``allowed`` applied, zero in the padding.

    Labels that are not allowed get minus infinity; weights add their logarithms.
    """
    scores = emissions.detach().double()
    if allowed is not None:
        if allowed.dtype == torch.bool:
            scores = scores.masked_fill(~allowed, -torch.inf)
        else:
            scores = scores + allowed.detach().double().log()
    return scores.masked_fill(~mask[..., None], 0.0)


def log_messages(emissions: Emissions, chain: Chain, mask: Mask) -> LogMessages:
    """Return the forward and backward messages (sentences, tokens, labels) and log-partition, token by token.

    In the padding, ``forward`` repeats the message of the last token and ``backward`` holds the end scores.
    """
    forward = [chain.start + emissions[:, 0]]
    for token in range(1, emissions.shape[1]):
        arriving = torch.logsumexp(forward[-1][:, :, None] + chain.transitions, 1)
        forward.append(torch.where(mask[:, token, None], arriving + emissions[:, token], forward[-1]))
    backward = [chain.end.expand_as(emissions[:, 0])]
    for token in range(emissions.shape[1] - 1, 0, -1):
        leaving = (emissions[:, token] + backward[-1])[:, None, :]
        arriving = torch.logsumexp(chain.transitions + leaving, 2)
        backward.append(torch.where(mask[:, token, None], arriving, chain.end))
    log_partition = torch.logsumexp(forward[-1] + chain.end, 1)
    return LogMessages(emissions, torch.stack(forward, 1), torch.stack(backward[::-1], 1), log_partition)


def log_space_marginals(messages: LogMessages, mask: Mask) -> Marginals:
    """Return the token marginals (sentences, tokens, labels), zero in the padding."""
    log_joint = messages.forward + messages.backward - messages.log_partition[:, None, None]
    return log_joint.exp().masked_fill(~mask[..., None], 0.0)


def expected_transition_counts(messages: LogMessages, chain: Chain, mask: Mask) -> TransitionCounts:
    """Return the expected count of each transition in each sentence (sentences, labels, labels)."""
    sentences, tokens, labels = messages.emissions.shape
    counts = messages.emissions.new_zeros(sentences, labels, labels)
    after = messages.emissions + messages.backward - messages.log_partition[:, None, None]
    for token in range(1, tokens):
        pairs = messages.forward[:, token - 1, :, None] + chain.transitions + after[:, token, None, :]
        counts += pairs.exp().masked_fill(~mask[:, token, None, None], 0.0)
    return counts


def explain_failure(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None) -> None:
    """Raise the error that names the first score that is not finite or the first sentence without a path, if any."""
    check_finite(emissions, mask, chain)
    everyone = torch.arange(emissions.shape[0])
    constrained = constrained_emissions(emissions, mask, allowed)
    check_paths(log_messages(constrained, chain.to(torch.float64), mask), mask, everyone)


def check_paths(messages: LogMessages, mask: Mask, sentences: Tensor) -> None:
    """Raise an error for the first row without a path; ``sentences`` (rows,) gives its index in the batch."""
    if not bool(messages.log_partition.isneginf().any()):
        return
    row = int(messages.log_partition.isneginf().nonzero()[0])
    sentence, length = int(sentences[row]), int(mask[row].sum())
    empty = messages.emissions[row, :length].isneginf().all(-1)
    if bool(empty.any()):
        raise NoPathError(sentence, int(empty.nonzero()[0]), "no label is allowed")
    unreached = messages.forward[row, :length].isneginf().all(-1)
    if bool(unreached.any()):
        raise NoPathError(sentence, int(unreached.nonzero()[0]), "no legal path reaches any allowed label")
    raise NoPathError(sentence, length - 1, "no allowed label may legally end the sentence")


def check_finite(emissions: Emissions, mask: Mask, chain: Chain) -> None:
    """Raise an error that names the first score that is NaN or plus infinity, if any."""
    for name, scores in (("transition", chain.transitions), ("start", chain.start), ("end", chain.end)):
        wrong = scores.isnan() | scores.isposinf()
        if bool(wrong.any()):
            index = wrong.nonzero()[0].tolist()
            raise NonFiniteScoreError(f"the {name} score {index} is {scores[tuple(index)].item()}")
    wrong = (emissions.isnan() | emissions.isposinf()) & mask[..., None]
    if bool(wrong.any()):
        sentence, token, label = wrong.nonzero()[0].tolist()
        found = emissions[sentence, token, label].item()
        raise NonFiniteScoreError(
            f"sentence {sentence} of the batch, token {token} (counted from 0): the emission of label {label}"
            f" is {found}"
        )
