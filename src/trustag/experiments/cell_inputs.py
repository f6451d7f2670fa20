"""What a cell reads from files, read once by whoever has the files, for machines that have not."""

from collections import Counter
from functools import lru_cache

from trustag.experiments.cells import CellInputs, CellJob, make_importable
from trustag.experiments.corpora import ExperimentCorpus, load_splits
from trustag.notes import unwatched
from trustag.pipeline import GivenInputs
from trustag.recipes.settings import Recipe
from trustag.text.sentences import Corpus
from trustag.training.context_features import given_context
from trustag.training.starting_vectors import given_vectors


def load_inputs(job: CellJob) -> CellInputs:
    """Return the corpus of a cell, its word vectors and the encoder of its frozen features.

    Cells of the same corpus are given the same values, so that these travel to each machine once.
    """
    make_importable(job.modules)
    corpus = _corpus(job.corpus, job.system.gold_labels)
    return CellInputs(corpus, _given(_Key(job.corpus, job.recipe())))


class _Key:
    """A recipe by what it reads from files: other settings do not matter."""

    def __init__(self, corpus: ExperimentCorpus, recipe: Recipe) -> None:
        self.corpus = corpus
        self.recipe = recipe
        bilstm = recipe.bilstm
        self._files = (corpus, recipe.model.encoder, bilstm.model_dump_json())

    def __hash__(self) -> int:
        return hash(self._files)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._files == other._files


@lru_cache(maxsize=4)
def _corpus(source: ExperimentCorpus, gold_labels: bool) -> Corpus:
    return load_splits(source, gold_labels=gold_labels)


@lru_cache(maxsize=4)
def _given(key: _Key) -> GivenInputs:
    whole = _corpus(key.corpus, gold_labels=False)
    counts = Counter(
        token for part in (whole.train, whole.dev, whole.test) for sentence in part for token in sentence.tokens
    )
    return GivenInputs(given_vectors(key.recipe, counts, unwatched), given_context(key.recipe, unwatched))
