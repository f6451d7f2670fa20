"""A corpus and a recipe so small that a whole training takes a second."""

from collections.abc import Callable, Sequence

import torch

from trustag.corpora.demo import demo_corpus
from trustag.engines.in_process import InProcess
from trustag.notes import Watch
from trustag.recipes.loading import load_recipe
from trustag.recipes.settings import Recipe
from trustag.text.sentences import Corpus
from trustag.training.folds import Withheld
from trustag.training.jobs import RunReport
from trustag.training.train import Surroundings


def small_corpus(train: int = 60) -> Corpus:
    corpus = demo_corpus()
    return Corpus(corpus.train[:train], corpus.dev[:30], corpus.test[:30])


def small_recipe(*changes: str) -> Recipe:
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
            "training.least_steps=0",
            "training.snapshot_seconds=0",
            "rounds.members=1",
            "rounds.count=0",
            *changes,
        ],
    )


def here(watch: Watch, report: Callable[[RunReport], None] = lambda _: None) -> Surroundings:
    """Return surroundings in which all work is done in this process."""
    return Surroundings(InProcess(), watch, report)


def withheld(outside: Sequence[bool], unknown: Sequence[bool] | None = None) -> Withheld:
    """Return labels that nobody is told: those told as ``O`` instead, and those told as unknown."""
    return Withheld(torch.tensor(outside), torch.tensor(unknown or [False] * len(outside)))
