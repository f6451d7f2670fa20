"""Snapshots: a training put back to one goes on as if nothing had happened; broken ones are passed over and named."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
import torch
from torch import Tensor

from tests.training.learning_objective import BiasedLabels
from tests.training.small import encoded, small_corpus, small_network, small_recipe
from trustag.errors import InputError
from trustag.notes import Note, unwatched
from trustag.training.checkpoints import restore_checkpoint, save_checkpoint
from trustag.training.checksums import write_checksum
from trustag.training.loop import LoopSettings, Training
from trustag.training.objectives import GivenLabels, ObjectiveSpec
from trustag.training.schedule import fit_schedule

CORPUS = encoded(small_corpus(20).train)
VARIANTS: dict[str, tuple[tuple[str, ...], ObjectiveSpec]] = {
    "adamw": ((), GivenLabels()),
    "sgd, frozen vectors": (("training.optimizer=sgd", "bilstm.finetune_vectors=false"), GivenLabels()),
    "weight average": (("training.average=0.9",), GivenLabels()),
    "own parameters": ((), BiasedLabels()),
}


def begun(changes: tuple[str, ...], spec: ObjectiveSpec) -> Training:
    recipe = small_recipe(*changes)
    network = small_network(CORPUS.labels, CORPUS.tokens, recipe)
    schedule = fit_schedule(recipe.training, len(CORPUS), 8, seed=1)
    objective = spec.build(CORPUS, network, schedule)
    return Training(network, CORPUS, objective, LoopSettings(recipe.network, recipe.training, schedule))


def tensors_of(training: Training) -> Iterator[tuple[str, Tensor]]:
    yield from training.network.state_dict().items()
    yield from training.objective.state().items()
    for name, average in training.average.averages.items():
        yield f"average of {name}", average


@pytest.mark.parametrize("name", VARIANTS)
@pytest.mark.parametrize("events", [1, 4, 6])
def test_a_restored_training_ends_like_an_unbroken_one(name: str, events: int, tmp_path: Path) -> None:
    unbroken = begun(*VARIANTS[name])
    history = list(unbroken.run(None))
    stopped = begun(*VARIANTS[name])
    before = list(islice(stopped.run(None), events))
    save_checkpoint(stopped, tmp_path / "checkpoints")
    torch.manual_seed(77)
    resumed = begun(*VARIANTS[name])
    assert restore_checkpoint(resumed, tmp_path / "checkpoints", _refuse)
    assert [*before, *resumed.run(None)] == history
    found = dict(tensors_of(resumed))
    for part, tensor in tensors_of(unbroken):
        assert torch.equal(found[part], tensor), part
    assert resumed.progress == unbroken.progress


def _refuse(note: Note) -> None:
    raise AssertionError(note)


def test_own_parameters_of_an_objective_are_trained() -> None:
    training = begun((), BiasedLabels())
    list(training.run(None))
    state = training.objective.state()
    assert state["bias"].abs().max() > 0
    assert int(state["steps"]) == 9


def test_without_a_snapshot_nothing_is_restored(tmp_path: Path) -> None:
    training = begun((), GivenLabels())
    assert not restore_checkpoint(training, tmp_path / "checkpoints", _refuse)
    assert training.progress.epoch == 0


def test_two_snapshots_are_kept_and_drafts_are_removed(tmp_path: Path) -> None:
    training = begun((), GivenLabels())
    folder = tmp_path / "checkpoints"
    for event, _ in enumerate(training.run(None)):
        if event < 4:
            save_checkpoint(training, folder)
    assert sorted(entry.name for entry in folder.iterdir()) == ["epoch-0000-step-000003", "epoch-0001-step-000000"]
    (folder / ".epoch-0001-step-000002.part").mkdir()
    assert restore_checkpoint(begun((), GivenLabels()), folder, _refuse)
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", ["truncate", "garble", "remove", "empty", "no object", "checksum"])
def test_a_broken_snapshot_is_passed_over_for_the_one_before_and_named(damage: str, tmp_path: Path) -> None:
    training = begun((), GivenLabels())
    folder = tmp_path / "checkpoints"
    for _ in islice(training.run(None), 2):
        save_checkpoint(training, folder)
    newest = max(folder.iterdir())
    tensors = newest / "tensors.safetensors"
    if damage == "truncate":
        tensors.write_bytes(tensors.read_bytes()[:-100])
    elif damage == "garble":
        data = bytearray(tensors.read_bytes())
        data[-50] ^= 255
        tensors.write_bytes(bytes(data))
    elif damage == "remove":
        tensors.unlink()
    elif damage == "empty":
        (newest / "progress.json").write_text("")
    elif damage == "no object":
        (newest / "progress.json").write_text("[1]")
        write_checksum(newest, ("tensors.safetensors", "progress.json"))
    else:
        (newest / "sha256").write_text("no checksum")
    notes: list[Note] = []
    restored = begun((), GivenLabels())
    assert restore_checkpoint(restored, folder, notes.append)
    assert restored.progress.step == 1
    assert [(note.kind, note.reason, str(note.source)) for note in notes] == [
        ("dropped", "broken checkpoint", str(newest))
    ]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("step", "3"),
        ("step", -1),
        ("step", None),
        ("history", [{"epoch": "x"}]),
        ("history", {}),
        ("more", 1),
        ("epoch", 5),
    ],
)
def test_a_whole_snapshot_with_other_contents_is_refused_in_one_line(name: str, value: object, tmp_path: Path) -> None:
    training = begun((), GivenLabels())
    folder = tmp_path / "checkpoints"
    for _ in islice(training.run(None), 1):
        save_checkpoint(training, folder)
    (snapshot,) = folder.iterdir()
    facts = json.loads((snapshot / "progress.json").read_text())
    if name == "more":
        facts["average_updates"] = "many"
    else:
        facts["progress"][name] = value
    (snapshot / "progress.json").write_text(json.dumps(facts))
    write_checksum(snapshot, ("tensors.safetensors", "progress.json"))
    with pytest.raises(InputError, match=r"is not a checkpoint of this training .* remove this folder"):
        restore_checkpoint(begun((), GivenLabels()), folder, unwatched)
