"""How long trainings of corpora of every size last."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.recipes.settings import TrainingSettings
from trustag.training.batches import suited_size
from trustag.training.schedule import MOST_EPOCHS, FitSchedule, fit_schedule


def scheduled(settings: TrainingSettings, sentences: int) -> FitSchedule:
    return fit_schedule(settings, sentences, settings.batch_size, seed=1)


@given(sentences=st.integers(1, 50_000), least=st.integers(0, 5_000), size=st.integers(1, 64))
def test_there_are_enough_steps_and_not_an_epoch_more(sentences: int, least: int, size: int) -> None:
    steps = -(-sentences // size)
    epochs = scheduled(TrainingSettings(epochs=10, batch_size=size, least_steps=least), sentences).epochs
    assert 10 <= epochs <= MOST_EPOCHS
    assert epochs * steps >= least or epochs == MOST_EPOCHS
    assert epochs == 10 or (epochs - 1) * steps < least


def test_a_few_sentences_are_not_passed_over_for_ever() -> None:
    assert scheduled(TrainingSettings(epochs=10, batch_size=32, least_steps=1000), 20).epochs == MOST_EPOCHS
    assert scheduled(TrainingSettings(epochs=500, batch_size=32, least_steps=1000), 20).epochs == 500


def test_patience_and_ramp_grow_with_the_epochs() -> None:
    longer = scheduled(TrainingSettings(epochs=10, patience=5, batch_size=10, least_steps=300), 100)
    assert (longer.epochs, longer.patience, longer.nominal_epochs, longer.stretched(4)) == (30, 15, 10, 12)


@given(sentences=st.integers(1, 5_000), epochs=st.integers(1, 60), part=st.integers(0, 60))
def test_all_nominal_epochs_stretch_to_all_epochs(sentences: int, epochs: int, part: int) -> None:
    schedule = fit_schedule(TrainingSettings(epochs=7), sentences, 32, seed=3, epochs=epochs)
    assert (schedule.seed, schedule.batch_size, schedule.nominal_epochs) == (3, 32, epochs)
    assert schedule.stretched(epochs) == schedule.epochs
    assert part <= schedule.stretched(part)


def test_documents_take_no_more_epochs_than_as_many_tokens_in_sentences() -> None:
    settings = TrainingSettings(epochs=16, batch_size=32, least_steps=1000)
    documents, sentences = [400] * 500, [16] * 12_500
    sizes = [suited_size(settings.batch_size, lengths, settings.batch_tokens) for lengths in (documents, sentences)]
    assert sizes == [5, 32]
    assert [
        fit_schedule(settings, len(lengths), size, seed=1).epochs
        for lengths, size in zip((documents, sentences), sizes, strict=True)
    ] == [16, 16]
