"""An objective with parameters of its own, as a method might bring it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.models.network import Network
from trustag.training.objectives import Batch, GivenLabelsObjective
from trustag.training.schedule import FitSchedule


@dataclass(frozen=True, slots=True)
class BiasedLabels:
    """Given labels under a learned bias of each label, which the network itself does not keep."""

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "BiasedLabelsObjective":
        return BiasedLabelsObjective(len(corpus.labels), network)


class BiasedLabelsObjective(GivenLabelsObjective):
    """The loss of given labels and of a bias that is drawn towards their frequency."""

    def __init__(self, labels: int, network: Network) -> None:
        self.bias = nn.Parameter(torch.zeros(labels, device=network.device))
        self.steps = torch.zeros((), dtype=torch.long)

    def parameters(self) -> Iterable[nn.Parameter]:
        return [self.bias]

    def before_step(self, step: int, network: Network) -> None:
        self.steps += 1

    def __call__(self, batch: Batch) -> Tensor:
        known = batch.labels[batch.mask].clamp(min=0)
        frequency = nn.functional.cross_entropy(self.bias.expand(len(known), -1), known)
        return super().__call__(batch) * (1 + self.bias.square().mean()) + frequency

    def state(self) -> dict[str, Tensor]:
        return {"bias": self.bias.detach(), "steps": self.steps}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        with torch.no_grad():
            self.bias.copy_(state["bias"])
        self.steps = state["steps"].clone()

    def record(self, epochs: int) -> dict[str, Tensor]:
        return {"bias": self.bias.detach(), "steps": self.steps}
