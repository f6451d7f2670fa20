"""The same sums over label paths in log space: slow, plain, and exact at any spread of scores.

Sentences whose sums leave the range of the scaled messages are computed here, in double precision. Minus infinity is a
weight of exactly zero.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.errors import NonFiniteScoreError, NoPathError
from trustag.crf.shapes import Allowed, Emissions, Mask, SentenceValues


@dataclass(frozen=True, slots=True)
class LogMessages:
    """Logarithms of the sums over the paths before and after each token, for every label there.

    ``forward`` includes the score of its own token, ``backward`` does not.
    """

    scores: Emissions
    forward: Emissions
    backward: Emissions
    log_sums: SentenceValues


def restricted_scores(emissions: Emissions, mask: Mask, allowed: Allowed | None) -> Emissions:
    """Return the emissions in double precision, less infinity where a label is not allowed, zero in the padding."""
    scores = emissions.detach().double()
    if allowed is not None:
        if allowed.dtype == torch.bool:
            scores = scores.masked_fill(~allowed, -torch.inf)
        else:
            scores = scores + allowed.detach().double().log()
    return scores.masked_fill(~mask[..., None], 0.0)


def log_messages(scores: Emissions, chain: Chain, mask: Mask) -> LogMessages:
    """Return the messages of both directions, one token after the other."""
    forward = [chain.start + scores[:, 0]]
    for token in range(1, scores.shape[1]):
        arriving = torch.logsumexp(forward[-1][:, :, None] + chain.transitions, 1)
        forward.append(torch.where(mask[:, token, None], arriving + scores[:, token], forward[-1]))
    backward = [chain.end.expand_as(scores[:, 0])]
    for token in range(scores.shape[1] - 1, 0, -1):
        leaving = (scores[:, token] + backward[-1])[:, None, :]
        arriving = torch.logsumexp(chain.transitions + leaving, 2)
        backward.append(torch.where(mask[:, token, None], arriving, chain.end))
    log_sums = torch.logsumexp(forward[-1] + chain.end, 1)
    return LogMessages(scores, torch.stack(forward, 1), torch.stack(backward[::-1], 1), log_sums)


def log_space_marginals(messages: LogMessages, mask: Mask) -> Emissions:
    """Return the probability of each label at each token, zero in the padding."""
    log_joint = messages.forward + messages.backward - messages.log_sums[:, None, None]
    return log_joint.exp().masked_fill(~mask[..., None], 0.0)


def expected_moves(messages: LogMessages, chain: Chain, mask: Mask) -> Tensor:
    """Return how often each sentence is expected to make each move."""
    batch, tokens, labels = messages.scores.shape
    counts = messages.scores.new_zeros(batch, labels, labels)
    ahead = messages.scores + messages.backward - messages.log_sums[:, None, None]
    for token in range(1, tokens):
        pairs = messages.forward[:, token - 1, :, None] + chain.transitions + ahead[:, token, None, :]
        counts += pairs.exp().masked_fill(~mask[:, token, None, None], 0.0)
    return counts


def explain_failure(emissions: Emissions, chain: Chain, mask: Mask, allowed: Allowed | None) -> None:
    """Raise the error that names the sentence and the token at fault, if there is any."""
    check_finite(emissions, mask, chain)
    everyone = torch.arange(emissions.shape[0])
    check_paths(
        log_messages(restricted_scores(emissions, mask, allowed), chain.to(torch.float64), mask), mask, everyone
    )


def check_paths(messages: LogMessages, mask: Mask, sentences: Tensor) -> None:
    """Raise an error for the first sentence that has no path, by the number ``sentences`` gives it."""
    if not bool(messages.log_sums.isneginf().any()):
        return
    row = int(messages.log_sums.isneginf().nonzero()[0])
    sentence, length = int(sentences[row]), int(mask[row].sum())
    shut = messages.scores[row, :length].isneginf().all(-1)
    if bool(shut.any()):
        raise NoPathError(sentence, int(shut.nonzero()[0]), "no label is allowed")
    unreached = messages.forward[row, :length].isneginf().all(-1)
    if bool(unreached.any()):
        raise NoPathError(sentence, int(unreached.nonzero()[0]), "no legal path reaches any allowed label")
    raise NoPathError(sentence, length - 1, "no allowed label may legally end the sentence")


def check_finite(emissions: Emissions, mask: Mask, chain: Chain) -> None:
    """Raise an error that names the first score that is not a number or plus infinity."""
    for name, scores in (("transition", chain.transitions), ("start", chain.start), ("end", chain.end)):
        wrong = scores.isnan() | scores.isposinf()
        if bool(wrong.any()):
            place = wrong.nonzero()[0].tolist()
            raise NonFiniteScoreError(f"the {name} score {place} is {scores[tuple(place)].item()}")
    wrong = (emissions.isnan() | emissions.isposinf()) & mask[..., None]
    if bool(wrong.any()):
        sentence, token, label = wrong.nonzero()[0].tolist()
        found = emissions[sentence, token, label].item()
        raise NonFiniteScoreError(
            f"sentence {sentence} of the batch, token {token} (counted from 0): the emission of label {label}"
            f" is {found}"
        )
