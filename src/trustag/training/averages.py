"""A moving average of the weights, which often tags better than the weights themselves."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from torch import Tensor, nn


class WeightAverage:
    """Follows the weights of a network and its peers with decay; with a decay of 0 it is the weights themselves.

    A learning word table is left as it is: averaging all its rows at every step would cost more than the step.
    """

    def __init__(self, network: nn.Module, decay: float, peers: Sequence[nn.Module] = ()) -> None:
        self.decay = decay
        prefixes = ["", *(f"peer-{number}." for number in range(1, len(peers) + 1))]
        self._weights = {
            f"{prefix}{name}": weight
            for prefix, own in zip(prefixes, [network, *peers], strict=True)
            for name, weight in own.named_parameters()
            if not name.endswith("table.rows")
        }
        self.averages = {name: weight.detach().clone() for name, weight in self._weights.items()} if decay else {}
        self.updates = 0

    @torch.no_grad()
    def update(self) -> None:
        """Move towards the present weights; early on faster, so that the random beginning is forgotten."""
        if not self.decay:
            return
        self.updates += 1
        decay = min(self.decay, self.updates / (self.updates + 10))
        targets: list[Tensor] = [self._weights[name] for name in self.averages]
        torch._foreach_lerp_(list(self.averages.values()), targets, 1 - decay)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the networks have the averaged weights for a while."""
        if not self.averages:
            yield
            return
        kept = {name: weight.detach().clone() for name, weight in self._weights.items()}
        self._copy(self.averages)
        try:
            yield
        finally:
            self._copy(kept)

    @torch.no_grad()
    def _copy(self, source: dict[str, Tensor]) -> None:
        for name, weight in self._weights.items():
            weight.copy_(source[name])
