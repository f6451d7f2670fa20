"""Taggers with random weights that differ in all that an export has to keep."""

from typing import Literal

import torch

from tests.models.random_network import LABELS
from tests.models.test_bilstm import build
from trustag.models.crf_head import CRFHead
from trustag.models.network import Network
from trustag.models.tagger import Tagger
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme


def random_network(
    labels: LabelSet = LABELS, vectors: Literal["frozen", "trained"] = "frozen", scale: float = 1.0
) -> Network:
    """Return a network with weights between minus and plus ``scale``."""
    torch.manual_seed(7)
    encoder = build(vectors)
    network = Network(encoder, CRFHead(labels, encoder.width))
    with torch.no_grad():
        for weight in network.parameters():
            weight.uniform_(-scale, scale)
    return network.float().eval()


MODELS = {
    "usual": Tagger(random_network()),
    "hot": Tagger(random_network(vectors="trained"), temperature=2.5),
    "any sequence": Tagger(random_network(LabelSet.of(["PER", "LOC"], Scheme.IOB2)), legal_only=False),
    "types alone": Tagger(random_network(LabelSet.of(["ENTITY"], Scheme.IO))),
    "large scores": Tagger(random_network(scale=40.0)),
}
