"""How long trainings of corpora of every size last."""

from hypothesis import given
from hypothesis import strategies as st
from trustag.recipes.doubt_settings import ConfidenceSettings
from trustag.training.length import MOST_EPOCHS, long_enough, suited

from trustag.recipes.settings import Recipe, TrainingSettings


@given(sentences=st.integers(1, 50_000), least=st.integers(0, 5_000), size=st.integers(1, 64))
def test_there_are_enough_steps_and_not_an_epoch_more(sentences: int, least: int, size: int) -> None:
    recipe = Recipe(training=TrainingSettings(epochs=10, batch_size=size, least_steps=least))
    steps = -(-sentences // size)
    epochs = long_enough(recipe, sentences).training.epochs
    assert 10 <= epochs <= MOST_EPOCHS
    assert epochs * steps >= least or epochs == MOST_EPOCHS
    assert epochs == 10 or (epochs - 1) * steps < least


def test_a_few_sentences_are_not_passed_over_for_ever() -> None:
    recipe = Recipe(training=TrainingSettings(epochs=10, batch_size=32, least_steps=1000))
    assert long_enough(recipe, 20).training.epochs == MOST_EPOCHS
    asked_for = Recipe(training=TrainingSettings(epochs=500, batch_size=32, least_steps=1000))
    assert long_enough(asked_for, 20).training.epochs == 500


def test_patience_and_ramp_grow_with_the_epochs() -> None:
    training = TrainingSettings(epochs=10, patience=5, batch_size=10, least_steps=300)
    longer = long_enough(Recipe(training=training, confidence=ConfidenceSettings(ramp=4)), 100)
    assert (longer.training.epochs, longer.training.patience, longer.confidence.ramp) == (30, 15, 12)


def test_documents_take_no_more_epochs_than_as_many_tokens_in_sentences() -> None:
    recipe = Recipe(training=TrainingSettings(epochs=16, batch_size=32, least_steps=1000))
    documents, sentences = [400] * 500, [16] * 12_500
    epochs = [long_enough(suited(recipe, lengths), len(lengths)).training.epochs for lengths in (documents, sentences)]
    assert epochs == [16, 16]
    assert suited(recipe, sentences) == recipe


def test_batches_as_in_the_paper_stay_as_they_are() -> None:
    for kind in ("fixed", "shuffled"):
        recipe = Recipe(training=TrainingSettings(batch_size=10, batches=kind))
        assert suited(recipe, [5000]) == recipe
    unbounded = Recipe(training=TrainingSettings(batch_size=10, batch_tokens=0))
    assert suited(unbounded, [5000]) == unbounded
