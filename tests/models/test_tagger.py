"""A tagger says what its network says now, one sentence at a time or many together, in their order."""

from itertools import pairwise

import pytest
import torch
from hypothesis import given, settings

from tests.models.random_network import HEAD, LABELS, NETWORK, SENTENCES, WORDS, make_network, slowly
from trustag.crf import constrain, legal_transitions, token_marginals, viterbi_decode
from trustag.models.tagger import Tagger


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


def test_a_network_made_in_inference_mode_tags() -> None:
    with torch.inference_mode():
        network = make_network()
    assert list(Tagger(network).tag([("Ada", "of")])) == list(Tagger(NETWORK).tag([("Ada", "of")]))


def test_batches_of_more_than_one_hundred_and_twenty_eight_keep_their_order() -> None:
    tagger = Tagger(NETWORK)
    sentences = [tuple(WORDS[(start + step) % len(WORDS)] for step in range(1 + start % 5)) for start in range(300)]
    together = list(tagger.tag(sentences))
    assert together == [next(tagger.tag([sentence])) for sentence in sentences]
    assert any(one != other for one, other in pairwise(together))
