"""Train on a corpus as a recipe says and leave a run behind.

Killed anywhere and resumed, a run ends like an unbroken one.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from trustag.corpora.labelled_twice import labelled_twice
from trustag.corpora.survey import Survey
from trustag.corpora.trainable import legal_sentences, types_to_learn
from trustag.corpora.trusted_sentences import with_trusted
from trustag.data.encoded_corpus import encode
from trustag.data.label_pairs import encode_pairs
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.methods.table import choose_method, with_all_settings
from trustag.models.context import Context, FrozenContext
from trustag.models.encoder_kinds import find_encoder
from trustag.models.heads import find_head
from trustag.models.network_spec import GivenVectors, NetworkSpec
from trustag.notes import Note, Watch, each_once, unwatched
from trustag.pipeline.finished_run import finished_run
from trustag.pipeline.train_result import TrainResult
from trustag.recipes.settings import Recipe, TrainingSettings
from trustag.runs.corpus_files import write_given
from trustag.runs.finishing import finish, refuse_finished
from trustag.runs.folder import RunFolder, fingerprint, open_run
from trustag.runs.writer_lock import LockedEngine, RunLock, only_writer
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.sentences import Corpus, Sentence
from trustag.training.batches import suited_size
from trustag.training.context_features import FeatureCost, given_context, stored_context
from trustag.training.jobs import JobRunner, RunReport
from trustag.training.stages import Plan
from trustag.training.starting_vectors import given_vectors
from trustag.training.task import Task
from trustag.vectors.feature_cache import FeatureCache, features_folder, features_limit


@dataclass(frozen=True, slots=True)
class Destination:
    """Where a run goes, what to do if something is there already, and the lock of the folder if the caller holds it.

    ``keep_jobs`` keeps the trainings that the run consists of: with their predictions, some hundred megabytes.
    """

    path: Path
    resume: bool = False
    overwrite: bool = False
    lock: RunLock | None = None
    keep_jobs: bool = False


def ignore_report(report: RunReport) -> None:
    """Take a report and forget it, for callers who do not follow."""


@dataclass(frozen=True, slots=True)
class GivenInputs:
    """What a recipe reads from files, read already: word vectors and the encoder of frozen features."""

    vectors: GivenVectors | None
    context: FrozenContext | None


@dataclass(frozen=True, slots=True)
class RunContext:
    """The engine that runs the trainings, and the functions that receive notes and progress.

    ``given`` takes the place of the files that the recipe names, for a machine that does not have them.
    """

    engine: Engine
    watch: Watch = unwatched
    report: Callable[[RunReport], None] = ignore_report
    given: GivenInputs | None = None


def train(
    corpus: Corpus,
    recipe: Recipe,
    destination: Destination,
    workers: int = 1,
    watch: Watch = unwatched,
    report: Callable[[RunReport], None] = ignore_report,
) -> TrainResult:
    """Train on ``corpus`` as ``recipe`` says and return what came out; the run is left in ``destination``.

    One worker is this process; more are processes of one thread each, which do not change the result.
    """
    with InProcess() if workers == 1 else WorkerProcesses(workers) as engine:
        return train_in(corpus, recipe, destination, RunContext(engine, watch, report))


def train_in(corpus: Corpus, recipe: Recipe, destination: Destination, context: RunContext) -> TrainResult:
    """Do the same with an engine of the caller's."""
    if destination.lock is None:
        with only_writer(destination.path, "a training") as lock:
            return train_in(corpus, recipe, replace(destination, lock=lock), context)
    context = replace(context, engine=LockedEngine(context.engine, destination.lock))
    chosen = choose_method(recipe)
    recipe = with_all_settings(recipe, chosen)
    find_encoder(recipe.model.encoder)  # what cannot be loaded is refused before any work
    find_head(recipe.model.head)
    twice = labelled_twice(corpus, context.watch)
    corpus = _with_trusted(corpus, context.watch)
    splits = {
        name: legal_sentences(part, recipe.data.on_illegal, name, context.watch)
        for name, part in _splits(corpus).items()
    }
    data = {name: fingerprint(part) for name, part in {**splits, "labelled twice": twice}.items() if part}
    counts = Counter(token for part in _splits(corpus).values() for sentence in part for token in sentence.tokens)
    given = context.given or GivenInputs(
        given_vectors(recipe, counts, context.watch), given_context(recipe, context.watch)
    )
    network = NetworkSpec(recipe.network, given.vectors, None, recipe.bilstm.finetune_vectors)
    task = _task(splits, recipe, network, context)
    if twice:
        task = replace(task, pairs=encode_pairs(twice, task.corpus.labels))
    chosen.method.check(task, chosen.settings)
    run = open_run(destination.path, recipe, data, resume=destination.resume, overwrite=destination.overwrite)
    refuse_finished(run)
    write_given(run, task.sentences)
    cost = FeatureCost()
    if given.context is not None:
        stored, cost = _stored(given.context, splits, run, context)
        task = _with_context(task, stored)
    plan = Plan(chosen.method.plan(task, chosen.settings))
    jobs = JobRunner(run.jobs, context.engine, each_once(context.watch), context.report, plan)
    learned = chosen.method.train(task, chosen.settings, jobs)
    result = replace(finished_run(run, chosen.name, task, learned, splits["test"], context.watch), feature_cost=cost)
    finish(run, result.summary(), keep_jobs=destination.keep_jobs)
    return result


def _with_trusted(corpus: Corpus, watch: Watch) -> Corpus:
    """Return the corpus with its trusted sentences among the training sentences."""
    if not corpus.trusted:
        return corpus
    return replace(corpus, train=with_trusted(corpus.train, corpus.trusted, watch))


def _splits(corpus: Corpus) -> dict[str, Sequence[Sentence]]:
    return {"train": corpus.train, "dev": corpus.dev, "test": corpus.test}


def _task(splits: Mapping[str, Sequence[Sentence]], recipe: Recipe, network: NetworkSpec, context: RunContext) -> Task:
    """Return what the method is given; a corpus that gives nothing to learn from is refused."""
    sentences = splits["train"]
    types = types_to_learn(sentences)
    scheme = Survey().add(sentences).scheme.scheme
    corpus = encode(sentences, LabelSet.of(types, Scheme.IOBES))
    batch_size = _batch_size(recipe.training, corpus.lengths, context.watch)
    return Task(sentences, splits["dev"], corpus, scheme, network, recipe.training, batch_size)


def _batch_size(settings: TrainingSettings, lengths: Sequence[int], watch: Watch) -> int:
    """Return how many sentences a step takes: fewer than the settings say where sentences are long."""
    if not settings.batch_tokens or settings.batches != "bucketed":
        return settings.batch_size
    size = suited_size(settings.batch_size, lengths, settings.batch_tokens)
    if size < settings.batch_size:
        bound = f"training.batch_tokens={settings.batch_tokens}"
        watch(Note("info", "long sentences", f"{size} per step instead of {settings.batch_size} ({bound})"))
    return size


def _stored(
    frozen: FrozenContext, splits: Mapping[str, Sequence[Sentence]], run: RunFolder, context: RunContext
) -> tuple[Context, FeatureCost]:
    tokens = (sentence.tokens for sentence in chain.from_iterable(splits.values()))
    cache = FeatureCache(features_folder(), features_limit(), context.watch)
    return stored_context(frozen, tokens, run.context, context.engine, context.report, cache)


def _with_context(task: Task, context: Context) -> Task:
    return replace(task, network=replace(task.network, context=context))
