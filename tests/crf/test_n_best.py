import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.crf.batches import batches
from tests.crf.checked import log_partition, n_best_viterbi, viterbi_decode
from tests.crf.enumeration import Batch, assert_near, each_sentence
from trustag.crf import Chain

many = settings(max_examples=30)


@many
@given(batches(), st.booleans(), st.integers(1, 9))
def test_the_n_best_paths_are_those_of_enumeration(batch: Batch, restricted: bool, count: int) -> None:
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
            assert_near(paths.score_of(labels), score)
        assert (found.labels[sentence, :, batch.lengths[sentence] :] == -1).all()


@many
@given(batches(), st.integers(1, 4))
def test_the_first_rank_is_the_viterbi_path(batch: Batch, count: int) -> None:
    ranked = n_best_viterbi(batch.emissions, batch.chain, batch.mask, count, batch.allowed)
    best = viterbi_decode(batch.emissions, batch.chain, batch.mask, batch.allowed)
    assert torch.equal(ranked.labels[:, 0], best.labels)
    assert_near(ranked.scores[:, 0], best.scores)


@many
@given(batches(labels=3), st.booleans())
def test_the_scores_of_all_paths_add_up_to_the_log_partition(batch: Batch, restricted: bool) -> None:
    allowed = batch.allowed if restricted else None
    every_path = batch.label_count ** batch.mask.shape[1]
    ranked = n_best_viterbi(batch.emissions, batch.chain, batch.mask, every_path, allowed)
    expected = log_partition(batch.emissions, batch.chain, batch.mask, allowed)
    assert_near(torch.logsumexp(ranked.scores, 1), expected)


def test_ties_are_all_found() -> None:
    transitions = torch.full((2, 2), -torch.inf).fill_diagonal_(0.0)
    chain = Chain(transitions, torch.zeros(2), torch.zeros(2))
    mask = torch.ones(1, 3, dtype=torch.bool)
    ranked = n_best_viterbi(torch.zeros(1, 3, 2), chain, mask, 3).labels[0].tolist()
    assert sorted(ranked) == [[-1, -1, -1], [0, 0, 0], [1, 1, 1]]


def test_fewer_than_one_path_is_refused() -> None:
    chain = Chain(torch.zeros(2, 2), torch.zeros(2), torch.zeros(2))
    with pytest.raises(ValueError, match="number of best paths must be at least 1, found 0"):
        n_best_viterbi(torch.zeros(1, 3, 2), chain, torch.ones(1, 3, dtype=torch.bool), 0)
