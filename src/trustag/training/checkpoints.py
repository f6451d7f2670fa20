"""Snapshots of a training that survive anything: written beside the old ones, checked when read, two kept.

A snapshot is a folder with ``tensors.safetensors`` (weights, optimizer state, averages, random state),
``progress.json`` and the checksum of both, ``sha256``. A snapshot that is broken, half written or missing is passed
over for the one before, and said.
"""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from trustag.errors import InputError, is_out_of_memory
from trustag.files.outputs import new_folder
from trustag.models.tensor_files import save_tensors
from trustag.notes import Note, Watch
from trustag.text.sentences import Source
from trustag.training.checksums import check_checksum, write_checksum
from trustag.training.loop import Progress, Training

FORMAT: Final = 1
_KEPT: Final = 2
_TENSORS: Final = "tensors.safetensors"
_PROGRESS: Final = "progress.json"
_FILES: Final = (_TENSORS, _PROGRESS)


def save_checkpoint(training: Training, folder: Path) -> None:
    """Write a snapshot of ``training`` under ``folder`` and remove all but the newest ones."""
    folder.mkdir(exist_ok=True)
    progress = training.progress
    target = folder / f"epoch-{progress.epoch:04d}-step-{progress.step:06d}"
    with new_folder(target, overwrite=True) as draft:
        save_tensors(dict(_tensors(training)), draft / _TENSORS)
        facts = {
            "format": FORMAT,
            "progress": asdict(progress),
            "average_updates": training.average.updates,
        }
        (draft / _PROGRESS).write_text(json.dumps(facts))
        write_checksum(draft, _FILES)
    for old in _snapshots(folder)[_KEPT:]:
        shutil.rmtree(old)


def restore_checkpoint(training: Training, folder: Path, watch: Watch) -> bool:
    """Put ``training`` back to the newest sound snapshot under ``folder``; tell whether there was one."""
    for draft in folder.glob(".epoch-*"):
        shutil.rmtree(draft)
    for snapshot in _snapshots(folder):
        try:
            facts, tensors = _load(snapshot)
        except (OSError, ValueError, KeyError, TypeError, RecursionError, SafetensorError) as error:
            detail = f"{error}; going back to the one before"
            watch(Note("dropped", "broken checkpoint", detail, Source(str(snapshot))))
            continue
        with _named_errors(snapshot):
            _restore(training, facts, tensors)
        return True
    return False


@contextmanager
def _named_errors(snapshot: Path) -> Iterator[None]:
    """Say that a snapshot is of no use although it is whole: it was changed, or another version or run wrote it."""
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RuntimeError, msgspec.MsgspecError) as error:
        if is_out_of_memory(error):
            raise
        line = " ".join(str(error).split())[:200]
        remedy = "remove this folder and continue with --resume"
        raise InputError(f"is not a checkpoint of this training ({line})", where=snapshot, remedy=remedy) from None


def _snapshots(folder: Path) -> list[Path]:
    """Return the snapshots, newest first; drafts that a killed process left behind have other names."""
    return sorted(folder.glob("epoch-*"), reverse=True) if folder.is_dir() else []


def _load(snapshot: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    check_checksum(snapshot, _FILES)
    facts = json.loads((snapshot / _PROGRESS).read_text())
    if facts["format"] != FORMAT:
        raise InputError(f"checkpoint format {facts['format']}, this version reads {FORMAT}", where=snapshot)
    return facts, load_file(snapshot / _TENSORS)


def _tensors(training: Training) -> Iterator[tuple[str, Tensor]]:
    for name, tensor in training.network.state_dict().items():
        yield f"network.{name}", tensor.contiguous()
    for name, tensor in training.average.averages.items():
        yield f"average.{name}", tensor
    for number, optimizer in enumerate(training.optimizers):
        for parameter, state in optimizer.state_dict()["state"].items():
            for key, value in state.items():
                if value is not None:
                    yield f"optimizer.{number}.{parameter}.{key}", torch.as_tensor(value).clone()
    for name, tensor in training.objective.state().items():
        yield f"objective.{name}", tensor
    yield "random", torch.get_rng_state()


def _restore(training: Training, facts: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    training.network.load_state_dict(_under("network.", tensors))
    training.objective.restore(_under("objective.", tensors))
    for name, average in training.average.averages.items():
        average.copy_(tensors[f"average.{name}"])
    training.average.updates = msgspec.convert(facts["average_updates"], int)
    for number, optimizer in enumerate(training.optimizers):
        _restore_optimizer(optimizer, f"optimizer.{number}.", tensors)
    torch.set_rng_state(tensors["random"])
    training.progress = msgspec.convert(facts["progress"], Progress)
    if len(training.progress.history) != training.progress.epoch:
        raise ValueError(f"{training.progress.epoch} epochs, {len(training.progress.history)} reports of them")


def _under(prefix: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors whose names begin with ``prefix``, without it."""
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}


def _restore_optimizer(optimizer: torch.optim.Optimizer, prefix: str, tensors: dict[str, Tensor]) -> None:
    saved = optimizer.state_dict()
    state: dict[int, dict[str, Tensor | int]] = {}
    for name, value in tensors.items():
        if name.startswith(prefix):
            parameter, _, key = name.removeprefix(prefix).partition(".")
            # SparseAdam counts its steps in a plain number, the other optimizers in a tensor.
            is_count = key == "step" and isinstance(optimizer, torch.optim.SparseAdam)
            state.setdefault(int(parameter), {})[key] = int(value) if is_count else value
    optimizer.load_state_dict({"state": state, "param_groups": saved["param_groups"]})
