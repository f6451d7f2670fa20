"""How long trainings of corpora of every size last."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.recipes.settings import TrainingSettings
from trustag.training.batches import suited_size
from trustag.training.schedule import MOST_EPOCHS, FitSchedule, fit_schedule


@given(sentences=st.integers(1, 50_000), least=st.integers(0, 5_000), size=st.integers(1, 64))
def test_there_are_enough_steps_and_not_an_epoch_more(sentences: int, least: int, size: int) -> None:
    settings = TrainingSettings(epochs=10, least_steps=least)
    steps = -(-sentences // size)
    epochs = fit_schedule(settings, sentences, size, seed=1).epochs
    assert 10 <= epochs <= MOST_EPOCHS
    assert epochs * steps >= least or epochs == MOST_EPOCHS
    assert epochs == 10 or (epochs - 1) * steps < least


def test_a_few_sentences_are_not_repeated_for_ever() -> None:
    settings = TrainingSettings(epochs=10, least_steps=1000)
    assert fit_schedule(settings, 20, 32, seed=1).epochs == MOST_EPOCHS
    assert fit_schedule(settings, 20, 32, seed=1, epochs=500).epochs == 500


def test_patience_and_shares_of_the_epochs_grow_with_them() -> None:
    schedule = fit_schedule(TrainingSettings(epochs=10, patience=5, least_steps=300), 100, 10, seed=3)
    assert schedule == FitSchedule(seed=3, epochs=30, patience=15, batch_size=10, nominal_epochs=10)
    assert [schedule.stretched(epochs) for epochs in (0, 4, 10)] == [0, 12, 30]


def test_epochs_that_are_asked_for_stand_in_for_those_of_the_settings() -> None:
    schedule = fit_schedule(TrainingSettings(epochs=10, patience=5, least_steps=0), 100, 10, seed=1, epochs=4)
    assert (schedule.epochs, schedule.nominal_epochs, schedule.patience) == (4, 4, 5)


def test_documents_take_no_more_epochs_than_as_many_tokens_in_sentences() -> None:
    settings = TrainingSettings(epochs=16, least_steps=1000)
    epochs = []
    for lengths in ([400] * 500, [16] * 12_500):
        size = suited_size(32, lengths, settings.batch_tokens)
        epochs.append(fit_schedule(settings, len(lengths), size, seed=1).epochs)
    assert epochs == [16, 16]


@given(epochs=st.integers(1, 100), patience=st.integers(1, 20))
def test_a_training_that_continues_takes_half_of_everything(epochs: int, patience: int) -> None:
    whole = FitSchedule(seed=3, epochs=epochs, patience=patience, batch_size=10, nominal_epochs=epochs)
    half = whole.halved()
    assert 2 * half.epochs in {epochs, epochs + 1}
    assert 2 * half.patience in {patience, patience + 1}
    assert half.stretched(epochs) == half.epochs  # so a ramp keeps its share of the training
