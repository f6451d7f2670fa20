"""Small corpora, recipes and runs of constrained binary learning."""

from collections.abc import Sequence
from pathlib import Path

from trustag.corpora.demo import demo_corpus
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.methods.table import load_recipe
from trustag.models.network_spec import NetworkSpec
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, TrainResult, train
from trustag.recipes.settings import Recipe
from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label
from trustag.text.schemes import Scheme
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence
from trustag.training.task import Task

LABELS = LabelSet.of(("LOC", "PER"), Scheme.IOBES)
QUICK = ("training.epochs=12", "training.learning_rate=0.03", "method.binary_epochs=8", "method.ratio_step=0.05")


def small_recipe(*changes: str) -> Recipe:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.characters=10", "bilstm.character_hidden=10")
    return load_recipe("cbl", ["bilstm.random_vectors=true", *sizes, "training.batch_size=8", *QUICK, *changes])


def small_corpus(train: int = 60) -> Corpus:
    corpus = demo_corpus()
    return Corpus(corpus.train[:train], corpus.dev[:30], corpus.test[:30])


def run_to(path: Path, corpus: Corpus, *changes: str, notes: list[Note] | None = None) -> TrainResult:
    return train(corpus, small_recipe(*changes), Destination(path), watch=unwatched if notes is None else notes.append)


def task_of(corpus: Corpus) -> Task:
    recipe = small_recipe()
    network = NetworkSpec(recipe.network, None, None, finetune_vectors=True)
    encoded = encode(corpus.train, LabelSet.of(("LOC", "MISC", "ORG", "PER"), Scheme.IOBES))
    return Task(corpus.train, corpus.dev, encoded, Scheme.IOB2, network, recipe.training, 8)


def encoded(*rows: Sequence[Label], reviewed: Sequence[tuple[int, int]] = ()) -> EncodedCorpus:
    sentences = [
        Sentence(
            tuple(f"w{token}" for token in range(len(row))),
            tuple(row),
            token_sources=tuple(REVIEWED if (number, token) in reviewed else GIVEN for token in range(len(row))),
        )
        for number, row in enumerate(rows)
    ]
    return encode(sentences, LABELS)
