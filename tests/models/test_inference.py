"""The fast arithmetic of prediction gives what the network itself gives, whatever it remembers."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.test_bilstm import build
from trustag.crf import constrain, legal_transitions, token_marginals, viterbi_decode
from trustag.models.crf_head import CRFHead
from trustag.models.inference import BiLSTMInference, inference_of
from trustag.models.network import Network
from trustag.models.tagger import Tagger
from trustag.models.wording import in_words
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme, convert_labels

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


@settings(max_examples=40, deadline=None)
@given(SENTENCES)
def test_one_at_a_time_and_together_give_the_same(sentences: list[tuple[str, ...]]) -> None:
    tagger = Tagger(NETWORK)
    chain = constrain(HEAD.chain, legal_transitions(LABELS.labels, LABELS.scheme))
    together = list(tagger.tag_entities(sentences))
    assert [tagged.labels for tagged in together] == list(tagger.tag(sentences))
    for sentence, tagged, table in zip(sentences, together, tagger.marginals(sentences), strict=True):
        emissions, mask = slowly([sentence]), torch.ones(1, len(sentence), dtype=torch.bool)
        expected = viterbi_decode(emissions, chain, mask).labels[0].tolist()
        assert next(tagger.tag([sentence], LABELS.scheme)) == tuple(LABELS.labels[label] for label in expected)
        assert next(tagger.tag([sentence])) == tagged.labels
        for marginals in (table, next(tagger.marginals([sentence]))):
            torch.testing.assert_close(torch.from_numpy(marginals), token_marginals(emissions, chain, mask)[0])
        alone = next(tagger.tag_entities([sentence])).entities
        assert [entity.score for entity in alone] == pytest.approx([entity.score for entity in tagged.entities])


@pytest.mark.parametrize(
    "part", ["encoder.table.fresh", "encoder.characters.letters.weight", "head.start", "head.transitions"]
)
def test_a_tagger_notices_that_weights_have_changed(part: str) -> None:
    network = make_network()
    sentences = [("Ada", "slept", "of"), ("Unheard", "the")]
    tagger = Tagger(network)
    before = list(tagger.marginals(sentences))
    with torch.no_grad():
        network.get_parameter(part).uniform_(-3, 3)
    after = list(tagger.marginals(sentences))
    fresh = list(Tagger(network).marginals(sentences))
    assert any(abs(one - other).max() > 1e-3 for one, other in zip(before, after, strict=True))
    for one, other in zip(after, fresh, strict=True):
        torch.testing.assert_close(torch.from_numpy(one), torch.from_numpy(other))


def test_other_precisions_go_through_the_network() -> None:
    network = make_network().double()
    assert inference_of(network) is None
    assert len(next(Tagger(network).tag([("Ada", "slept")]))) == 2


def test_a_network_made_in_inference_mode_tags() -> None:
    with torch.inference_mode():
        network = make_network()
    assert list(Tagger(network).tag([("Ada", "of")])) == list(Tagger(NETWORK).tag([("Ada", "of")]))


ENTITY = st.one_of(
    st.just(["O"]),
    st.tuples(st.sampled_from(LABELS.types), st.integers(1, 4)).map(
        lambda made: (
            [f"S-{made[0]}"] if made[1] == 1 else [f"B-{made[0]}", *[f"I-{made[0]}"] * (made[1] - 2), f"E-{made[0]}"]
        )
    ),
)


@given(st.lists(ENTITY, max_size=8), st.sampled_from(list(Scheme)))
def test_legal_paths_are_worded_as_if_their_entities_were_read(parts: list[list[str]], scheme: Scheme) -> None:
    names = [name for part in parts for name in part]
    path = [LABELS.index[name] for name in names]
    assert in_words(path, LABELS, scheme, legal=True) == convert_labels(names, scheme)


@given(st.lists(st.integers(0, len(LABELS) - 1), max_size=8), st.sampled_from(list(Scheme)))
def test_any_path_is_worded_by_reading_its_entities(path: list[int], scheme: Scheme) -> None:
    names = [LABELS.labels[label] for label in path]
    expected = tuple(names) if scheme is LABELS.scheme else convert_labels(names, scheme)
    assert in_words(path, LABELS, scheme, legal=False) == expected


def test_threads_that_share_a_small_memory_do_not_disturb_each_other() -> None:
    inference = BiLSTMInference(NETWORK.encoder, HEAD.projection, 3)  # type: ignore[arg-type]
    sentences = [tuple(WORDS[(start + 5 * step) % len(WORDS)] for step in range(1 + start % 4)) for start in range(400)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(lambda sentence: inference([sentence])[0], sentences))
    for sentence, scores in zip(sentences, found, strict=True):
        torch.testing.assert_close(scores, slowly([sentence])[0])


def test_batches_of_more_than_one_hundred_and_twenty_eight_keep_their_order() -> None:
    tagger = Tagger(NETWORK)
    sentences = [tuple(WORDS[(start + step) % len(WORDS)] for step in range(1 + start % 5)) for start in range(300)]
    together = list(tagger.tag(sentences))
    assert together == [next(tagger.tag([sentence])) for sentence in sentences]
    assert any(one != other for one, other in pairwise(together))
