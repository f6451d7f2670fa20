"""What a task makes of the wishes of a method: corpus, seed, epochs and the treatment of word vectors."""

from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.training.objectives import GivenLabels
from trustag.training.schedule import MOST_EPOCHS

TASK = small_task(small_recipe("training.seed=7", "training.least_steps=12"), noisy_corpus(20))


def test_by_default_the_whole_corpus_is_trained_on_with_the_settings_of_the_run() -> None:
    spec = TASK.fit(GivenLabels())
    assert spec.corpus is TASK.corpus
    assert (spec.dev, spec.network, spec.training, spec.start) == (TASK.dev, TASK.network, TASK.training, None)
    assert (spec.schedule.seed, TASK.seed) == (7, 7)
    assert (spec.schedule.epochs, spec.schedule.nominal_epochs) == (4, 3)  # three steps of eight sentences: four epochs


def test_a_seed_follows_from_the_seed_of_the_run_and_from_the_name_alone() -> None:
    def seed(name: str, run: int = 7) -> int:
        task = replace(TASK, training=TASK.training.model_copy(update={"seed": run}))
        return task.fit(GivenLabels(), seed_name=name).schedule.seed

    assert seed("round-1/fold-1") == seed("round-1/fold-1")
    assert len({seed("round-1/fold-1"), seed("round-1/fold-2"), seed("round-1/fold-1", run=8), 7}) == 4
    assert all(0 <= seed(str(number)) < 2**31 for number in range(50))


@given(st.integers(1, 20), st.none() | st.integers(1, 9))
def test_as_many_epochs_are_planned_as_are_trained(sentences: int, epochs: int | None) -> None:
    part = TASK.corpus.subset(range(sentences))
    schedule = TASK.fit(GivenLabels(), part, epochs=epochs).schedule
    assert schedule.epochs == TASK.planned_epochs(sentences, epochs)
    assert schedule.nominal_epochs == (epochs or TASK.training.epochs)
    assert schedule.epochs * -(-sentences // TASK.batch_size) >= 12 or schedule.epochs == MOST_EPOCHS


@pytest.mark.parametrize("own", [True, False])
def test_word_vectors_of_one_training_are_treated_otherwise_without_a_change_to_the_task(own: bool) -> None:
    spec = TASK.fit(GivenLabels(), finetune_vectors=own)
    assert spec.network == replace(TASK.network, finetune_vectors=own)
    assert TASK.fit(GivenLabels()).network == TASK.network


def test_a_training_on_other_labels_keeps_them() -> None:
    other = TASK.corpus.with_labels(torch.zeros_like(TASK.corpus.label_ids))
    assert TASK.fit(GivenLabels(), other).corpus is other
