"""What rounds of self-training found of the labels, in the form that every method reports it."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import torch
from torch import Tensor

from trustag.confidence.probabilities import confidence
from trustag.confidence.selection import Dropping, label_groups, ranked_labels
from trustag.crossfit.folds import Folds, HiddenLabels
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.crossfit.rounds import Round, RoundPlan
from trustag.crossfit.trusted_models import TrustedModels
from trustag.issues.evidence import LabelEvidence
from trustag.label_quality.analysis import LabelFindings, NewLabels
from trustag.noise_rates.estimates import EstimatedRates
from trustag.noise_rates.expected import expected_rates
from trustag.noise_rates.rates import PAIRS, FoundRates, NoiseRates
from trustag.training.task import Task


def kept_round(rounds: Sequence[Round], rule: Literal["best", "last"]) -> Round:
    """Return the round with the best dev F1, the earliest of equals; the last one without dev or where asked for."""
    if rule == "last" or any(done.final.dev_f1 is None for done in rounds):
        return rounds[-1]
    return max(rounds, key=lambda done: done.final.dev_f1 or 0.0)


def label_findings(rounds: Sequence[Round], kept: Round, plan: RoundPlan, rates: FoundRates) -> LabelFindings:
    """Return what the models of ``kept`` and of the first round say of the labels as given.

    The final model knows more than each fold model; it has seen the labels, but not those that were distrusted, and
    joins the ensemble. Only models of the first round were trained on the labels as given.
    """
    ensemble = kept.predictions.with_model(kept.final.outputs)
    statistics = kept.relabelled.statistics
    training = statistics.training
    evidence = LabelEvidence(
        given=statistics.given,
        probabilities=ensemble.probabilities(None),
        best_labels=ensemble.best_labels,
        probabilities_of=ensemble.probabilities_of,
        training_confidence=None if training is None else training.mean,
        agreement=rounds[0].predictions.agreement,
        known_wrong=plan.hidden.as_outside,
    )
    return LabelFindings(
        noise_rates=rates,
        evidence=evidence,
        heldout=statistics.probabilities,
        suggested=kept.relabelled.suggested,
        trusted=_trusted(kept),
        new_labels=[
            NewLabels(done.number, done.relabelled.label_ids, done.relabelled.statistics.probabilities)
            for done in rounds
        ],
        kept_round=kept.number,
        spread=None if training is None else training.spread,
        temperature=kept.predictions.temperature,
    )


def findings_of_trusted(task: Task, found: LabelFindings, models: TrustedModels) -> LabelFindings:
    """Return what the models of trusted sentences say of all labels, in place of what was ``found`` without them.

    They have not learned the labels that they disagree with, and know the systematic errors that models of the noisy
    labels repeat. The kept round gets the labels that they predict.
    """
    corpus = task.corpus
    everything = Folds([range(len(corpus))], HiddenLabels.none(corpus))
    tuned, agreed = (
        OutOfFoldPredictions(corpus, everything, [model], legal_only=task.network.legal_only) for model in models
    )
    given, probabilities = corpus.label_ids, agreed.probabilities(None)
    suggested = agreed.best_labels(None)
    new = NewLabels(found.kept_round, suggested, probabilities)
    rows = [confidence(table, given).double().numpy() for table in (tuned.probabilities(None), probabilities)]
    rates = expected_rates(corpus.unreviewed_ids.numpy(), rows, corpus.lengths, corpus.labels)
    return LabelFindings(
        noise_rates=_expected(rates, found.noise_rates),
        evidence=LabelEvidence(given, probabilities, agreed.best_labels, agreed.probabilities_of),
        heldout=probabilities,
        suggested=suggested,
        trusted=corpus.reviewed | (suggested == given),
        new_labels=[new if own.round == found.kept_round else own for own in found.new_labels],
        kept_round=found.kept_round,
        temperature=agreed.temperature,
    )


def _expected(rates: EstimatedRates, found: FoundRates) -> FoundRates:
    """Return the rates that models of trusted sentences expect, unless those ``found`` before were counted."""
    if found.source == PAIRS:
        return found
    by_label = {name: rate.estimate for name, rate in rates.by_label.items()}
    return FoundRates(
        "trusted",
        NoiseRates(rates.negative.estimate, rates.positive.estimate, by_label).capped(),
        (rates.negative.low, rates.negative.high),
        (rates.positive.low, rates.positive.high),
        found.truncated_entities,
    )


def _trusted(done: Round) -> Tensor:
    """Return which labels stay trusted at the noise rates of a round: (tokens,)."""
    predictions = done.predictions
    corpus = predictions.corpus
    dropping = Dropping(label_groups(corpus.labels, predictions.visible_rates(done.rates)), ramp=1)
    return corpus.reviewed | ranked_labels(
        done.relabelled.statistics.trust(), predictions.ranked_ids, dropping, epoch=0
    )


def round_records(rounds: Sequence[Round]) -> list[Mapping[str, Any]]:
    """Return one record for each round, as ``rounds.jsonl`` keeps it; the number of changes is still to be added."""
    return [
        {
            "round": done.number,
            "rates": {
                "negative": done.rates.negative,
                "positive": done.rates.positive,
                "by_group": dict(done.rates.by_group),
            },
            "fold_dev_f1": [result.dev_f1 for result in done.fold_results],
            "fold_kept_epochs": [result.kept_epoch.epoch for result in done.fold_results],
            "fold_distrusted": [
                {name: share for name, share in result.kept_epoch.facts.items() if name.startswith("distrusted_")}
                for result in done.fold_results
            ],
            "final_dev_f1": done.final.dev_f1,
            "final_kept_epoch": done.final.kept_epoch.epoch,
            "fixed": int(torch.sum(done.relabelled.fixed)),
        }
        for done in rounds
    ]
