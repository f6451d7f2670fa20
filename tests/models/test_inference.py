"""The fast arithmetic of prediction gives what the network itself gives, whatever it remembers."""

from concurrent.futures import ThreadPoolExecutor

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.models.random_network import HEAD, LABELS, NETWORK, SENTENCES, WORDS, make_network, slowly
from trustag.models.crf_head import CRFHead
from trustag.models.inference import BiLSTMInference, inference_of
from trustag.models.network import Network
from trustag.models.tagger import Tagger


@settings(max_examples=60, deadline=None)
@given(st.lists(SENTENCES, min_size=1, max_size=3), st.sampled_from([1, 4, 1000]), st.booleans())
def test_scores_are_those_of_the_network_whatever_is_remembered(
    batches: list[list[tuple[str, ...]]], remembered: int, ahead: bool
) -> None:
    inference = BiLSTMInference(NETWORK.encoder, HEAD.projection, remembered)  # type: ignore[arg-type]
    if ahead:
        inference.look_ahead(sentence for batch in batches for sentence in batch)
    for batch in batches:
        found, expected = inference(batch), slowly(batch)
        for row, sentence in enumerate(batch):
            torch.testing.assert_close(found[row, : len(sentence)], expected[row, : len(sentence)])
            assert found[row, len(sentence) :].count_nonzero() == 0
            torch.testing.assert_close(inference([sentence])[0], expected[row, : len(sentence)])


def test_other_precisions_go_through_the_network() -> None:
    network = make_network().double()
    assert inference_of(network) is None
    assert len(next(Tagger(network).tag([("Ada", "slept")]))) == 2


def test_threads_that_share_a_small_memory_do_not_disturb_each_other() -> None:
    inference = BiLSTMInference(NETWORK.encoder, HEAD.projection, 3)  # type: ignore[arg-type]
    sentences = [tuple(WORDS[(start + 5 * step) % len(WORDS)] for step in range(1 + start % 4)) for start in range(400)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda sentence: inference([sentence])[0], sentences))
    for sentence, scores in zip(sentences, found, strict=True):
        torch.testing.assert_close(scores, slowly([sentence])[0])


class HalvedHead(CRFHead):
    """Scores in a way of its own."""

    def scores(self, features: Tensor, mask: Tensor) -> Tensor:
        return super().scores(features, mask) / 2


def test_a_head_that_scores_in_a_way_of_its_own_is_not_bypassed() -> None:
    assert inference_of(NETWORK) is not None
    head = HalvedHead(LABELS, NETWORK.encoder.width)  # type: ignore[arg-type]
    head.load_state_dict(HEAD.state_dict())
    network = Network(NETWORK.encoder, head).eval()
    assert inference_of(network) is None
    sentences = [("Ada", "slept"), ("of",)]
    for one, other in zip(Tagger(network).scores(sentences), Tagger(NETWORK).scores(sentences), strict=True):
        torch.testing.assert_close(torch.from_numpy(2 * one), torch.from_numpy(other))
