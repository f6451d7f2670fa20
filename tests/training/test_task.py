"""What the trainings of a run share, and where one may differ from the others."""

from dataclasses import replace

import torch

from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.text.sentences import Corpus, Sentence
from trustag.training.objectives import GivenLabels, SoftLabels
from trustag.training.schedule import MOST_EPOCHS, fit_schedule

RECIPE = small_recipe("training.seed=7", "training.patience=2", "training.least_steps=40")
TASK = small_task(RECIPE)


def test_by_default_a_training_is_that_of_the_recipe_on_the_whole_corpus() -> None:
    objective = GivenLabels()
    spec = TASK.fit(objective)
    assert spec.corpus is TASK.corpus
    assert spec.dev is TASK.dev
    assert spec.objective is objective
    assert spec.network == TASK.network
    assert spec.training is RECIPE.training
    assert spec.schedule == fit_schedule(RECIPE.training, len(TASK.corpus), TASK.batch_size, seed=7)
    assert spec.start is None


def test_a_part_of_the_corpus_has_a_schedule_of_its_own() -> None:
    part = TASK.corpus.subset(range(20))
    spec = TASK.fit(GivenLabels(), part)
    assert spec.corpus is part
    assert spec.schedule.epochs == TASK.planned_epochs(20) == 14  # three steps an epoch
    assert TASK.planned_epochs(len(TASK.corpus)) == 5
    assert TASK.fit(GivenLabels(), epochs=9).schedule.epochs == TASK.planned_epochs(60, 9) == 9


def test_names_give_seeds_that_follow_from_the_seed_of_the_run() -> None:
    def seed(name: str | None, run_seed: int = 7) -> int:
        settings = RECIPE.training.model_copy(update={"seed": run_seed})
        return replace(TASK, training=settings).fit(GivenLabels(), seed_name=name).schedule.seed

    assert seed(None) == 7
    assert seed("round-1/fold-1") == seed("round-1/fold-1")
    assert len({seed("round-1/fold-1"), seed("round-1/fold-2"), seed("round-1/fold-1", 8), 7}) == 4
    assert 0 <= seed("round-1/fold-1") < 2**31


def test_word_vectors_of_one_training_may_be_frozen() -> None:
    assert TASK.network.finetune_vectors
    assert not TASK.fit(GivenLabels(), finetune_vectors=False).network.finetune_vectors
    assert TASK.fit(GivenLabels()).network.finetune_vectors


def test_the_dev_split_is_that_of_the_corpus() -> None:
    assert list(TASK.dev) == list(noisy_corpus().dev)


def test_one_sentence_that_is_a_whole_text_is_no_small_corpus() -> None:
    words = tuple(f"word{number % 50}" for number in range(20_000))
    long = Corpus((Sentence(words, ("B-PER", *("O",) * (len(words) - 1))),))
    task = small_task(small_recipe("training.least_steps=1000", "training.batch_size=32"), long)
    tenth = small_task(small_recipe("training.least_steps=1000", "training.batch_size=32"), _cut(long, 10))
    assert task.fit(GivenLabels()).schedule.epochs == task.planned_epochs(1) == 100  # 20,000 tokens are ten full steps
    assert tenth.fit(GivenLabels()).schedule.epochs == MOST_EPOCHS


def _cut(corpus: Corpus, parts: int) -> Corpus:
    (sentence,) = corpus.train
    end = len(sentence) // parts
    return Corpus((Sentence(sentence.tokens[:end], sentence.labels[:end]),))


def test_labels_are_taken_with_their_probabilities_where_there_are_any() -> None:
    assert isinstance(TASK.as_given(), GivenLabels)
    chances = torch.full((len(TASK.corpus.label_ids), len(TASK.corpus.labels)), 0.1)
    stated = replace(TASK, corpus=replace(TASK.corpus, probabilities=chances)).as_given()
    assert isinstance(stated, SoftLabels)
    assert stated.probabilities is chances
