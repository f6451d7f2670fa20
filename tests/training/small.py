"""Corpora, recipes and networks so small that a whole training takes a second."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import torch
from msgspec.structs import replace as changed

from trustag.corpora.demo import demo_corpus
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.methods.table import load_recipe
from trustag.models.building import new_network
from trustag.models.network import Network
from trustag.models.network_spec import NetworkSpec
from trustag.notes import Watch, unwatched
from trustag.pipeline import Destination, RunContext, TrainResult, train_in
from trustag.recipes.settings import Recipe
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence
from trustag.training.jobs import RunReport
from trustag.training.task import Task

ROUNDS = (
    "method.rounds.count=2",
    "method.rounds.fold_epochs=2",
    "training.epochs=2",
    "method.rates.estimate_epochs=1",
)
"""Changes that make the confidence method short."""


def small_corpus(train: int = 60) -> Corpus:
    corpus = demo_corpus()
    return Corpus(corpus.train[:train], corpus.dev[:30], corpus.test[:30])


def noisy_corpus(train: int = 60) -> Corpus:
    """Return sentences of which every second one has lost its entities; gold labels stand beside."""
    corpus = small_corpus(train)
    return replace(corpus, train=tuple(_half_hidden(corpus.train)))


def _half_hidden(sentences: Sequence[Sentence]) -> list[Sentence]:
    hidden = []
    for number, sentence in enumerate(sentences):
        clean = sentence.gold or sentence.labels
        labels = ("O",) * len(clean) if number % 2 else clean
        hidden.append(changed(sentence, labels=labels, gold=clean))
    return hidden


def small_recipe(*changes: str, method: str = "bilstm-crf") -> Recipe:
    return load_recipe(
        "fast",
        [
            "bilstm.random_vectors=true",
            "bilstm.words=8",
            "bilstm.hidden=6",
            "bilstm.characters=4",
            "bilstm.character_hidden=3",
            "training.epochs=3",
            "training.batch_size=8",
            "training.learning_rate=6e-3",
            "training.least_steps=0",
            "training.snapshot_seconds=0",
            *changes,
        ],
        method,
    )


def here(watch: Watch = unwatched, report: Callable[[RunReport], None] = lambda _: None) -> RunContext:
    """Return a context in which all work is done in this process."""
    return RunContext(InProcess(), watch, report)


def run_rounds(
    path: Path, *changes: str, corpus: Corpus | None = None, engine: Engine | None = None, resume: bool = False
) -> TrainResult:
    """Run the confidence method, made short, on a noisy corpus."""
    context = RunContext(engine or InProcess())
    recipe = small_recipe(*ROUNDS, *changes, method="confidence")
    return train_in(corpus or noisy_corpus(), recipe, Destination(path, resume=resume, keep_jobs=True), context)


def small_run(path: Path, recipe: Recipe, corpus: Corpus | None = None, watch: Watch = unwatched) -> TrainResult:
    """Train on a corpus, the small one by default, and return what came out."""
    return train_in(small_corpus() if corpus is None else corpus, recipe, Destination(path), here(watch))


def small_spec(recipe: Recipe | None = None) -> NetworkSpec:
    """Return what a network of a recipe is made from, on random word vectors."""
    recipe = recipe or small_recipe()
    return NetworkSpec(recipe.network, None, None, recipe.bilstm.finetune_vectors)


def small_network(labels: LabelSet, sentences: Sequence[Sequence[str]], recipe: Recipe | None = None) -> Network:
    """Return an untrained network whose weights depend on nothing but its shape."""
    torch.manual_seed(1)
    return new_network(sentences, labels, small_spec(recipe), unwatched)


def encoded(sentences: Sequence[Sentence]) -> EncodedCorpus:
    types = entity_types(label for sentence in sentences for label in sentence.labels)
    return encode(sentences, LabelSet.of(types))


def small_task(recipe: Recipe, corpus: Corpus | None = None) -> Task:
    """Return what a method is given for a recipe."""
    data = corpus or noisy_corpus()
    own = encoded(data.train)
    size = recipe.training.batch_size
    return Task(data.train, data.dev, own, Scheme.IOB2, small_spec(recipe), recipe.training, size)
