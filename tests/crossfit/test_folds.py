"""What fold models are told: every label is hidden from one model, which judges it."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as changed
from trustag.training.folds import NOBODY, NameFolds, draw_folds, draw_parts, told_labels

from tests.training.small import small_corpus, small_recipe, withheld
from trustag.crf import Chain
from trustag.crf.outputs import Judgement
from trustag.data.encoded_corpus import label_set, number_sentences
from trustag.noise.surface_names import names_of
from trustag.text.labels import entity_types
from trustag.text.sentences import REVIEWED, Sentence

SENTENCES = small_corpus().train
LABELS = label_set(entity_types(label for sentence in SENTENCES for label in sentence.labels))
NUMBERED = number_sentences(SENTENCES, LABELS)
LENGTHS = NUMBERED.lengths


def name_folds(*changes: str, drawing: int = 0) -> NameFolds:
    folds = draw_folds(SENTENCES, NUMBERED, small_recipe("rounds.hide='names'", *changes), drawing)
    assert isinstance(folds, NameFolds)
    return folds


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
    assert torch.equal(name_folds().hidden_from, name_folds().hidden_from)
    others = [name_folds(f"training.seed={seed}", drawing=drawing) for seed in (1, 2) for drawing in (0, 1)]
    assert len({str(folds.hidden_from.tolist()) for folds in others}) == 4


@pytest.mark.parametrize("hide", ["sentences", "names"])
@pytest.mark.parametrize("count", [2, 3])
def test_a_model_learns_nothing_of_the_labels_it_judges_alone(hide: str, count: int) -> None:
    recipe = small_recipe(f"rounds.hide='{hide}'", f"rounds.folds={count}")
    folds = draw_folds(SENTENCES, NUMBERED, recipe, 0)
    assert folds.count == count
    for fold in range(count):
        learnt = told_labels(SENTENCES, folds, fold)
        told = torch.split(folds.told(fold), [len(sentence) for sentence in learnt])
        for number, sentence, own in zip(folds.learnt(fold), learnt, told, strict=True):
            original = SENTENCES[number]
            assert sentence.tokens == original.tokens
            expected = [label if is_told else None for label, is_told in zip(original.labels, own, strict=True)]
            assert list(sentence.labels) == expected
    if hide == "sentences":
        assert all(not set(folds.learnt(fold)) & set(folds.judged(fold)) for fold in range(count))


def test_a_name_is_hidden_from_one_model_wherever_it_stands() -> None:
    hidden = torch.split(name_folds().hidden_from, LENGTHS)
    share: dict[str, set[int]] = {}
    for names, row in zip(names_of(SENTENCES), hidden, strict=True):
        for name, fold in zip(names, row.tolist(), strict=True):
            assert (name is None) == (fold == -1)
            if name is not None:
                share.setdefault(name, set()).add(fold)
    assert all(len(folds) == 1 for folds in share.values())
    sizes = [sum(folds == {fold} for folds in share.values()) for fold in (0, 1)]
    assert abs(sizes[0] - sizes[1]) <= 1


def test_what_a_person_has_decided_on_is_hidden_from_nobody() -> None:
    sentence = Sentence(("Ann", "Lee", "saw", "Bob"), ("B-PER", "I-PER", "O", "B-PER"))
    reviewed = changed(sentence, token_sources=(REVIEWED, None, None, None))
    labels = label_set(["PER"])
    folds = draw_folds([reviewed], number_sentences([reviewed], labels), small_recipe("rounds.hide='names'"), 0)
    assert isinstance(folds, NameFolds)
    assert folds.hidden_from[:3].tolist() == [-1, -1, -1]
    assert folds.hidden_from[3] >= 0


@pytest.mark.parametrize("hide", ["sentences", "names"])
def test_a_common_word_that_begins_its_sentence_may_be_told_to_all_as_no_entity(hide: str) -> None:
    common = [Sentence(("and", "he", "slept"), ("O", "O", "O"))] * 5
    sentences = [Sentence(("He", "met", "Ann"), ("B-ORG", "O", "B-PER")), *common]
    numbered = number_sentences(sentences, label_set(["ORG", "PER"]))

    def told(choice: str) -> set[str | None]:
        """Return which labels of the first token some model is told."""
        recipe = small_recipe(f"rounds.hide={hide}", f"confidence.common_words={choice}")
        folds = draw_folds(sentences, numbered, recipe, 0)
        rows = [row for fold in (0, 1) for row in told_labels(sentences, folds, fold)]
        return {row.labels[0] for row in rows if row.tokens[0] == "He"}

    assert told("doubted") == {"O"}
    assert "B-ORG" in told("believed")


@pytest.mark.parametrize("hide", ["sentences", "names"])
def test_nobody_is_told_anything_of_a_cut_name_unless_it_is_believed(hide: str) -> None:
    cut = Sentence(("so", "Bill", "Clinton", "met", "Ann"), ("O", "B-PER", "O", "O", "B-PER"))
    others = [Sentence(("then", "Ann", "slept"), ("O", "B-PER", "O"))] * 3

    def told(choice: str, first: Sentence = cut) -> set[tuple[str | None, ...]]:
        """Return which labels of the longer name models are told, each model by itself."""
        sentences = [first, *others]
        numbered = number_sentences(sentences, label_set(["PER"]))
        recipe = small_recipe(f"rounds.hide={hide}", f"confidence.cut_names={choice}")
        folds = draw_folds(sentences, numbered, recipe, 0)
        rows = [row for fold in (0, 1) for row in told_labels(sentences, folds, fold)]
        return {row.labels[1:3] for row in rows if row.tokens == cut.tokens}

    assert told("doubted") == told("judged") == {(None, None)}
    seen = told("believed")
    assert {labels[0] for labels in seen} >= {"B-PER"}
    assert {labels[1] for labels in seen} >= {"O"}
    reviewed = changed(cut, token_sources=(None, REVIEWED, None, None, None))
    assert told("doubted", reviewed) == {("B-PER", None)}


def test_each_token_is_scored_by_the_model_that_was_not_told_its_label() -> None:
    chains = [Chain(torch.full((2, 2), value), torch.full((2,), value), torch.zeros(2)) for value in (1.0, 3.0)]
    scores = [torch.full((3, 2), 10.0), torch.full((3, 2), 20.0)]
    judgements = [Judgement([2, 1], own, chain) for own, chain in zip(scores, chains, strict=True)]
    (piece,) = NameFolds(torch.tensor([0, NOBODY, 1]), [2, 1], withheld([False] * 3), 2).pieces(judgements)
    assert piece.sentences == [0, 1]
    assert piece.judgement.emissions.tolist() == [[10, 10], [15, 15], [20, 20]]
    assert piece.judgement.chain.transitions.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert piece.judgement.chain.start.tolist() == [2.0, 2.0]
