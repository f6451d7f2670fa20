"""The probability of each label at each token, and of the given label among them: equations 3 and 4 of the paper."""

from typing import Literal, Protocol, TypeAlias

import torch
from torch import Tensor

Scoring: TypeAlias = Literal["local", "global"]


class TokenOutputs(Protocol):
    """What a network says of a padded batch, as far as confidence needs it."""

    @property
    def logits(self) -> Tensor:
        """The score of each label at each token: (sentences, tokens, labels)."""
        ...

    def marginals(self) -> Tensor | None:
        """Return the probability of each label at each token, over all label sequences, where there are such."""
        ...


@torch.no_grad()
def token_probabilities(scoring: Scoring, outputs: TokenOutputs, untrained: Tensor | None = None) -> Tensor:
    """Return the probability of each label at each token, (sentences, tokens, labels); no gradient flows through it.

    ``global`` is the marginal over all label sequences (eq. 3), ``local`` the softmax of the token's own logits (eq.
    4). Logits of ``untrained`` labels take a share of the local probability and are left out of what is returned; on a
    path they never occur.
    """
    logits = outputs.logits
    marginals = outputs.marginals() if scoring == "global" else None
    if marginals is not None:
        return marginals
    if untrained is None:
        return logits.softmax(-1)
    return torch.cat([logits, untrained], -1).softmax(-1)[..., : logits.shape[-1]]


def confidence(probabilities: Tensor, labels: Tensor) -> Tensor:
    """Return the probability of each given label; tokens without one (negative numbers) get that of label 0.

    >>> confidence(torch.tensor([[0.2, 0.8]]), torch.tensor([1]))
    tensor([0.8000])
    """
    return probabilities.gather(-1, labels.clamp(min=0)[..., None]).squeeze(-1)
