"""What a network needs of an encoder: features for every token of every sentence, whatever they are made from."""

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import torch
from torch import Tensor

Tokens: TypeAlias = Sequence[str]


class Inputs(Protocol):
    """Sentences as an encoder wants them: tensors that can be moved to a device."""

    def to(self, device: torch.device) -> "Inputs":
        """Return the same on ``device``."""
        ...


class Encoder(Protocol):
    """Turns tokens into features; a torch module with parameters of its own.

    ``collate`` is plain Python over strings; ``__call__`` is differentiable arithmetic. No token is ever lost: the
    features have one row for each token of the longest sentence, and padding after shorter ones.
    """

    width: int

    def collate(self, sentences: Sequence[Tokens]) -> Inputs:
        """Return ``sentences``, none of them empty, as this encoder's inputs."""
        ...

    def __call__(self, inputs: Inputs) -> Tensor:
        """Return features of shape (sentences, tokens, width), in the order of the sentences."""
        ...
