"""One training as a job: it is fitted in a folder and leaves its result there, which is read by whoever asked for it.

What a model says of sentences is kept as the outputs of its head, from which probabilities, best paths and span
posteriors follow under whatever labels are fixed.
"""

import json
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from trustag.data.corpus_outputs import CorpusOutputs
from trustag.errors import InputError, is_out_of_memory
from trustag.files.outputs import link_or_copy, new_folder, remove_drafts
from trustag.models.encoders import Tokens
from trustag.models.heads import find_head
from trustag.models.saving import set_temperature
from trustag.models.tensor_files import save_tensors
from trustag.notes import Note
from trustag.recipes.network_settings import HEADS
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.text.sentences import Source
from trustag.training.checksums import check_checksum, write_checksum
from trustag.training.fitting import FinishedFit, FitSpec, Report, fit
from trustag.training.loop import StepReport

_RESULT: Final = "outcome"
_TENSORS: Final = "tensors.safetensors"
_FACTS: Final = "facts.json"
_RECORD: Final = "record."
_FIRST_RECORD: Final = ("scores", "beliefs")
"""What the objective recorded, as results of the first version name it."""
_SECONDS_BETWEEN_STEPS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Job:
    """A training, and the sentences to predict with its best model; ``keeps_model`` where that is needed later."""

    fit: FitSpec
    predict: Sequence[Tokens] = ()
    keeps_model: bool = False


@dataclass(frozen=True, slots=True)
class FitResult:
    """A finished training: where its model is if it was kept, its epochs, what its best model says of some sentences.

    ``record`` is what the objective recorded while it was trained.
    """

    model: Path
    history: tuple[EpochReport, ...]
    outputs: CorpusOutputs
    record: Mapping[str, Tensor]

    @property
    def kept_epoch(self) -> EpochReport:
        """The epoch whose model was kept."""
        return [report for report in self.history if report.is_best][-1]

    @property
    def dev_f1(self) -> float | None:
        """The F1 of the best epoch on dev, where there is a dev split."""
        return max((report.f1 for report in self.history if report.f1 is not None), default=None)


def fit_and_predict(job: Job, folder: Path, report: Callable[[Report], None] | None = None) -> list[Note]:
    """Train in ``folder`` and leave the result there; finished already, do nothing; begun, continue.

    Returns what deserves notice. Steps go to ``report``, or into a file for whoever follows from another process.
    """
    notes: list[Note] = []
    run = RunFolder(folder)
    remove_drafts(folder / _RESULT)
    notes += _dropped_if_broken(folder / _RESULT)
    if not (folder / _RESULT).exists():
        folder.mkdir(parents=True, exist_ok=True)
        fitted = fit(job.fit, run, resume=True, watch=notes.append, report=report or _StepFile(run))
        _write(fitted, job.predict, folder / _RESULT)
    # Also where the result is there already: the process that wrote it may have been killed before this.
    run.step.unlink(missing_ok=True)
    for rest in (run.checkpoints, *(() if job.keeps_model else (run.best, run.last))):
        shutil.rmtree(rest, ignore_errors=True)
    return notes


def is_finished(folder: Path) -> bool:
    """Tell whether :func:`fit_and_predict` has left a result in ``folder``."""
    return (folder / _RESULT).exists()


def copy_result(done: Path, folder: Path) -> None:
    """Let ``folder`` hold what :func:`fit_and_predict` left in ``done``, unless it holds a result already."""
    if not (folder / _RESULT).exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        remove_drafts(folder)
        with new_folder(folder, overwrite=True) as draft:
            shutil.copytree(done, draft, copy_function=link_or_copy, dirs_exist_ok=True)


def read_result(folder: Path, predicted: Sequence[Tokens], head: str) -> FitResult:
    """Return what :func:`fit_and_predict` left in ``folder`` for the same sentences, by a network with such a head."""
    try:
        tensors = load_file(folder / _RESULT / _TENSORS)
        facts = json.loads((folder / _RESULT / _FACTS).read_text(encoding="utf-8"))
        return FitResult(
            model=RunFolder(folder).best,
            history=tuple(EpochReport(**report) for report in facts["history"]),
            outputs=find_head(head).read_outputs([len(tokens) for tokens in predicted], tensors),
            record={
                name.removeprefix(_RECORD): part
                for name, part in tensors.items()
                if name.startswith(_RECORD) or (name in _FIRST_RECORD and head in HEADS)
            },
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RuntimeError, SafetensorError) as error:
        if is_out_of_memory(error):
            raise
        line = " ".join(str(error).split())[:200]
        remedy = "remove this folder and continue with --resume"
        raise InputError(f"is not the result of this training ({line})", where=folder, remedy=remedy) from None


def _dropped_if_broken(result: Path) -> list[Note]:
    """Remove a result that is not as it was written, so that the training is done again; say so."""
    if not result.exists():
        return []
    try:
        check_checksum(result, (_TENSORS, _FACTS))
    except (OSError, ValueError) as error:
        if result.is_dir() and not result.is_symlink():
            shutil.rmtree(result)
        else:
            result.unlink()
        detail = f"{error}; the training is done again"
        return [Note("dropped", "broken result of a training", detail, Source(str(result)))]
    return []


def keep_model(run: RunFolder, model: FitResult, temperature: float) -> None:
    """Let the run hold the best and the last model of one of its trainings."""
    source = RunFolder(model.model.parent)
    for done, target in ((source.best, run.best), (source.last, run.last)):
        with new_folder(target, overwrite=True) as draft:
            shutil.copytree(done, draft, dirs_exist_ok=True, copy_function=link_or_copy)
            if temperature != 1.0:
                set_temperature(draft, temperature)


def _write(fitted: FinishedFit, predict: Sequence[Tokens], result: Path) -> None:
    training = fitted.training
    history = training.progress.history
    tensors = dict(fitted.tagger.corpus_outputs(predict).tensors())
    tensors |= {f"{_RECORD}{name}": part for name, part in training.objective.record(len(history)).items()}
    facts: dict[str, Any] = {"history": [asdict(report) for report in history]}
    with new_folder(result) as draft:
        save_tensors(tensors, draft / _TENSORS)
        (draft / _FACTS).write_text(json.dumps(facts), encoding="utf-8")
        write_checksum(draft, (_TENSORS, _FACTS))


class _StepFile:
    """Writes now and then how far the present epoch of a training is, for whoever follows from outside."""

    def __init__(self, run: RunFolder) -> None:
        self._run = run
        self._written_at = time.monotonic()

    def __call__(self, report: Report) -> None:
        now = time.monotonic()
        if isinstance(report, StepReport) and now - self._written_at > _SECONDS_BETWEEN_STEPS:
            self._run.step.write_text(f"{report.epoch} {report.step / report.steps:.3f}", encoding="utf-8")
            self._written_at = now
