"""The noise rates of a task: given, measured on gold, searched on dev, or estimated from the noisy labels alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import torch

from trustag.crf import legal_transitions
from trustag.crossfit.folds import Folds, HiddenLabels, draw_folds
from trustag.crossfit.heldout import contradicted
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.rounds import FoldModels, also_predicting, fold_jobs
from trustag.data.encoded_corpus import encode_gold
from trustag.errors import InputError
from trustag.methods.confidence.dev_ranges import ShortModels, with_honest_ranges
from trustag.methods.confidence.hidden_labels import SuspiciousLabels
from trustag.methods.confidence.objective import ConfidentLabels
from trustag.methods.confidence.rate_search import search_on_dev
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.noise_rates.counting import CountedLabels
from trustag.noise_rates.dev_errors import imitated_noise_rates, with_contradicted
from trustag.noise_rates.estimates import EstimatedRates, Rate
from trustag.noise_rates.gold_rates import gold_rates
from trustag.noise_rates.rates import NO_NOISE, PAIRS, SOURCES, FoundRates, NoiseRates, TruncatedEntityCounts
from trustag.noise_rates.signs import NoiseSigns
from trustag.noise_rates.stated_rates import stated_rates
from trustag.noise_rates.visible_rates import all_rates
from trustag.training.fit_results import FitResult
from trustag.training.jobs import Jobs
from trustag.training.task import Task

RATES: Final = "rates"
TRUNCATED: Final = "judges"
"""Names of trainings, which feed their seeds."""


@dataclass(frozen=True, slots=True)
class RatesOfTask:
    """The noise rates, the labels that stay hidden from every fold model, and the points of a search.

    ``signs`` of the kind of noise, and ``models`` of the folds of the first round, are there where models were trained
    for the rates.
    """

    found: FoundRates
    hidden: HiddenLabels
    search: Sequence[Mapping[str, Any]] = ()
    signs: NoiseSigns | None = None
    models: Sequence[FitResult] = ()


def check_source(task: Task, settings: ConfidenceSettings) -> None:
    """Refuse, before any work, to search without dev or to measure without gold."""
    source, remedy = settings.rates.source, "or use method.rates.source=auto"
    if source in {"searched", "dev"} and not task.dev:
        raise InputError(f"method.rates.source={source} needs a dev split", remedy=f"give --dev, {remedy}")
    if source == "oracle" and task.corpus.gold_ids is None:
        raise InputError("there is no gold column to measure noise on", remedy=f"give one, {remedy}")
    if settings.parity.later_rates == "measured":
        gold_rates(task.corpus)  # without gold it is better to stop before any training


def truncated_entities_apart(settings: ConfidenceSettings) -> bool:
    """Tell whether truncated entities need models of their own, since no noise rates are estimated."""
    return settings.truncated_entities == "auto" and settings.rates.source in {"given", "searched"}


def find_rates(task: Task, settings: ConfidenceSettings, jobs: Jobs) -> RatesOfTask:
    """Return the noise rates that the settings ask for."""
    suspicious, rates = SuspiciousLabels(task, settings), settings.rates
    if rates.source == "auto":
        return _estimated(task, settings, jobs, suspicious)
    if rates.source == "dev":
        return _shown_on_dev(task, settings, jobs, suspicious)
    if rates.source == "oracle":
        gold = task.corpus.gold_ids
        counts = None if gold is None else suspicious.counts(task.corpus.unreviewed_ids, gold)
        measured = gold_rates(task.corpus, rates.rates_per).capped()
        return RatesOfTask(FoundRates("oracle", measured, truncated_entities=counts), suspicious.decided(counts))
    counts = _asked(task, settings, jobs, suspicious)
    hidden = suspicious.decided(counts)
    if rates.source == "given":
        given = NoiseRates(rates.negative, rates.positive)
        return RatesOfTask(FoundRates("given", given, truncated_entities=counts), hidden)
    best, points = search_on_dev(task, settings, jobs, _folds(task, settings, hidden))
    return RatesOfTask(FoundRates("searched", best, truncated_entities=counts), hidden, points)


def _asked(
    task: Task, settings: ConfidenceSettings, jobs: Jobs, suspicious: SuspiciousLabels
) -> TruncatedEntityCounts | None:
    """Return what models make of truncated entities that are trained for nothing else, where that is asked for."""
    if not truncated_entities_apart(settings):
        return None
    folds = _folds(task, settings, suspicious.all())
    trainings = fold_jobs(task, task.corpus, folds, _short_models(settings), TRUNCATED)
    results = jobs.run(TRUNCATED, trainings)
    predictions = _predictions(task, folds, [results[name] for name in trainings])
    return suspicious.counts(task.corpus.unreviewed_ids, predictions.best_labels(None))


def _estimated(task: Task, settings: ConfidenceSettings, jobs: Jobs, suspicious: SuspiciousLabels) -> RatesOfTask:
    """Return rates estimated from what models say of labels they did not see, after a short training.

    Rates that are known better take their place, such as those counted on sentences labelled twice; else dev, where
    there is one, bounds them.
    """
    models = _trained(task, settings, jobs, suspicious)
    completed = _completed("auto", contradicted(models.predictions), settings, models.predictions, suspicious)
    known = _counted(task, settings) or _stated(task, settings)
    if known is None:
        return replace(completed, found=with_honest_ranges(task, completed.found, models))
    return replace(completed, found=replace(known, truncated_entities=completed.found.truncated_entities))


def _trained(task: Task, settings: ConfidenceSettings, jobs: Jobs, suspicious: SuspiciousLabels) -> ShortModels:
    """Train short fold models, and return what each says of what it did not see, and of dev."""
    folds = _folds(task, settings, suspicious.all())
    trainings = fold_jobs(task, task.corpus, folds, _short_models(settings), RATES)
    results = jobs.run(RATES, also_predicting(trainings, [sentence.tokens for sentence in task.dev]))
    on_folds, on_dev = [], []
    for fold, name in enumerate(trainings):
        outputs, own = results[name].outputs, len(folds.heldout_indices(fold))
        on_dev.append(outputs.of(range(own, len(outputs.lengths))))
        on_folds.append(replace(results[name], outputs=outputs.of(range(own))))
    return ShortModels(_predictions(task, folds, on_folds), on_dev)


def _counted(task: Task, settings: ConfidenceSettings) -> FoundRates | None:
    """Return the rates counted on sentences that are labelled twice; None where these are too few."""
    if task.pairs is None:
        return None
    pairs = CountedLabels(task.pairs.given, task.pairs.clean, task.pairs.lengths, task.corpus.labels)
    if not pairs.are_enough:
        return None
    found = _known(PAIRS, pairs.rates(), settings)
    return replace(found, kinds=pairs.kinds(), pairs=len(task.pairs.lengths))


def _stated(task: Task, settings: ConfidenceSettings) -> FoundRates | None:
    """Return the rates that follow from the probabilities of merged labels; None where none are stated."""
    rates = stated_rates(task.corpus)
    return None if rates is None else _known(SOURCES, rates, settings)


def _known(source: str, rates: EstimatedRates, settings: ConfidenceSettings) -> FoundRates:
    negative, positive = rates.negative, rates.positive
    return FoundRates(
        source,
        NoiseRates(negative.estimate, positive.estimate, _by_group(rates, settings)).capped(),
        (negative.low, negative.high),
        (positive.low, positive.high),
    )


def _shown_on_dev(task: Task, settings: ConfidenceSettings, jobs: Jobs, suspicious: SuspiciousLabels) -> RatesOfTask:
    """Return rates that models of the noisy labels show on the dev split, whose labels must be clean."""
    labels = task.corpus.labels
    models = _trained(task, settings, jobs, suspicious)
    clean = encode_gold((sentence.labels for sentence in task.dev), labels)
    legal = legal_transitions(labels.labels, labels.scheme)
    imitated = []
    for on_dev in models.on_dev:
        imitated += [row.numpy() for row in torch.split(on_dev.legal(legal).best_labels(), list(on_dev.lengths))]
    rows = [row.numpy() for row in clean] * len(models.on_dev)
    repeated = imitated_noise_rates(imitated, rows, labels)
    estimated = with_contradicted(repeated, contradicted(models.predictions))
    return _completed("dev", estimated, settings, models.predictions, suspicious)


def _completed(
    source: str,
    estimated: EstimatedRates,
    settings: ConfidenceSettings,
    predictions: OutOfFoldPredictions,
    suspicious: SuspiciousLabels,
) -> RatesOfTask:
    """Return rates that were estimated for visible labels as those of all labels."""
    corpus = predictions.corpus
    counts = suspicious.counts(corpus.unreviewed_ids, predictions.best_labels(None))
    hidden = suspicious.decided(counts)
    by_group = _by_group(estimated, settings)

    def of_all(negative: float, positive: float) -> NoiseRates:
        rates = NoiseRates(negative, positive, by_group)
        return all_rates(rates, corpus.label_ids, hidden.any, corpus.labels)

    middle = NoiseRates(estimated.negative.estimate, estimated.positive.estimate).capped()
    low = of_all(estimated.negative.low, estimated.positive.low)
    high = of_all(estimated.negative.high, estimated.positive.high)
    found = FoundRates(
        source,
        of_all(middle.negative, middle.positive),
        (low.negative, high.negative),
        (low.positive, high.positive),
        counts,
    )
    return RatesOfTask(found, hidden, signs=predictions.noise_signs(), models=predictions.results)


def _by_group(estimated: EstimatedRates, settings: ConfidenceSettings) -> Mapping[str, float]:
    kinds: Mapping[str, Mapping[str, Rate]] = {"none": {}, "type": estimated.by_type, "label": estimated.by_label}
    rates = {name: rate.estimate for name, rate in kinds[settings.rates.rates_per].items()}
    return NoiseRates(0.0, 0.0, rates).capped().by_group


def _predictions(task: Task, folds: Folds, results: Sequence[FitResult]) -> OutOfFoldPredictions:
    return OutOfFoldPredictions(task.corpus, folds, results, legal_only=task.network.legal_only)


def _short_models(settings: ConfidenceSettings) -> FoldModels:
    """Return fold models that trust every label and train for a few epochs."""
    objective = ConfidentLabels(NO_NOISE, settings)
    keep = settings.parity.starts == "continued"
    return FoldModels(objective, settings.rates.estimate_epochs, settings.rounds.fold_finetune_vectors, keep=keep)


def _folds(task: Task, settings: ConfidenceSettings, hidden: HiddenLabels) -> Folds:
    return draw_folds(task.corpus, settings.rounds.folds, task.seed, 0, hidden)
