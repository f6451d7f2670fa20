"""A corpus and recipes so small that a whole training takes a second, done in this process."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from msgspec.structs import replace as changed

from trustag.corpora.demo import demo_corpus
from trustag.methods.table import load_recipe
from trustag.notes import Watch, unwatched
from trustag.pipeline import Destination, TrainResult, train
from trustag.recipes.settings import Recipe
from trustag.text.sentences import Corpus, Sentence

SMALL = (
    "bilstm.random_vectors=true",
    "bilstm.words=8",
    "bilstm.hidden=6",
    "bilstm.characters=4",
    "bilstm.character_hidden=3",
    "training.epochs=3",
    "training.batch_size=8",
    "training.least_steps=0",
    "training.snapshot_seconds=0",
)
ROUNDS = (
    "method.rounds.count=2",
    "method.rounds.fold_epochs=2",
    "training.epochs=2",
    "method.rates.estimate_epochs=1",
)


def small_corpus(train: int = 60) -> Corpus:
    corpus = demo_corpus()
    return Corpus(corpus.train[:train], corpus.dev[:30], corpus.test[:30])


def noisy_corpus(train: int = 60) -> Corpus:
    """Return sentences of which half have no entity labels any more; gold labels stand beside."""
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
    return load_recipe("fast", [*SMALL, *changes], method)


def small_run(path: Path, recipe: Recipe, corpus: Corpus | None = None, watch: Watch = unwatched) -> TrainResult:
    """Train on a corpus, the small one by default, and return what came out."""
    return train(small_corpus() if corpus is None else corpus, recipe, Destination(path), watch=watch)
