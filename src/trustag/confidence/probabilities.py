"""What a model believes of each token, and how much of it falls to the given label: equations 3 and 4 of the paper."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.crf import Chain, token_marginals

Scoring: TypeAlias = Literal["local", "global"]


@torch.no_grad()
def token_probabilities(
    scoring: Scoring, emissions: Tensor, chain: Chain, mask: Tensor, idle: Tensor | None = None
) -> Tensor:
    """Return the probability of each label at each token, (sentences, tokens, labels); no gradient flows through it.

    ``global`` is the marginal over all label paths (eq. 3), ``local`` the softmax of the token's own scores (eq. 4).
    Scores of ``idle`` labels take a part of the local probability and are left out of what is returned; on a path they
    never occur.
    """
    if scoring == "global":
        return token_marginals(emissions, chain, mask)
    if idle is None:
        return emissions.softmax(-1)
    return torch.cat([emissions, idle], -1).softmax(-1)[..., : emissions.shape[-1]]


def confidence(probabilities: Tensor, labels: Tensor) -> Tensor:
    """Return the probability of each given label; tokens without one (negative numbers) get that of label 0.

    >>> confidence(torch.tensor([[0.2, 0.8]]), torch.tensor([1]))
    tensor([0.8000])
    """
    return probabilities.gather(-1, labels.clamp(min=0)[..., None]).squeeze(-1)
