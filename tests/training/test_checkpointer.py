"""What is saved while a training runs, when, and that saving changes nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.training.small import encoded, noisy_corpus, small_network, small_recipe, small_spec
from trustag.models.saving import load_model
from trustag.notes import unwatched
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.text.scoring import Counts, EntityScores
from trustag.training import checkpointer as checkpointer_module
from trustag.training.checkpointer import Checkpointer
from trustag.training.checkpoints import restore_checkpoint
from trustag.training.loop import LoopSettings, StepReport, Training
from trustag.training.objectives import GivenLabelsObjective
from trustag.training.schedule import fit_schedule

SCORES = (5, 9, 1)  # correct entities out of ten, epoch by epoch: the second epoch is the best
STEPS = 2


@dataclass(slots=True)
class Clock:
    """A clock that stands still until it is set."""

    now: float = 0.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(checkpointer_module, "time", made)
    return made


def begun(folder: Path, *changes: str) -> tuple[Training, Checkpointer]:
    recipe = small_recipe("training.average=0.5", *changes)
    corpus = encoded(noisy_corpus(STEPS * 8).train)
    network = small_network(corpus.labels, corpus.tokens, recipe)
    schedule = fit_schedule(recipe.training, len(corpus), recipe.training.batch_size, seed=1)
    settings = LoopSettings(recipe.network, recipe.training, schedule)
    training = Training(network, corpus, GivenLabelsObjective(), settings)
    return training, Checkpointer(training, small_spec(recipe), RunFolder(folder))


def scripted(training: Training) -> EntityScores:
    correct = SCORES[training.progress.epoch]
    return EntityScores({"PER": Counts(correct, 10, 10)}, 1, 1, 1, 1, 0, 0)


def averaged(training: Training) -> dict[str, Tensor]:
    with training.average.in_place():
        return weights(training.network)


def weights(network: torch.nn.Module) -> dict[str, Tensor]:
    return {name: weight.clone() for name, weight in network.state_dict().items()}


def are_equal(one: Mapping[str, Tensor], other: Mapping[str, Tensor]) -> bool:
    return one.keys() == other.keys() and all(one[name].equal(other[name]) for name in one)


def saved(model: Path) -> dict[str, Tensor]:
    return weights(load_model(model).network)


def snapshots(run: RunFolder) -> list[str]:
    return sorted(path.name for path in run.checkpoints.iterdir()) if run.checkpoints.exists() else []


def test_models_have_the_averaged_weights_of_the_best_and_of_the_last_epoch(tmp_path: Path) -> None:
    training, checkpointer = begun(tmp_path)
    by_epoch = []
    for event in training.run(lambda: scripted(training)):
        checkpointer.take(event)
        if isinstance(event, EpochReport):
            by_epoch.append(averaged(training))
    run = checkpointer.folder
    assert are_equal(saved(run.best), by_epoch[1])
    assert are_equal(saved(run.last), by_epoch[2])
    network = checkpointer.best_network()
    assert network is not None
    assert are_equal(weights(network), by_epoch[1])


def test_saving_leaves_the_weights_as_they_are(tmp_path: Path) -> None:
    training, checkpointer = begun(tmp_path)
    for event in training.run(lambda: scripted(training)):
        before = weights(training.network)
        checkpointer.take(event)
        checkpointer.save()
        assert are_equal(weights(training.network), before)


def test_before_the_first_epoch_has_ended_there_is_a_snapshot_and_no_model(tmp_path: Path) -> None:
    training, checkpointer = begun(tmp_path)
    event = next(iter(training.run(None)))
    assert isinstance(event, StepReport)
    checkpointer.take(event)
    assert checkpointer.best_network() is None
    checkpointer.save()
    run = checkpointer.folder
    assert snapshots(run) == ["epoch-0000-step-000001"]
    assert (run.best.exists(), run.last.exists(), run.metrics.exists()) == (False, False, False)


def test_metrics_are_written_after_each_epoch_and_snapshots_when_they_are_due(tmp_path: Path, clock: Clock) -> None:
    training, checkpointer = begun(tmp_path, "training.snapshot_seconds=20", "training.epochs=4")
    run, found = checkpointer.folder, []
    seconds = iter((19.0, 20.0, 39.0, 39.5))  # an epoch later each time; the last epoch is always saved
    for event in training.run(None):
        if isinstance(event, EpochReport):
            clock.now = next(seconds)
        checkpointer.take(event)
        if isinstance(event, EpochReport):
            assert len(run.metrics.read_text().splitlines()) == event.epoch + 1
            found.append((snapshots(run), run.best.exists()))
    two, four = "epoch-0002-step-000000", "epoch-0004-step-000000"
    assert found == [([], False), ([two], True), ([two], True), ([two, four], True)]


def test_inside_a_long_epoch_a_snapshot_is_written_every_two_minutes(tmp_path: Path, clock: Clock) -> None:
    training, checkpointer = begun(tmp_path, "training.snapshot_seconds=1000")
    events = training.run(None)
    for seconds, expected in ((120.0, []), (120.5, ["epoch-0000-step-000002"])):
        clock.now = seconds
        checkpointer.take(next(iter(events)))
        assert snapshots(checkpointer.folder) == expected


def test_a_training_that_resumes_has_no_best_network_until_it_trains_a_better_one(tmp_path: Path) -> None:
    training, checkpointer = begun(tmp_path)
    for event in training.run(lambda: scripted(training)):
        checkpointer.take(event)
        if isinstance(event, EpochReport) and event.epoch == 1:
            break
    best = saved(checkpointer.folder.best)
    resumed, follower = begun(tmp_path)
    assert restore_checkpoint(resumed, follower.folder.checkpoints, unwatched)
    for event in resumed.run(lambda: scripted(resumed)):
        follower.take(event)
    assert follower.best_network() is None
    assert are_equal(saved(follower.folder.best), best)
    assert are_equal(saved(follower.folder.last), averaged(resumed))
