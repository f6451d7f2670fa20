"""The labels of a finished run analysed again from what its models left: the same as at the end of training.

So runs of an earlier version, with another ranking of issues or none, can be measured as well.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from msgspec.structs import asdict

from trustag.corpora.survey import Survey
from trustag.crossfit.findings import label_findings
from trustag.crossfit.folds import HiddenLabels, draw_folds
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.relabelling import relabel
from trustag.crossfit.rounds import Round, RoundPlan, fold_names, round_name
from trustag.data.encoded_corpus import EncodedCorpus, encode
from trustag.errors import InputError
from trustag.label_quality.analysis import LabelAnalysis, analyse_labels
from trustag.methods.confidence.hidden_labels import SuspiciousLabels
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.methods.self_training import SelfTrainingSettings
from trustag.methods.table import choose_method, load_recipe
from trustag.models.network_spec import NetworkSpec
from trustag.models.saving import load_model
from trustag.noise_rates.estimates import Rate
from trustag.noise_rates.kinds import KINDS, KindRates
from trustag.noise_rates.rates import FoundRates, NoiseRates, TruncatedEntityCounts
from trustag.recipes.sections import Section
from trustag.recipes.settings import Recipe
from trustag.runs.reading import RunFiles
from trustag.runs.records import FoundRatesRecord, KindsRecord
from trustag.text.label_sets import LabelSet
from trustag.text.labels import entity_types
from trustag.text.sentences import Sentence
from trustag.training.fit_results import FitResult, read_result
from trustag.training.objectives import GivenLabels
from trustag.training.task import Task


@dataclass(frozen=True, slots=True)
class Reanalysis:
    """A run's labels, analysed again: its sentences, encoded too, and all that was found of the labels.

    ``heldout`` (tokens, labels) are the probabilities of the models that did not see a label.
    """

    sentences: tuple[Sentence, ...]
    corpus: EncodedCorpus
    analysis: LabelAnalysis
    heldout: npt.NDArray[np.float32]


def reanalyse(path: Path) -> Reanalysis:
    """Return what the models of the finished run at ``path`` say of its labels.

    Its method must work in rounds, and it must have kept its corpus and what its trainings left.
    """
    run = RunFiles(path, path.name)
    if run.given is None or run.rates is None or run.manifest.labels is None:
        raise InputError(
            "kept nothing of its labels", where=path, remedy="name a finished run of the confidence method"
        )
    recipe, rates = load_recipe(str(run.folder.recipe)), _found_rates(run.rates)
    task = _task(run.given, recipe)
    plan = _plan(task, choose_method(recipe).settings, rates)
    rounds = _rounds(run, task, plan)
    findings = label_findings(rounds, rounds[run.manifest.labels.round - 1], plan, rates)
    analysis = analyse_labels(task.sentences, task.corpus, task.scheme, findings)
    return Reanalysis(run.given, task.corpus, analysis, findings.heldout.numpy())


def _task(sentences: tuple[Sentence, ...], recipe: Recipe) -> Task:
    """Return the training sentences of a run as its method saw them; nothing will be trained."""
    labels = LabelSet.of(entity_types(label for sentence in sentences for label in sentence.labels))
    network = NetworkSpec(recipe.network, None, None, recipe.bilstm.finetune_vectors)
    scheme = Survey().add(sentences).scheme.scheme
    return Task(sentences, (), encode(sentences, labels), scheme, network, recipe.training, recipe.training.batch_size)


def _found_rates(record: FoundRatesRecord) -> FoundRates:
    truncated = record.truncated_entities
    return FoundRates(
        record.source,
        NoiseRates(record.negative, record.positive, record.by_group),
        record.negative_interval,
        record.positive_interval,
        None if truncated is None else TruncatedEntityCounts(**asdict(truncated)),
        None if record.kinds is None else _kinds(record.kinds),
        record.pairs,
    )


def _kinds(record: KindsRecord) -> KindRates:
    by_type = {name: {kind: Rate(**asdict(rate)) for kind, rate in own.items()} for name, own in record.by_type.items()}
    own = {kind: Rate(**asdict(getattr(record, kind))) for kind in KINDS}
    return KindRates(**own, by_type=by_type)


def _plan(task: Task, settings: Section, rates: FoundRates) -> RoundPlan:
    """Return the rounds of a run as its settings say."""
    if not isinstance(settings, ConfidenceSettings | SelfTrainingSettings):
        raise InputError("its method has no rounds", remedy="name a run of the confidence method or of self-training")
    hidden, ema_decay = HiddenLabels.none(task.corpus), 0.0
    if isinstance(settings, ConfidenceSettings):
        hidden = SuspiciousLabels(task, settings).decided(rates.truncated_entities)
        ema_decay = settings.ema_decay
    return RoundPlan(
        settings=settings.rounds,
        reshuffle=settings.parity.reshuffle,
        ema_decay=ema_decay,
        hidden=hidden,
        rates=lambda _number, _corpus: rates.rates,
        objective=lambda _rates: GivenLabels(),
    )


def _rounds(run: RunFiles, task: Task, plan: RoundPlan) -> list[Round]:
    """Return all rounds of a run, each with the model that the run kept in the end."""
    corpus = task.corpus
    final = FitResult(run.folder.best, (), load_model(run.folder.best).corpus_outputs(corpus.tokens), {})
    rounds: list[Round] = []
    for number, record in enumerate(run.rounds, start=1):
        known = record.rates
        rates = NoiseRates(known.negative, known.positive, known.by_group) if known else plan.rates(number, corpus)
        predictions = _predictions(run, task, plan, number)
        statistics = predictions.statistics(plan.ema_decay)
        if rounds:
            statistics = replace(statistics, training=rounds[0].relabelled.statistics.training)
        relabelled = relabel(predictions, statistics, rates, plan.settings.reannotate)
        rounds.append(Round(number, rates, predictions, relabelled, final))
    return rounds


def _predictions(run: RunFiles, task: Task, plan: RoundPlan, number: int) -> OutOfFoldPredictions:
    corpus = task.corpus
    folds = draw_folds(corpus, plan.settings.folds, task.seed, (number - 1) // plan.reshuffle, plan.hidden)
    head = task.network.settings.model.head
    results = [
        read_result(run.folder.jobs / name, [corpus.tokens[index] for index in folds.heldout_indices(fold)], head)
        for fold, name in enumerate(fold_names(round_name(number), len(folds)))
    ]
    return OutOfFoldPredictions(corpus, folds, results, legal_only=task.network.legal_only)
