"""Corpora of an experiment: which files they are read from, and which labels a system is trained on."""

from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import NamedTuple

from msgspec.structs import replace

from trustag.corpora.locating import read_corpus
from trustag.noise.measures import measure_noise
from trustag.noise.perturbation import Perturbation, perturb
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence


class Sizes(NamedTuple):
    """How many sentences of each split are used."""

    train: int
    dev: int
    test: int


@dataclass(frozen=True, slots=True)
class ExperimentCorpus:
    """A corpus with train, dev and test splits, and the word vectors that systems start from.

    ``name`` is anything that :func:`trustag.corpora.locating.read_corpus` reads; ``vectors`` a file or the name of a
    source, nothing for random vectors; ``advised_vectors`` those that a user of the language is advised to download. A
    ``perturbation`` adds noise to clean training labels. With ``sizes`` only the first sentences are used.
    """

    name: str
    vectors: str = ""
    advised_vectors: str = ""
    language: str = ""
    perturbation: Perturbation | None = None
    sizes: Sizes | None = None


def load_splits(source: ExperimentCorpus, *, gold_labels: bool = False) -> Corpus:
    """Return the splits of a corpus, with noisy training labels or with the gold labels in their place."""
    corpus = _first(read_corpus(source.name), source.sizes)
    if gold_labels:
        return Corpus(tuple(map(_with_gold_labels, corpus.train)), corpus.dev, corpus.test)
    if source.perturbation is None:
        return corpus
    return Corpus(perturb(corpus.train, source.perturbation).sentences, corpus.dev, corpus.test)


def _first(corpus: Corpus, sizes: Sizes | None) -> Corpus:
    if sizes is None:
        return corpus
    train, dev, test = corpus.train[: sizes.train], corpus.dev[: sizes.dev], corpus.test[: sizes.test]
    return changed(corpus, train=train, dev=dev, test=test)


def label_noise(sentences: Sequence[Sentence]) -> dict[str, float]:
    """Return how noisy labels are: entity precision and recall against gold, and the token noise rates in IOBES."""
    measured = measure_noise(sentences, Scheme.IOBES)
    entities = measured.entities
    return {
        "precision": entities.precision,
        "recall": entities.recall,
        "negative": measured.tau_n,
        "positive": measured.tau_p,
    }


def _with_gold_labels(sentence: Sentence) -> Sentence:
    return sentence if sentence.gold is None else replace(sentence, labels=sentence.gold, gold=None)
