"""What fold models see: each sentence is held out from one of them, and hidden labels from all."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.small import encoded, small_corpus
from trustag.crossfit.folds import Folds, HiddenLabels, draw_folds, draw_parts
from trustag.data.encoded_corpus import NO_LABEL, encode
from trustag.text.label_sets import LabelSet
from trustag.text.sentences import Sentence

CORPUS = encoded(small_corpus().train)


@given(sentences=st.integers(2, 60), folds=st.integers(2, 5), seed=st.integers(0, 5), drawing=st.integers(0, 5))
def test_every_sentence_is_in_one_part_of_almost_the_same_size(
    sentences: int, folds: int, seed: int, drawing: int
) -> None:
    parts = draw_parts(sentences, folds, seed, drawing)
    assert sorted(number for part in parts for number in part) == list(range(sentences))
    sizes = [len(part) for part in parts]
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) > 0


def test_a_drawing_is_the_same_every_time_and_unlike_others() -> None:
    assert draw_parts(50, 2, 1, 0) == draw_parts(50, 2, 1, 0)
    assert len({str(draw_parts(50, 2, seed, drawing)) for seed in (1, 2) for drawing in (0, 1)}) == 4


@pytest.mark.parametrize("count", [2, 3])
def test_a_model_sees_all_labels_but_those_it_predicts(count: int) -> None:
    folds = draw_folds(CORPUS, count, 1, 0, HiddenLabels.none(CORPUS))
    assert len(folds) == count
    for fold in range(count):
        train, heldout = folds.train_indices(fold), folds.heldout_indices(fold)
        assert sorted([*train, *heldout]) == list(range(len(CORPUS)))
        own = folds.training_corpus(CORPUS, fold)
        assert own.tokens == tuple(CORPUS.tokens[number] for number in train)
        assert own.label_names() == [CORPUS.label_names()[number] for number in train]


def test_hidden_labels_are_shown_to_every_model_as_outside_or_unknown() -> None:
    sentences = [
        Sentence(("He", "met", "Bill", "Clinton"), ("B-ORG", "O", "B-PER", "O")),
        Sentence(("so", "Ann"), ("O", "B-PER")),
        Sentence(("he",), ("O",)),
    ]
    corpus = encode(sentences, LabelSet.of(["ORG", "PER"]))
    person = corpus.labels.index["S-PER"]
    hidden = HiddenLabels(
        as_outside=torch.tensor([True, False, False, False, False, False, False]),
        unknown=torch.tensor([False, False, True, True, False, False, False]),
    )
    assert hidden.any.tolist() == [True, False, True, True, False, False, False]
    folds = Folds([[0], [1], [2]], hidden)
    assert folds.training_corpus(corpus, 0).label_ids.tolist() == [0, person, 0]
    assert folds.training_corpus(corpus, 1).label_ids.tolist() == [0, 0, NO_LABEL, NO_LABEL, 0]
    assert folds.training_corpus(corpus, 2).label_ids.tolist() == [0, 0, NO_LABEL, NO_LABEL, 0, person]
    assert corpus.label_ids[0] == corpus.labels.index["S-ORG"]  # the corpus itself stays as it is


def test_nothing_is_hidden_unless_it_is_said() -> None:
    nothing = HiddenLabels.none(CORPUS)
    assert len(nothing.any) == len(CORPUS.label_ids)
    assert not nothing.any.any()
