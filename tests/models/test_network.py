"""A network is an encoder with a head; its parameters come in the order that one seed stands for."""

import torch

from trustag.models.heads import CRFHead, SoftmaxHead
from trustag.models.network import Network
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER"])


def test_parameters_come_as_the_heads_own_the_encoders_and_those_of_the_heads_layers() -> None:
    network = Network(torch.nn.Linear(4, 3), CRFHead(LABELS, 3))
    names = [name for name, _ in network.ordered_parameters()]
    own, layers = ["head.transitions", "head.start", "head.end"], ["head.projection.weight", "head.projection.bias"]
    assert names == [*own, "encoder.weight", "encoder.bias", *layers]
    found = dict(network.ordered_parameters())
    assert found.keys() == dict(network.named_parameters()).keys()
    assert all(parameter is network.get_parameter(name) for name, parameter in found.items())


def test_it_scores_with_its_head_and_lives_on_its_device() -> None:
    network = Network(torch.nn.Identity(), SoftmaxHead(LABELS, 3))
    features = torch.randn(2, 4, 3)
    assert torch.equal(network(features), network.labelling_head.logits(features))
    assert network.device == torch.device("cpu")
