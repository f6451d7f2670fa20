"""When a training is saved: metrics each epoch, models and snapshots now and then, everything at the end."""

import json
from pathlib import Path

import pytest
import torch

from tests.training.small import encoded, small_corpus, small_network, small_recipe, small_spec
from trustag.models.saving import load_model
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.text.scoring import Counts, EntityScores
from trustag.training.checkpointer import Checkpointer
from trustag.training.loop import LoopSettings, StepReport, Training
from trustag.training.objectives import GivenLabelsObjective
from trustag.training.schedule import fit_schedule

CORPUS = encoded(small_corpus(20).train)


class Clock:
    """Tells the time that the test sets."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr("time.monotonic", found)
    return found


def begun(folder: Path, *changes: str) -> Checkpointer:
    recipe = small_recipe("training.snapshot_seconds=20", *changes)
    network = small_network(CORPUS.labels, CORPUS.tokens, recipe)
    schedule = fit_schedule(recipe.training, len(CORPUS), 8, seed=1)
    settings = LoopSettings(recipe.network, recipe.training, schedule)
    folder.mkdir()
    return Checkpointer(
        Training(network, CORPUS, GivenLabelsObjective(), settings), small_spec(recipe), RunFolder(folder)
    )


def scores(*shares: float) -> "list[EntityScores]":
    return [EntityScores({"PER": Counts(round(10 * share), 10, 10)}, *[0] * 6) for share in shares]


def test_metrics_are_written_each_epoch_and_the_rest_when_it_is_due(tmp_path: Path, clock: Clock) -> None:
    checkpointer = begun(tmp_path / "run", "training.epochs=4")
    folder = checkpointer.folder
    lines, models = [], []
    for event in checkpointer.training.run(None):
        clock.seconds += 2  # eight seconds an epoch of three steps and its end
        checkpointer.take(event)
        if isinstance(event, EpochReport):
            lines.append(len(folder.metrics.read_text().splitlines()))
            models.append((folder.last.exists(), len(list(folder.checkpoints.glob("*")))))
    assert lines == [1, 2, 3, 4]
    assert models == [(False, 0), (False, 0), (True, 1), (True, 2)]
    assert [json.loads(line)["epoch"] for line in folder.metrics.read_text().splitlines()] == [0, 1, 2, 3]


def test_inside_a_long_epoch_a_snapshot_is_written(tmp_path: Path, clock: Clock) -> None:
    checkpointer = begun(tmp_path / "run")
    checkpointer.take(StepReport(0, 1, 3))
    clock.seconds = 119
    checkpointer.take(StepReport(0, 2, 3))
    assert not checkpointer.folder.checkpoints.exists()
    clock.seconds = 121
    checkpointer.take(StepReport(0, 3, 3))
    assert len(list(checkpointer.folder.checkpoints.iterdir())) == 1
    assert not checkpointer.folder.last.exists()  # no epoch has ended yet


@pytest.mark.parametrize("average", [0.0, 0.9])
def test_the_best_and_the_last_model_are_those_of_their_epochs(average: float, tmp_path: Path, clock: Clock) -> None:
    checkpointer = begun(tmp_path / "run", "training.epochs=3", f"training.average={average}")
    training, folder = checkpointer.training, checkpointer.folder
    left = iter(scores(0.2, 0.7, 0.3))
    weights = []
    for event in training.run(lambda: next(left)):
        if isinstance(event, EpochReport):
            with training.average.in_place():
                weights.append({name: weight.clone() for name, weight in training.network.state_dict().items()})
        checkpointer.take(event)
    for model, epoch in ((folder.best, 1), (folder.last, 2)):
        for name, weight in load_model(model).network.state_dict().items():
            assert torch.equal(weight, weights[epoch][name]), name
    # What is trained on stays as it is while models are written.
    assert not average or not torch.equal(training.network.state_dict()["head.start"], weights[2]["head.start"])
    best = checkpointer.best_network()
    assert best is training.network
    assert all(torch.equal(weight, weights[1][name]) for name, weight in best.state_dict().items())


def test_a_best_epoch_of_another_process_is_not_at_hand(tmp_path: Path, clock: Clock) -> None:
    checkpointer = begun(tmp_path / "run")
    assert checkpointer.best_network() is None
    checkpointer.take(EpochReport(0, 1.0, is_best=False))
    assert checkpointer.best_network() is None
