"""Train one network in a folder: best and last model, metrics and snapshots go there; interrupted, it goes on there."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.confidence.selection import NoiseRates
from trustag.data.encoded_corpus import MODEL_SCHEME, number_sentences
from trustag.errors import DiskFullError
from trustag.models.building import GivenVectors, fresh_network
from trustag.models.context import Context
from trustag.models.tagger import Tagger
from trustag.noise.surface_names import names_of
from trustag.notes import Watch
from trustag.recipes.settings import Recipe
from trustag.runs.folder import RunFolder, tidy
from trustag.text.labels import LabelSet
from trustag.text.published_scoring import score_as_published
from trustag.text.schemes import Scheme
from trustag.text.scoring import EntityScores, score_labels
from trustag.text.sentences import Sentence
from trustag.training.checkpoints import restore_checkpoint
from trustag.training.confident import ConfidentLabels
from trustag.training.interrupts import held_interrupts
from trustag.training.keeping import Keeper
from trustag.training.loop import EpochReport, StepReport, Training
from trustag.training.objectives import ExpectedLabels, GivenLabels, Objective, WeightedLabels

Report: TypeAlias = StepReport | EpochReport
Evaluator: TypeAlias = Literal["conlleval", "published"]


@dataclass(frozen=True, slots=True)
class Fitting:
    """What one network is trained from, and how far its labels are trusted.

    With ``rates`` the least confident labels are distrusted while training (the paper's objective), by what the network
    says of them and by the ``prior`` confidence in each that is there from elsewhere; with ``weights``
    (or ``expected``), a table of label weights (or probabilities) for each sentence, they take the place of the labels;
    with none of these every label is believed. Labels ``as_written`` are those of a model, kept even where they are
    illegal; others are read in any scheme.
    """

    sentences: Sequence[Sentence]
    dev: Sequence[Sentence]
    labels: LabelSet
    recipe: Recipe
    vectors: GivenVectors | None
    context: Context | None
    rates: NoiseRates | None = None
    prior: Tensor | None = None
    weights: Sequence[Tensor] | None = None
    expected: Sequence[Tensor] | None = None
    as_written: bool = False


def fit(
    fitting: Fitting, folder: RunFolder, *, resume: bool, watch: Watch, report: Callable[[Report], None]
) -> Training:
    """Train to the end, from the newest sound snapshot in ``folder`` if ``resume``, and return the training."""
    training = _begin(fitting, watch)
    tidy(folder)
    if resume:
        restore_checkpoint(training, folder.checkpoints, watch)
    else:
        shutil.rmtree(folder.checkpoints, ignore_errors=True)
    _follow(training, fitting, folder, report)
    return training


def score(tagger: Tagger, sentences: Sequence[Sentence], evaluator: Evaluator = "conlleval") -> EntityScores:
    """Return how the labels of ``tagger`` compare with those of ``sentences``."""
    scorer, scheme = (score_labels, Scheme.IOB2) if evaluator == "conlleval" else (score_as_published, MODEL_SCHEME)
    tagged = tagger.tag((sentence.tokens for sentence in sentences), scheme)
    return scorer(zip((sentence.labels for sentence in sentences), tagged, strict=True))


def _begin(fitting: Fitting, watch: Watch) -> Training:
    sentences, labels, recipe = fitting.sentences, fitting.labels, fitting.recipe
    torch.manual_seed(recipe.training.seed)
    torch.set_num_threads(1)
    tokens = [sentence.tokens for sentence in sentences]
    network = fresh_network(tokens, fitting.vectors, labels, recipe, watch, fitting.context)
    network.to(_device(recipe.training.device))
    numbered = number_sentences(sentences, labels, as_written=fitting.as_written)
    objective: Objective = GivenLabels()
    if fitting.weights is not None:
        objective = WeightedLabels(fitting.weights)
    elif fitting.expected is not None:
        objective = ExpectedLabels(fitting.expected)
    elif fitting.rates is not None:
        names = names_of(sentences) if recipe.confidence.tellings else ()
        objective = ConfidentLabels(numbered, labels, fitting.rates, recipe, fitting.prior, names)
    return Training(network, labels, numbered, objective, recipe)


def _device(name: str) -> torch.device:
    if name != "auto":
        return torch.device(name)
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def _follow(training: Training, fitting: Fitting, folder: RunFolder, report: Callable[[Report], None]) -> None:
    """Run the training to its end, saving models, metrics and snapshots on the way."""
    labels, recipe, dev = fitting.labels, fitting.recipe, fitting.dev
    legal = recipe.model.constraints != "none"
    evaluator = recipe.training.evaluator
    dev_score = (lambda: score(Tagger(training.network, labels, legal_only=legal), dev, evaluator)) if dev else None
    keeper = Keeper(training, labels, recipe, folder)
    try:
        with held_interrupts() as is_interrupted:
            for event in training.run(dev_score):
                keeper.hear(event)
                report(event)
                if is_interrupted():
                    keeper.save()
                    raise KeyboardInterrupt
    except DiskFullError as error:
        remedy = "make room, then go on with the same command and --resume"
        raise DiskFullError(error.finding, where=error.where, remedy=remedy) from None
