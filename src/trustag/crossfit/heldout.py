"""Out-of-fold predictions for the labels as given, and the noise rates that follow from them."""

import torch

from trustag.crossfit.folds import HiddenLabels, draw_folds
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.rounds import FoldModels, fold_jobs
from trustag.crossfit.settings import FoldSettings
from trustag.noise_rates.estimates import EstimatedRates
from trustag.noise_rates.estimation import estimate_noise_rates
from trustag.noise_rates.rates import FoundRates, NoiseRates
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels, ObjectiveSpec
from trustag.training.stages import Stage
from trustag.training.task import Task


def heldout_stage(task: Task, settings: FoldSettings, name: str, title: str) -> Stage:
    """Return the stage in which :func:`predict_heldout` trains its models."""
    sentences = len(task.corpus)
    folds = min(settings.count, sentences)
    share = (folds - 1) / folds
    epochs = task.planned_epochs(round(sentences * share), settings.epochs or None)
    purpose = "Each model predicts the part of the corpus that it was not trained on."
    return Stage(name, title, purpose, folds, epochs, share)


def predict_heldout(
    task: Task, jobs: Jobs, settings: FoldSettings, name: str, objective: ObjectiveSpec | None = None
) -> OutOfFoldPredictions:
    """Return what models say of all labels that they did not see, in the stage ``name``.

    They learn the other labels as given unless there is another ``objective``.
    """
    folds = draw_folds(task.corpus, settings.count, task.seed, 0, HiddenLabels.none(task.corpus))
    models = FoldModels(objective or GivenLabels(), settings.epochs or None, settings.finetune_vectors)
    trainings = fold_jobs(task, task.corpus, folds, models, name)
    results = jobs.run(name, trainings)
    found = [results[fold] for fold in trainings]
    return OutOfFoldPredictions(task.corpus, folds, found, legal_only=task.network.legal_only)


def contradicted(predictions: OutOfFoldPredictions) -> EstimatedRates:
    """Return the rates that follow from what models say of labels they did not see."""
    lengths = predictions.corpus.lengths
    tables = [table.numpy() for table in torch.split(predictions.probabilities(None), lengths)]
    given = [row.numpy() for row in torch.split(predictions.ranked_ids, lengths)]
    return estimate_noise_rates(given, tables, predictions.corpus.labels)


def estimated_rates(predictions: OutOfFoldPredictions) -> FoundRates:
    """Return the noise rates of the corpus with their ranges, one for ``O`` and one for entity labels."""
    found = contradicted(predictions)
    negative, positive = found.negative, found.positive
    return FoundRates(
        "auto",
        NoiseRates(negative.estimate, positive.estimate).capped(),
        (negative.low, negative.high),
        (positive.low, positive.high),
    )
