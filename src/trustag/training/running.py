"""Train on a corpus with everything that a recipe asks for: word vectors found, workers begun, a run left behind."""

from collections import Counter
from collections.abc import Callable
from itertools import chain

from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.notes import Watch, unwatched
from trustag.recipes.settings import Recipe
from trustag.text.sentences import Corpus
from trustag.training.contexts import given_context
from trustag.training.jobs import RunReport
from trustag.training.train import Destination, Surroundings, Trained, train
from trustag.training.vectors import given_vectors


def unreported(report: RunReport) -> None:
    """Take a report and forget it, for callers who do not follow."""


def run_recipe(
    corpus: Corpus,
    recipe: Recipe,
    destination: Destination,
    workers: int = 1,
    watch: Watch = unwatched,
    report: Callable[[RunReport], None] = unreported,
) -> Trained:
    """Train on ``corpus`` as ``recipe`` says and return what came out; the run is left in ``destination``.

    One worker is this process; more are processes of one thread each, which do not change the result.
    """
    counts = Counter(token for sentence in chain(corpus.train, corpus.dev, corpus.test) for token in sentence.tokens)
    vectors, context = given_vectors(recipe, counts, watch), given_context(recipe, watch)
    with _engine(workers) as engine:
        return train(corpus, recipe, vectors, destination, Surroundings(engine, watch, report), context)


def _engine(workers: int) -> Engine:
    return InProcess() if workers == 1 else WorkerProcesses(workers)
