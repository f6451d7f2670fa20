"""What a model believes of each token, and how much of it falls to the given label: equations 3 and 4 of the paper."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.crf import Chain, token_marginals

Scoring: TypeAlias = Literal["local", "global"]


@torch.no_grad()
def token_probabilities(scoring: Scoring, emissions: Tensor, chain: Chain, mask: Tensor) -> Tensor:
    """Return the probability of each label at each token, (sentences, tokens, labels); no gradient flows through it.

    ``local`` is the softmax of the token's own scores (eq. 3), ``global`` its marginal over all label paths (eq. 4).
    """
    if scoring == "local":
        return emissions.softmax(-1)
    return token_marginals(emissions, chain, mask)


def confidence(probabilities: Tensor, labels: Tensor) -> Tensor:
    """Return the probability of each given label; tokens without one (negative numbers) get that of label 0.

    >>> confidence(torch.tensor([[0.2, 0.8]]), torch.tensor([1]))
    tensor([0.8000])
    """
    return probabilities.gather(-1, labels.clamp(min=0)[..., None]).squeeze(-1)
