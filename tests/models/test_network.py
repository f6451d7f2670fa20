"""A network is an encoder with a head; its parameters come in the order that one seed stands for."""

import torch
from torch import Tensor

from tests.training.small import small_network
from trustag.models.crf_head import CRFHead, SoftmaxHead
from trustag.models.network import Network
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER"])
SENTENCES = [("Ann", "met", "Bob"), ("Ann",)]


def test_parameters_come_as_the_heads_own_the_encoders_and_those_of_the_heads_layers() -> None:
    network = Network(torch.nn.Linear(4, 3), CRFHead(LABELS, 3))
    names = [name for name, _ in network.ordered_parameters()]
    own, layers = ["head.transitions", "head.start", "head.end"], ["head.projection.weight", "head.projection.bias"]
    assert names == [*own, "encoder.weight", "encoder.bias", *layers]
    found = dict(network.ordered_parameters())
    assert found.keys() == dict(network.named_parameters()).keys()
    assert all(parameter is network.get_parameter(name) for name, parameter in found.items())


class WatchedHead(SoftmaxHead):
    """Keeps what it was asked to score."""

    def scores(self, features: Tensor, mask: Tensor) -> Tensor:
        self.asked = features, mask
        return super().scores(features, mask)


def test_it_scores_sentences_with_its_head_which_is_told_where_the_padding_is() -> None:
    network = small_network(LABELS, SENTENCES).eval()
    head = network.head = WatchedHead(LABELS, int(network.encoder.width))  # type: ignore[arg-type]
    scores = network.scores(SENTENCES)
    features, mask = head.asked
    assert mask.tolist() == [[True, True, True], [True, False, False]]
    assert torch.equal(features, network.encoder(network.collate(SENTENCES)))
    assert torch.equal(scores, head.projection(features))
    assert network.device == torch.device("cpu")
