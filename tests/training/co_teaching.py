"""Two networks that choose labels for each other (Han et al., 2018), as a method might bring them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.models.building import new_network
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.notes import unwatched
from trustag.training.objectives import Batch, GivenLabelsObjective
from trustag.training.schedule import FitSchedule


@dataclass(frozen=True, slots=True)
class ChosenByPeer:
    """Given labels of the sentences that the other network finds easiest, the share ``kept`` of each batch."""

    network: NetworkSpec
    kept: float = 0.75

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "CoTeaching":
        torch.manual_seed(schedule.seed + 1)
        return CoTeaching(new_network(corpus.tokens, corpus.labels, self.network, unwatched), self.kept)


class CoTeaching(GivenLabelsObjective):
    """The loss of both networks, each on the sentences with the smallest loss under the other."""

    def __init__(self, peer: Network, kept: float) -> None:
        self.peer = peer
        self.kept = kept

    def networks(self) -> Iterable[Network]:
        return [self.peer]

    def __call__(self, batch: Batch) -> Tensor:
        theirs = self.peer.outputs(batch.inputs, batch.mask)
        other = Batch(batch.sentences, batch.labels, batch.inputs, theirs, lambda: theirs)
        own, peers = super().__call__(batch), super().__call__(other)
        return own * self._easy(peers) + peers * self._easy(own)

    def _easy(self, losses: Tensor) -> Tensor:
        count = max(1, round(self.kept * len(losses)))
        chosen = torch.zeros_like(losses)
        chosen[losses.detach().argsort()[:count]] = 1.0
        return chosen

    def state(self) -> dict[str, Tensor]:
        return {name: weight.contiguous() for name, weight in self.peer.state_dict().items()}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        self.peer.load_state_dict(dict(state))

    def record(self, epochs: int) -> dict[str, Tensor]:
        return {"peer_rows": self.peer.state_dict()["encoder.table.rows"].clone()}
