"""What all methods share: the training on labels as given, and what a single sentence allows."""

from pathlib import Path

import pytest

from tests.training.small import here, noisy_corpus, small_recipe, small_task
from trustag.methods.base import as_given_stages, can_cross_validate
from trustag.methods.table import METHODS
from trustag.notes import Note
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus, Sentence


def test_the_only_stage_lasts_as_long_as_the_training() -> None:
    task = small_task(small_recipe("training.epochs=3", "training.least_steps=32"))
    (stage,) = as_given_stages(task)
    assert (stage.trainings, stage.epochs, stage.share) == (1, 4, 1.0)


@pytest.mark.parametrize(("sentences", "expected"), [(1, False), (2, True)])
def test_one_sentence_cannot_be_held_out(sentences: int, expected: bool) -> None:
    task = small_task(small_recipe(), Corpus(noisy_corpus().train[:sentences]))
    assert can_cross_validate(task) == expected


@pytest.mark.parametrize("name", ["confidence", "self-training"])
def test_a_single_sentence_is_trained_on_as_given_and_that_is_noted(name: str, tmp_path: Path) -> None:
    notes: list[Note] = []
    corpus = Corpus((Sentence(("Ann", "sings"), ("B-PER", "O")),))
    recipe = small_recipe("training.epochs=1", method=name)
    result = train_in(corpus, recipe, Destination(tmp_path / "run"), here(notes.append))
    assert result.analysis is None
    assert [note.reason for note in notes if note.kind == "left out"] == ["cross-validation"]


@pytest.mark.slow
@pytest.mark.parametrize("name", METHODS)
def test_every_method_trains_two_sentences(name: str, tmp_path: Path) -> None:
    sentences = (Sentence(("Ann", "sings"), ("B-PER", "O")), Sentence(("she", "runs"), ("O", "O")))
    corpus = Corpus(sentences, dev=sentences)
    recipe = small_recipe("training.epochs=1", "model.head=softmax", method=name)
    result = train_in(corpus, recipe, Destination(tmp_path / "run"), here())
    assert result.method == name
    assert (result.run.best / "model.json").exists()
