"""Encoder and head together: from tokens to scores."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor, nn

from trustag.models.encoders import Encoder, Inputs, Tokens
from trustag.models.heads import Head, HeadOutputs


class Network(nn.Module):
    """An encoder and the head on top of it."""

    def __init__(self, encoder: nn.Module, head: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.head = head

    @property
    def labelling_head(self) -> Head:
        """The head, as what it offers."""
        head: Head = self.head  # type: ignore[assignment] # a module that keeps the protocol
        return head

    @property
    def device(self) -> torch.device:
        """Where the network computes."""
        return next(self.head.parameters()).device

    def collate(self, sentences: Sequence[Tokens]) -> Inputs:
        """Return ``sentences`` as the encoder wants them, on the network's device."""
        encoder: Encoder = self.encoder  # type: ignore[assignment] # a module that keeps the protocol
        return encoder.collate(sentences).to(self.device)

    def outputs(self, inputs: Inputs, mask: Tensor) -> HeadOutputs:
        """Return what the head says of a batch."""
        return self.labelling_head.outputs(self.encoder(inputs), mask)

    def scores(self, sentences: Sequence[Tokens]) -> Tensor:
        """Return what decoders read of ``sentences``: the head's scores, (sentences, tokens, width of a score)."""
        lengths = torch.tensor([len(tokens) for tokens in sentences])
        mask = (torch.arange(int(lengths.max()))[None, :] < lengths[:, None]).to(self.device)
        return self.labelling_head.scores(self.encoder(self.collate(sentences)), mask)

    def ordered_parameters(self) -> Iterator[tuple[str, nn.Parameter]]:
        """Yield every parameter with its name: the head's own, the encoder's, those of the head's layers.

        The order decides the last bit of the gradient's norm, so it is part of what one seed stands for.
        """
        for name, parameter in self.head.named_parameters(recurse=False):
            yield f"head.{name}", parameter
        for name, parameter in self.encoder.named_parameters():
            yield f"encoder.{name}", parameter
        for layer, module in self.head.named_children():
            for name, parameter in module.named_parameters():
                yield f"head.{layer}.{name}", parameter
