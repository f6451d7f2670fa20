"""Fold models: each is trained on a part of the corpus and then judges sentences it has not seen.

A judgement is kept as the scores the network gave and the chain behind them, from which probabilities, best paths and
span posteriors follow under whatever labels are pinned.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import torch
from safetensors.torch import load_file
from torch import Tensor

from trustag.confidence.dynamics import Dynamics, mean_dynamics
from trustag.crf import Chain
from trustag.crf.outputs import Judgement, mean_judgement
from trustag.files.outputs import link_or_copy, new_folder, remove_drafts
from trustag.models.encoders import Tokens
from trustag.models.saving import load_model
from trustag.models.tagger import Tagger
from trustag.models.tensor_files import save_tensors
from trustag.notes import Note
from trustag.runs.folder import RunFolder
from trustag.training.confident import ConfidentLabels
from trustag.training.fitting import Fitting, fit
from trustag.training.loop import EpochReport, Training

_OUTCOME: Final = "outcome"
_TENSORS: Final = "tensors.safetensors"
_FACTS: Final = "facts.json"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A finished fold model: its epochs, its judgement, and how it saw its own labels while it learnt."""

    history: tuple[EpochReport, ...]
    judgement: Judgement
    dynamics: Dynamics | None

    @property
    def kept_epoch(self) -> EpochReport:
        """The epoch whose model was kept."""
        return [report for report in self.history if report.is_best][-1]

    @property
    def dev_f1(self) -> float | None:
        """The F1 of the best epoch on dev, where there is a dev split."""
        return max((report.f1 for report in self.history if report.f1 is not None), default=None)


def together(outcomes: Sequence[Outcome]) -> Outcome:
    """Return several models of the same sentences as one; the epochs told are those of the first."""
    first, *others = outcomes
    if not others:
        return first
    dynamics = [outcome.dynamics for outcome in outcomes if outcome.dynamics is not None]
    return Outcome(
        first.history,
        mean_judgement([outcome.judgement for outcome in outcomes]),
        mean_dynamics(dynamics) if dynamics else None,
    )


def fit_and_judge(fitting: Fitting, unseen: Sequence[Tokens], folder: Path, keeps_model: bool) -> list[Note]:
    """Train in ``folder`` and leave the judgement of ``unseen`` there; done already, do nothing; begun, go on.

    The model itself stays only if ``keeps_model``. Returns what deserves notice.
    """
    notes: list[Note] = []
    outcome = folder / _OUTCOME
    place = RunFolder(folder)
    if not outcome.exists():
        folder.mkdir(parents=True, exist_ok=True)
        remove_drafts(outcome)
        training = fit(fitting, place, resume=True, watch=notes.append, report=lambda _: None)
        _write(training, load_model(place.best, fitting.context), unseen, outcome)
    # Also where the outcome is there already: the process that wrote it may have been killed before this.
    for rest in (place.checkpoints, *(() if keeps_model else (place.best, place.last))):
        shutil.rmtree(rest, ignore_errors=True)
    return notes


def copy_outcome(done: Path, folder: Path) -> None:
    """Let ``folder`` hold what :func:`fit_and_judge` left in ``done``, unless it holds an outcome already."""
    if not (folder / _OUTCOME).exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        remove_drafts(folder)
        with new_folder(folder, overwrite=True) as draft:
            shutil.copytree(done, draft, copy_function=link_or_copy, dirs_exist_ok=True)


def read_outcome(folder: Path, unseen: Sequence[Tokens]) -> Outcome:
    """Return what :func:`fit_and_judge` left in ``folder`` for the same sentences."""
    tensors = load_file(folder / _OUTCOME / _TENSORS)
    facts = json.loads((folder / _OUTCOME / _FACTS).read_text(encoding="utf-8"))
    chain = Chain(tensors["transitions"], tensors["start"], tensors["end"])
    return Outcome(
        history=tuple(EpochReport(**report) for report in facts["history"]),
        judgement=Judgement([len(tokens) for tokens in unseen], tensors["emissions"], chain),
        dynamics=Dynamics(tensors["scores"], tensors["beliefs"]) if "scores" in tensors else None,
    )


def _write(training: Training, tagger: Tagger, unseen: Sequence[Tokens], outcome: Path) -> None:
    chain = tagger.network.chain
    width = len(tagger.labels)
    tensors: dict[str, Tensor] = {
        "emissions": torch.cat([torch.empty(0, width), *map(torch.from_numpy, tagger.emissions(unseen))]),
        "transitions": chain.transitions.detach(),
        "start": chain.start.detach(),
        "end": chain.end.detach(),
    }
    history = training.progress.history
    if isinstance(training.objective, ConfidentLabels):
        dynamics = training.objective.dynamics.seen(len(history))
        tensors.update({"scores": dynamics.scores, "beliefs": dynamics.beliefs})
    facts: dict[str, Any] = {"history": [asdict(report) for report in history]}
    with new_folder(outcome) as draft:
        save_tensors(tensors, draft / _TENSORS)
        (draft / _FACTS).write_text(json.dumps(facts), encoding="utf-8")
