"""A BiLSTM network with random weights, and sentences of words that it knows, knows otherwise or does not know."""

from collections.abc import Sequence

import torch
from hypothesis import strategies as st

from tests.models.test_bilstm import build
from trustag.models.crf_head import CRFHead
from trustag.models.network import Network
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER", "LOC"])
WORDS = ["Ada", "of", "the", "new", "slept", ".", "Unheard", "x" * 80, "", "é", "oF", "a1"]
SENTENCES = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(tuple), min_size=1, max_size=7)


def make_network() -> Network:
    torch.manual_seed(7)
    network = Network(build("frozen"), CRFHead(LABELS, build("frozen").width))
    with torch.no_grad():
        for weight in network.parameters():
            weight.uniform_(-1, 1)
    return network.float().eval()


NETWORK = make_network()
assert isinstance(NETWORK.head, CRFHead)
HEAD: CRFHead = NETWORK.head


@torch.no_grad()
def slowly(sentences: Sequence[Sequence[str]]) -> torch.Tensor:
    return NETWORK.scores(sentences)
