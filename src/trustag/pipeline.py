"""Train on a corpus as a recipe says and leave a run behind: the one entry point of the command line and of Python.

Killed anywhere and resumed, a run ends like an unbroken one.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final

import numpy as np

from trustag.corpora.survey import Survey
from trustag.corpora.trainable import legal_sentences, types_to_learn
from trustag.crossfit.rounds import round_name
from trustag.data.encoded_corpus import encode
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.files.outputs import new_file
from trustag.label_quality.analysis import LabelAnalysis, analyse_labels
from trustag.methods.base import Learned
from trustag.methods.table import choose_method, with_all_settings
from trustag.models.context import Context, FrozenContext
from trustag.models.encoder_kinds import find_encoder
from trustag.models.heads import find_head
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import load_model
from trustag.notes import Note, Watch, each_once, unwatched
from trustag.recipes.settings import Recipe, TrainingSettings
from trustag.runs.corpora import write_given, write_relabelled
from trustag.runs.finishing import finish, refuse_finished
from trustag.runs.folder import RunFolder, fingerprint, open_run, write_metrics, write_records, write_text
from trustag.runs.issue_files import write_issues
from trustag.runs.label_columns import run_labels
from trustag.runs.records import EpochReport
from trustag.runs.writer_lock import LockedEngine, RunLock, only_writer
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.scoring import EntityScores
from trustag.text.sentences import Corpus, Sentence
from trustag.training.batches import suited_size
from trustag.training.context_features import FeatureCost, given_context, stored_context
from trustag.training.fit_results import FitResult, keep_model
from trustag.training.fitting import score
from trustag.training.jobs import JobRunner, RunReport
from trustag.training.stages import Plan
from trustag.training.starting_vectors import given_vectors
from trustag.training.task import Task
from trustag.vectors.feature_cache import FeatureCache, features_folder, features_limit

BASELINE: Final = "baseline"


@dataclass(frozen=True, slots=True)
class Scores:
    """How a model does on dev and test, where there are such splits."""

    dev: EntityScores | None
    test: EntityScores | None

    def summary(self) -> dict[str, dict[str, float] | None]:
        """Return precision, recall and F1, for manifests and screens."""
        return {"dev": _micro(self.dev), "test": _micro(self.test)}


@dataclass(frozen=True, slots=True)
class TrainResult:
    """A finished run: where it is, how each epoch of its model went, its scores, and what was found of the labels.

    ``compared`` are the scores of other models of the run, such as the ``baseline`` that was trained on the labels as
    given; ``analysis`` is there if the method looked at the labels. ``gold_used_for`` says what the gold column of the
    training corpus was used for, if for anything.
    """

    run: RunFolder
    method: str
    sentences: int
    history: tuple[EpochReport, ...]
    scores: Scores
    compared: Mapping[str, Scores] = field(default_factory=dict)
    analysis: LabelAnalysis | None = None
    facts: Mapping[str, object] = field(default_factory=dict)
    gold_used_for: str = ""
    tables: tuple[str, ...] = ()
    feature_cost: FeatureCost = field(default_factory=FeatureCost)

    @property
    def best_epoch(self) -> int:
        """The epoch whose model was kept, counted from 0."""
        return max(entry.epoch for entry in self.history if entry.is_best)

    @property
    def kept(self) -> Mapping[str, Any]:
        """Which of several models was kept, by ``name``, and the ``reason``; empty where there was no choice."""
        found = self.facts.get("kept", {})
        return found if isinstance(found, Mapping) else {}

    @property
    def relabelled(self) -> Scores | None:
        """The scores of the model that learned the new labels, where there is one and it was scored."""
        return None if self.analysis is None else self.compared.get(round_name(self.analysis.round))

    @property
    def baseline(self) -> Scores | None:
        """The scores of the model that was trained on the labels as given, where there is one."""
        return self.compared.get(BASELINE)

    def contents(self) -> dict[str, object]:
        """Return what the files of the run hold, as far as it is at hand, by its name in ``RunFiles``."""
        found: dict[str, object] = {"epochs": self.history}
        if self.analysis is not None:
            columns, relabelled = self.analysis.columns, self.analysis.relabelled
            found |= {"issues": self.analysis.issues, "label_columns": columns}
            found["labels"] = run_labels(columns, relabelled, self.run.confidence, self.run.relabelled.name)
        return found

    def summary(self) -> dict[str, object]:
        """Return what came out, for manifests and screens."""
        found: dict[str, object] = {"best_epoch": self.best_epoch, **self.scores.summary(), **self.facts}
        if self.baseline is not None:
            found[BASELINE] = self.baseline.summary()
        rounds = [scores.summary() for name, scores in self.compared.items() if name != BASELINE]
        if rounds:
            found["rounds"] = rounds
        if self.analysis is not None:
            found["labels"] = self.analysis.summary()
        if self.tables:
            found["tables"] = list(self.tables)
        return found


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
class RunContext:
    """The engine that runs the trainings, and the functions that receive notes and progress."""

    engine: Engine
    watch: Watch = unwatched
    report: Callable[[RunReport], None] = ignore_report


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
    splits = {
        name: legal_sentences(part, recipe.data.on_illegal, name, context.watch)
        for name, part in _splits(corpus).items()
    }
    data = {name: fingerprint(part) for name, part in splits.items() if part}
    counts = Counter(token for part in _splits(corpus).values() for sentence in part for token in sentence.tokens)
    vectors, frozen = given_vectors(recipe, counts, context.watch), given_context(recipe, context.watch)
    task = _task(splits, recipe, NetworkSpec(recipe.network, vectors, None, recipe.bilstm.finetune_vectors), context)
    chosen.method.check(task, chosen.settings)
    run = open_run(destination.path, recipe, data, resume=destination.resume, overwrite=destination.overwrite)
    refuse_finished(run)
    write_given(run, task.sentences)
    cost = FeatureCost()
    if frozen is not None:
        stored, cost = _stored(frozen, splits, run, context)
        task = _with_context(task, stored)
    plan = Plan(chosen.method.plan(task, chosen.settings))
    jobs = JobRunner(run.jobs, context.engine, each_once(context.watch), context.report, plan)
    learned = chosen.method.train(task, chosen.settings, jobs)
    result = replace(_finished(run, chosen.name, task, learned, splits["test"], context.watch), feature_cost=cost)
    finish(run, result.summary(), keep_jobs=destination.keep_jobs)
    return result


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


def _finished(
    run: RunFolder, method: str, task: Task, learned: Learned, test: Sequence[Sentence], watch: Watch
) -> TrainResult:
    """Leave everything that was learned in the run, and score the models."""
    analysis = None
    if learned.labels is not None:
        analysis = analyse_labels(task.sentences, task.corpus, task.scheme, learned.labels)
        _write_analysis(run, analysis, watch)
    for name, records in learned.tables.items():
        write_records(run.table(name), _with_changes(name, records, analysis))
    keep_model(run, learned.model, 1.0 if analysis is None else analysis.temperature)
    write_metrics(run, learned.model.history)
    compared = {name: _scores(model, task, test) for name, model in learned.compared.items()}
    kept = next((compared[name] for name, model in learned.compared.items() if model is learned.model), None)
    return TrainResult(
        run=run,
        method=method,
        sentences=len(task.sentences),
        history=learned.model.history,
        scores=_scores(learned.model, task, test) if kept is None else kept,
        compared=compared,
        analysis=analysis,
        facts=learned.facts,
        tables=tuple(learned.tables),
        gold_used_for=learned.gold_used_for,
    )


def _write_analysis(run: RunFolder, analysis: LabelAnalysis, watch: Watch) -> None:
    write_text(run.rates, json.dumps(analysis.rates.summary(), indent=2) + "\n")
    write_records(run.changes, (asdict(change) for change in analysis.all_changes))
    write_relabelled(run, analysis.relabelled, watch)
    with new_file(run.confidence, overwrite=True) as stream:
        np.savez_compressed(stream, **analysis.columns)  # type: ignore[arg-type] # a name might be allow_pickle, none is
    write_issues(run.issues, analysis.issues)


def _with_changes(
    name: str, records: Sequence[Mapping[str, Any]], analysis: LabelAnalysis | None
) -> list[Mapping[str, Any]]:
    """Return the records of rounds with how many labels each changed; others as they are."""
    if name != "rounds" or analysis is None:
        return list(records)
    return [
        {**record, "changed": changed} for record, changed in zip(records, analysis.changes_by_round(), strict=True)
    ]


def _scores(model: FitResult, task: Task, test: Sequence[Sentence]) -> Scores:
    tagger, evaluator = load_model(model.model, task.network.context), task.training.evaluator
    return Scores(*(score(tagger, split, evaluator) if split else None for split in (task.dev, test)))


def _micro(scores: EntityScores | None) -> dict[str, float] | None:
    if scores is None:
        return None
    return {"precision": scores.micro.precision, "recall": scores.micro.recall, "f1": scores.micro.f1}
