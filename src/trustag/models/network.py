"""Encoder, projection and chain together: from sentences to label scores."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from trustag.crf.chain import Chain
from trustag.models.encoders import Encoder, Inputs, Tokens


class Network(nn.Module):
    """Scores every label of every token; without a chain the labels of a sentence are independent of each other.

    The chain of a network without one is fixed at zero, so that the softmax over each token by itself and the chain
    go through the same arithmetic. A ``drawn_chain`` starts from random scores instead of zero.
    """

    def __init__(
        self, encoder: nn.Module, width: int, labels: int, *, with_chain: bool = True, drawn_chain: bool = False
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.projection = nn.Linear(width, labels)
        scores = torch.randn if drawn_chain and with_chain else torch.zeros
        self.transitions = nn.Parameter(scores(labels, labels), requires_grad=with_chain)
        self.start = nn.Parameter(scores(labels), requires_grad=with_chain)
        self.end = nn.Parameter(scores(labels), requires_grad=with_chain)

    @property
    def chain(self) -> Chain:
        """The scores of moves, starts and ends."""
        return Chain(self.transitions, self.start, self.end)

    @property
    def device(self) -> torch.device:
        """Where the network computes."""
        return self.projection.weight.device

    def collate(self, sentences: Sequence[Tokens]) -> Inputs:
        """Return ``sentences`` as the encoder wants them, on the network's device."""
        encoder: Encoder = self.encoder  # type: ignore[assignment] # a module that keeps the protocol
        return encoder.collate(sentences).to(self.device)

    def forward(self, inputs: Inputs) -> Tensor:
        """Return the score of each label at each token, (sentences, tokens, labels)."""
        emissions: Tensor = self.projection(self.encoder(inputs))
        return emissions
