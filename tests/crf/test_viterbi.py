import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.checked import viterbi_decode
from tests.crf.enumeration import Batch, assert_near, each_sentence
from trustag.crf import Chain

many = settings(max_examples=30)


@many
@given(batches(), st.booleans())
def test_the_viterbi_path_has_the_highest_score_of_enumeration(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = viterbi_decode(batch.emissions, batch.chain, batch.mask, allowed)
    assert (found.labels[~batch.mask] == -1).all()
    for sentence, paths in enumerate(each_sentence(batch, allowed)):
        labels = found.labels[sentence, : batch.lengths[sentence]]
        assert_near(found.scores[sentence], paths.scores.max())
        assert_near(paths.score_of(labels), paths.scores.max())


def test_ties_still_give_one_whole_path() -> None:
    """Two paths tie: 0 0 0 and 1 1 1; mixing their labels would give an illegal path."""
    transitions = torch.full((2, 2), -torch.inf).fill_diagonal_(0.0)
    chain = Chain(transitions, torch.zeros(2), torch.zeros(2))
    mask = torch.ones(1, 3, dtype=torch.bool)
    labels = viterbi_decode(torch.zeros(1, 3, 2), chain, mask).labels[0].tolist()
    assert labels in ([0, 0, 0], [1, 1, 1])


def test_long_sentences_are_not_decided_by_rounding() -> None:
    """A thousand large scores, and one difference that single precision would lose."""
    emissions = torch.full((1, 1000, 2), 50.0)
    emissions[0, 0, 1] += 1e-4
    transitions = torch.full((2, 2), -torch.inf).fill_diagonal_(0.0)
    chain = Chain(transitions, torch.zeros(2), torch.zeros(2))
    assert viterbi_decode(emissions, chain, torch.ones(1, 1000, dtype=torch.bool)).labels.tolist() == [[1] * 1000]


def test_half_precision_scores_can_be_decoded() -> None:
    emissions = torch.tensor([[[0.0, 1.0], [2.0, 0.0]]])
    chain = Chain(torch.zeros(2, 2), torch.zeros(2), torch.zeros(2))
    for dtype in (torch.bfloat16, torch.float16):
        found = viterbi_decode(emissions.to(dtype), chain.to(dtype), torch.ones(1, 2, dtype=torch.bool))
        assert found.labels.tolist() == [[1, 0]]
        assert found.scores.tolist() == [3.0]
