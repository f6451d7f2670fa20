"""Encoder, projection and chain together: from sentences to label scores and to the loss of what is allowed."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from trustag.crf import Chain
from trustag.models.encoders import Encoder, Inputs, Tokens


class Network(nn.Module):
    """Scores every label of every token; without a chain the labels of a sentence are independent of each other.

    The chain of a network without one is fixed at zero, so that the softmax over each token by itself and the chain
    go through the same arithmetic.
    """

    def __init__(self, encoder: nn.Module, width: int, labels: int, *, with_chain: bool = True) -> None:
        super().__init__()
        self.encoder = encoder
        self.projection = nn.Linear(width, labels)
        for name, shape in (("transitions", (labels, labels)), ("start", (labels,)), ("end", (labels,))):
            scores = torch.zeros(shape)
            if with_chain:
                self.register_parameter(name, nn.Parameter(scores))
            else:
                self.register_buffer(name, scores)

    @property
    def chain(self) -> Chain:
        """The scores of moves, starts and ends."""
        return Chain(self.get_scores("transitions"), self.get_scores("start"), self.get_scores("end"))

    def get_scores(self, name: str) -> Tensor:
        """Return one part of the chain, learned or fixed."""
        scores: Tensor = getattr(self, name)
        return scores

    def collate(self, sentences: Sequence[Tokens]) -> Inputs:
        """Return ``sentences`` as the encoder wants them."""
        encoder: Encoder = self.encoder  # type: ignore[assignment] # a module that keeps the protocol
        return encoder.collate(sentences)

    def forward(self, inputs: Inputs) -> Tensor:
        """Return the score of each label at each token, (sentences, tokens, labels)."""
        emissions: Tensor = self.projection(self.encoder(inputs))
        return emissions
