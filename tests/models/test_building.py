"""Networks as settings ask for them."""

import pytest
import torch
from torch import Tensor

from tests.training.small import small_recipe, small_spec
from trustag.models.building import new_network
from trustag.models.crf_head import CRFHead, SoftmaxHead
from trustag.notes import unwatched
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER"])
SENTENCES = [("Ann", "met", "Bob"), ("Ann", "slept")]


@pytest.mark.parametrize(("head", "kind"), [("crf", CRFHead), ("softmax", SoftmaxHead)])
def test_the_head_is_the_one_of_the_settings(head: str, kind: type[CRFHead]) -> None:
    network = new_network(SENTENCES, LABELS, small_spec(small_recipe(f"model.head={head}")), unwatched)
    assert type(network.head) is kind
    assert network.labelling_head.labels is LABELS


def test_networks_of_one_seed_are_equal_and_others_are_not() -> None:
    def weights(seed: int) -> Tensor:
        torch.manual_seed(seed)
        network = new_network(SENTENCES, LABELS, small_spec(), unwatched)
        return torch.cat([weight.flatten() for weight in network.parameters()])

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))
