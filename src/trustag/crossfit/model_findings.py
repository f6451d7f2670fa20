"""What models say of the labels that they learned or were kept from, where a method trains a few of them once."""

from dataclasses import replace

import torch
from torch import Tensor

from trustag.confidence.probabilities import confidence
from trustag.crossfit.folds import Folds, HiddenLabels
from trustag.crossfit.predictions import OutOfFoldPredictions, allowed_by
from trustag.crossfit.tracking import recorded_dynamics
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.issues.evidence import LabelEvidence
from trustag.label_quality.analysis import LabelFindings, NewLabels
from trustag.noise_rates.rates import FoundRates, NoiseRates
from trustag.training.fit_results import FitResult
from trustag.training.task import Task

EXPECTED: str = "expected by a model that has seen the labels"


def findings_of_model(
    task: Task,
    model: FitResult,
    trusted: Tensor | None = None,
    rates: FoundRates | None = None,
    fixed: Tensor | None = None,
) -> LabelFindings:
    """Return what one ``model`` says of all labels, those it was trained on included.

    ``trusted`` (tokens,) are by default those that it gives at least half of the probability. New labels keep those
    that are ``fixed`` (tokens,), by default the reviewed ones. Without ``rates`` as many labels are wrong as the model
    expects. Its training confidence is evidence where it was recorded.
    """
    corpus = task.corpus
    everything = Folds([range(len(corpus))], HiddenLabels.none(corpus))
    predictions = OutOfFoldPredictions(corpus, everything, [model], legal_only=task.network.legal_only)
    own = rates or FoundRates(EXPECTED, expected_noise(corpus, predictions.probabilities(None)))
    found = findings_of_heldout(predictions, None, trusted, own, fixed)
    # It has seen the labels, so that nothing says how sure it should be of them.
    found = replace(found, temperature=lambda _: 1.0)
    dynamics = recorded_dynamics(model.record)
    if dynamics is None or dynamics.scores.shape[1] != len(corpus.label_ids):
        return found
    evidence = replace(found.evidence, training_confidence=dynamics.mean(), agreement=dynamics.held)
    return replace(found, evidence=evidence, spread=dynamics.spread())


def findings_of_heldout(
    predictions: OutOfFoldPredictions,
    final: FitResult | None,
    trusted: Tensor | None,
    rates: FoundRates,
    fixed: Tensor | None = None,
) -> LabelFindings:
    """Return what the models of folds and the ``final`` one, which joins the ensemble, say of all labels.

    Labels are ``trusted`` (tokens,) by default if all models together give them at least half of the probability. New
    labels are those of the fold models; they keep what is ``fixed`` (tokens,), by default the reviewed labels.
    """
    corpus = predictions.corpus
    ensemble = predictions if final is None else predictions.with_model(final.outputs)
    heldout, together = predictions.probabilities(None), ensemble.probabilities(None)
    agreed = (corpus.label_ids != NO_LABEL) & (confidence(together, corpus.label_ids) >= 0.5)
    allowed = None if fixed is None else allowed_by(corpus.reviewed | fixed, corpus)
    return LabelFindings(
        noise_rates=rates,
        evidence=LabelEvidence(
            given=corpus.label_ids,
            probabilities=together,
            best_labels=ensemble.best_labels,
            probabilities_of=ensemble.probabilities_of,
        ),
        heldout=heldout,
        suggested=predictions.best_labels(None),
        trusted=corpus.reviewed | (agreed if trusted is None else trusted),
        new_labels=[NewLabels(1, predictions.best_labels(allowed), heldout)],
        kept_round=1,
        temperature=predictions.temperature,
    )


def expected_noise(corpus: EncodedCorpus, probabilities: Tensor) -> NoiseRates:
    """Return the shares of unreviewed labels that are wrong if labels have these ``probabilities`` (tokens, labels)."""
    given, right = corpus.unreviewed_ids, confidence(probabilities, corpus.label_ids)

    def rate(group: Tensor) -> float:
        return float(torch.mean(1 - right[group])) if group.any() else 0.0

    return NoiseRates(rate(given == 0), rate(given > 0)).capped()
