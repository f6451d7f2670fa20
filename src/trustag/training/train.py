"""Train a tagger on a corpus and leave a run behind; killed anywhere and resumed, it ends like an unbroken one."""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import torch

from trustag.corpora.legality import SchemeChange, rewritten
from trustag.corpora.survey import Survey
from trustag.errors import InputError, NoRoomError
from trustag.models.building import GivenVectors, fresh_network
from trustag.models.numbered import label_set, number_sentences
from trustag.models.saving import load_model, save_model
from trustag.models.tagger import Tagger
from trustag.recipes.settings import Recipe
from trustag.results import Note, Watch
from trustag.text.labels import LabelSet, entity_types
from trustag.text.scoring import EntityScores, score_labels
from trustag.text.sentences import Corpus, Sentence
from trustag.training.checkpoints import restore_checkpoint, save_checkpoint
from trustag.training.interrupts import held_interrupts
from trustag.training.loop import EpochReport, StepReport, Training
from trustag.training.objectives import GivenLabels
from trustag.training.runs import RunFolder, fingerprint, finish, open_run, write_metrics

_SECONDS_BETWEEN_CHECKPOINTS: Final = 120.0

Report: TypeAlias = StepReport | EpochReport


@dataclass(frozen=True, slots=True)
class Trained:
    """A finished run: where it is, how each epoch went, and how the best model does on dev and test."""

    run: RunFolder
    sentences: int
    history: tuple[EpochReport, ...]
    best_epoch: int
    dev: EntityScores | None
    test: EntityScores | None

    def scores(self) -> dict[str, dict[str, float] | None]:
        """Return precision, recall and F1 on dev and test, for manifests and screens."""
        return {"dev": _summary(self.dev), "test": _summary(self.test)}


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a run goes, and what to do if something is there already."""

    path: Path
    resume: bool = False
    overwrite: bool = False


def train(
    corpus: Corpus,
    recipe: Recipe,
    vectors: GivenVectors | None,
    destination: Destination,
    watch: Watch,
    report: Callable[[Report], None],
) -> Trained:
    """Train on the train split, choose by the dev split if there is one, and score the test split once at the end."""
    sentences = _ready(corpus.train, recipe, "train", watch)
    dev, test = (_ready(part, recipe, name, watch) for name, part in (("dev", corpus.dev), ("test", corpus.test)))
    data = {name: fingerprint(part) for name, part in (("train", sentences), ("dev", dev), ("test", test)) if part}
    run = open_run(destination.path, recipe, data, resume=destination.resume, overwrite=destination.overwrite)
    labels = label_set(entity_types(label for sentence in sentences for label in sentence.labels))
    training = _begin(sentences, labels, recipe, vectors, watch)
    if destination.resume:
        restore_checkpoint(training, run.checkpoints, watch)
    else:
        shutil.rmtree(run.checkpoints, ignore_errors=True)
    legal = recipe.model.constraints != "none"
    dev_score = (lambda: score(Tagger(training.network, labels, legal_only=legal), dev)) if dev else None
    _follow(training, run, labels, report, dev_score)
    best = load_model(run.best)
    history = tuple(training.progress.history)
    trained = Trained(
        run=run,
        sentences=len(sentences),
        history=history,
        best_epoch=max(entry.epoch for entry in history if entry.is_best),
        dev=score(best, dev) if dev else None,
        test=score(best, test) if test else None,
    )
    finish(run, {"best_epoch": trained.best_epoch, **trained.scores()})
    shutil.rmtree(run.checkpoints, ignore_errors=True)
    return trained


def score(tagger: Tagger, sentences: Sequence[Sentence]) -> EntityScores:
    """Return how the labels of ``tagger`` compare with those of ``sentences``."""
    tagged = tagger.tag(sentence.tokens for sentence in sentences)
    return score_labels(zip((sentence.labels for sentence in sentences), tagged, strict=True))


def _ready(sentences: Sequence[Sentence], recipe: Recipe, name: str, watch: Watch) -> list[Sentence]:
    """Return ``sentences`` with legal labels and at least one token each; what is changed or left out is noted."""
    filled = [sentence for sentence in sentences if sentence.tokens]
    if len(filled) < len(sentences):
        watch(Note("left out", f"sentences without tokens in {name}", f"{len(sentences) - len(filled)} of them"))
    evidence = Survey().add(filled).scheme
    if evidence.against:
        change = SchemeChange(evidence.scheme, None, recipe.data.on_illegal)
        filled = list(rewritten(filled, change, watch))
    return filled


def _begin(
    sentences: Sequence[Sentence], labels: LabelSet, recipe: Recipe, vectors: GivenVectors | None, watch: Watch
) -> Training:
    if not sentences:
        raise InputError("the training corpus holds no sentence", remedy="give one with tokens and labels")
    if not labels.types:
        raise InputError("the training corpus holds no entity", remedy="check which column holds the labels")
    torch.manual_seed(recipe.training.seed)
    torch.set_num_threads(1)
    network = fresh_network([sentence.tokens for sentence in sentences], vectors, labels, recipe, watch)
    network.to(_device(recipe.training.device))
    return Training(network, labels, number_sentences(sentences, labels), GivenLabels(), recipe)


def _device(name: str) -> torch.device:
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _follow(
    training: Training,
    run: RunFolder,
    labels: LabelSet,
    report: Callable[[Report], None],
    dev_score: Callable[[], EntityScores] | None,
) -> None:
    """Run the training to its end, saving models, metrics and checkpoints on the way."""
    saved_at = time.monotonic()
    try:
        with held_interrupts() as is_interrupted:
            for event in training.run(dev_score):
                if isinstance(event, EpochReport):
                    with training.average.in_place():
                        save_model(training.network, labels, training.recipe, run.last)
                        if event.is_best:
                            save_model(training.network, labels, training.recipe, run.best)
                    write_metrics(run, training.progress.history)
                is_stopping, is_due = is_interrupted(), time.monotonic() - saved_at > _SECONDS_BETWEEN_CHECKPOINTS
                if isinstance(event, EpochReport) or is_due or is_stopping:
                    save_checkpoint(training, run.checkpoints)
                    saved_at = time.monotonic()
                report(event)
                if is_stopping:
                    break
            if is_interrupted():
                raise KeyboardInterrupt
    except NoRoomError as error:
        remedy = "make room, then go on with the same command and --resume"
        raise NoRoomError(error.finding, where=error.where, remedy=remedy) from None


def _summary(scores: EntityScores | None) -> dict[str, float] | None:
    if scores is None:
        return None
    return {"precision": scores.micro.precision, "recall": scores.micro.recall, "f1": scores.micro.f1}
