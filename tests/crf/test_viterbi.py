import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.checked import n_best_viterbi, viterbi_decode
from tests.crf.enumeration import AllPaths, Batch, assert_near, each_sentence
from trustag.crf import Chain

many = settings(max_examples=30)


def score_of(paths: AllPaths, labels: torch.Tensor) -> torch.Tensor:
    return paths.scores[(paths.labels == labels).all(1)][0]


@many
@given(batches(), st.booleans())
def test_the_best_path_is_that_of_enumeration(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    found = viterbi_decode(batch.emissions, batch.chain, batch.mask, allowed)
    assert (found.labels[~batch.mask] == -1).all()
    for sentence, paths in enumerate(each_sentence(batch, allowed)):
        labels = found.labels[sentence, : batch.lengths[sentence]]
        assert_near(found.scores[sentence], paths.scores.max())
        assert_near(score_of(paths, labels), paths.scores.max())


@many
@given(batches(), st.booleans(), st.integers(1, 9))
def test_the_best_paths_are_those_of_enumeration(batch: Batch, restricted: bool, count: int) -> None:
    allowed = batch.allowed if restricted else None
    found = n_best_viterbi(batch.emissions, batch.chain, batch.mask, count, allowed)
    assert found.labels.shape == (len(batch.emissions), count, batch.mask.shape[1])
    for sentence, paths in enumerate(each_sentence(batch, allowed)):
        expected = paths.scores[paths.scores > -torch.inf].sort(descending=True).values[:count]
        existing = len(expected)
        assert_near(found.scores[sentence, :existing], expected)
        assert found.scores[sentence, existing:].isneginf().all()
        assert (found.labels[sentence, existing:] == -1).all()
        ranked = found.labels[sentence, :existing, : batch.lengths[sentence]]
        assert len({tuple(labels) for labels in ranked.tolist()}) == existing
        for labels, score in zip(ranked, expected, strict=True):
            assert_near(score_of(paths, labels), score)
        assert (found.labels[sentence, :, batch.lengths[sentence] :] == -1).all()


def test_equal_scores_still_give_one_whole_path() -> None:
    """Two paths tie: 0 0 0 and 1 1 1; a label of each would be no path at all."""
    transitions = torch.full((2, 2), -torch.inf).fill_diagonal_(0.0)
    chain = Chain(transitions, torch.zeros(2), torch.zeros(2))
    mask = torch.ones(1, 3, dtype=torch.bool)
    labels = viterbi_decode(torch.zeros(1, 3, 2), chain, mask).labels[0].tolist()
    assert labels in ([0, 0, 0], [1, 1, 1])
    both = n_best_viterbi(torch.zeros(1, 3, 2), chain, mask, 3).labels[0].tolist()
    assert sorted(both) == [[-1, -1, -1], [0, 0, 0], [1, 1, 1]]


def test_long_sentences_are_not_decided_by_rounding() -> None:
    """A thousand large scores, and one difference too small for single precision to carry along."""
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
