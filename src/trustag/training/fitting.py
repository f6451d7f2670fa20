"""Train one network in a folder: models, metrics and snapshots go there; interrupted, it continues from there."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TypeAlias

import torch

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.errors import DiskFullError
from trustag.models.building import new_network
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import load_model
from trustag.models.tagger import Tagger
from trustag.models.warm_start import WarmStart
from trustag.notes import Watch
from trustag.recipes.settings import TrainingSettings
from trustag.runs.folder import RunFolder, tidy
from trustag.runs.records import EpochReport
from trustag.text.published_scoring import score_as_published
from trustag.text.schemes import Scheme
from trustag.text.scoring import EntityScores, score_labels
from trustag.text.sentences import Sentence
from trustag.training.checkpointer import Checkpointer
from trustag.training.checkpoints import restore_checkpoint
from trustag.training.interrupts import held_interrupts
from trustag.training.loop import LoopSettings, StepReport, Training
from trustag.training.objectives import ObjectiveSpec
from trustag.training.schedule import FitSchedule

Report: TypeAlias = StepReport | EpochReport
Evaluator: TypeAlias = Literal["conlleval", "published"]


@dataclass(frozen=True, slots=True)
class FitSpec:
    """Everything that one training needs; it can be sent to another process.

    The label set is that of the corpus. ``dev`` chooses the epoch to keep, where there is one. ``start`` are weights to
    begin with instead of fresh ones.
    """

    corpus: EncodedCorpus
    dev: Sequence[Sentence]
    objective: ObjectiveSpec
    network: NetworkSpec
    training: TrainingSettings
    schedule: FitSchedule
    start: WarmStart | None = None

    def continuing(self, model: Path) -> "FitSpec":
        """Return the same training with the weights in the folder ``model`` to begin with, in half the epochs."""
        return replace(self, start=WarmStart(model), schedule=self.schedule.halved())

    def lasting(self, share: float) -> "FitSpec":
        """Return the same training for a ``share`` of its epochs, at least one."""
        return replace(self, schedule=replace(self.schedule, epochs=max(1, round(share * self.schedule.epochs))))


@dataclass(frozen=True, slots=True)
class FinishedFit:
    """A finished training, and a tagger with the weights of its best epoch."""

    training: Training
    tagger: Tagger


def fit(
    spec: FitSpec, folder: RunFolder, *, resume: bool, watch: Watch, report: Callable[[Report], None]
) -> FinishedFit:
    """Train to the end, from the newest sound snapshot in ``folder`` if ``resume``, and return the training."""
    training = _begin(spec, watch)
    tidy(folder)
    if resume:
        restore_checkpoint(training, folder.checkpoints, watch)
    else:
        shutil.rmtree(folder.checkpoints, ignore_errors=True)
    checkpointer = Checkpointer(training, spec.network, folder)
    _follow(training, spec, checkpointer, report)
    network = checkpointer.best_network()
    if network is None:  # the best epoch was trained by an earlier process
        return FinishedFit(training, load_model(folder.best, spec.network.context))
    return FinishedFit(training, Tagger(network.to("cpu"), legal_only=spec.network.legal_only))


def score(tagger: Tagger, sentences: Sequence[Sentence], evaluator: Evaluator = "conlleval") -> EntityScores:
    """Return how the labels of ``tagger`` compare with those of ``sentences``."""
    published = evaluator == "published"
    scorer, scheme = (score_as_published, tagger.labels.scheme) if published else (score_labels, Scheme.IOB2)
    tagged = tagger.tag((sentence.tokens for sentence in sentences), scheme)
    return scorer(zip((sentence.labels for sentence in sentences), tagged, strict=True))


def _begin(spec: FitSpec, watch: Watch) -> Training:
    corpus = spec.corpus
    torch.manual_seed(spec.schedule.seed)
    torch.set_num_threads(1)
    network = new_network(corpus.tokens, corpus.labels, spec.network, watch)
    if spec.start is not None:
        spec.start.apply(network, watch)
    network.to(_device(spec.training.device))
    objective = spec.objective.build(corpus, network, spec.schedule)
    return Training(network, corpus, objective, LoopSettings(spec.network.settings, spec.training, spec.schedule))


def _device(name: str) -> torch.device:
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _follow(training: Training, spec: FitSpec, checkpointer: Checkpointer, report: Callable[[Report], None]) -> None:
    """Run the training to its end, saving models, metrics and snapshots on the way."""
    dev, legal_only, evaluator = spec.dev, spec.network.legal_only, spec.training.evaluator
    dev_score = (lambda: score(Tagger(training.network, legal_only=legal_only), dev, evaluator)) if dev else None
    try:
        with held_interrupts() as is_interrupted:
            for event in training.run(dev_score):
                checkpointer.take(event)
                report(event)
                if is_interrupted():
                    checkpointer.save()
                    raise KeyboardInterrupt
    except DiskFullError as error:
        remedy = "make room, then continue with the same command and --resume"
        raise DiskFullError(error.finding, where=error.where, remedy=remedy) from None
