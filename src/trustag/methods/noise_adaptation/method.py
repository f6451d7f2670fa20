"""Noise adaptation: where the matrix starts, the training, and what it says of the labels."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from trustag.confidence.probabilities import confidence
from trustag.crossfit.model_findings import expected_noise
from trustag.data.corpus_outputs import label_scores
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, encode_gold
from trustag.errors import InputError
from trustag.issues.evidence import evidence_from_probabilities
from trustag.label_quality.analysis import LabelFindings
from trustag.methods.base import Learned, check_softmax
from trustag.methods.noise_adaptation.adapted_labels import AdaptedLabels
from trustag.methods.noise_adaptation.confusion_layer import clean_posterior, counted_start, identity_start
from trustag.methods.noise_adaptation.settings import NoiseAdaptationSettings
from trustag.noise_rates.rates import FoundRates
from trustag.notes import Note
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Sentence
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Stage
from trustag.training.task import Task

RATE_SOURCE: Final = "expected under the learned confusion matrix, by a model that has seen the labels"
_PRETRAINING: Final = "pretraining"
_MODEL: Final = "model"
_SHOWN: Final = 0.005


class NoiseAdaptation:
    """Trains a softmax tagger and a confusion matrix together."""

    summary = "Learn a confusion matrix between clean and noisy labels together with the tagger."
    Settings = NoiseAdaptationSettings

    def check(self, task: Task, settings: NoiseAdaptationSettings) -> None:
        """Refuse a CRF, which has no probabilities of single tokens to confuse, and a paired start without dev."""
        check_softmax(task, "noise-adaptation")
        if settings.start == "paired" and task.pairs is None and len(task.dev) < 2:
            remedy = "give --dev, or use method.start=identity or method.start=pretrained"
            finding = "method.start=paired needs sentences that are labelled twice, or a dev split of at least 2"
            raise InputError(finding, remedy=remedy)

    def plan(self, task: Task, settings: NoiseAdaptationSettings) -> Sequence[Stage]:
        """Return one training, after a shorter one where the matrix starts from the confusions of a model."""
        sentences = len(task.corpus)
        purpose = "One model and its confusion matrix learn from the labels as given."
        stages = [Stage(_MODEL, "Training", purpose, 1, task.planned_epochs(sentences))]
        if _needs_model(task, settings):
            purpose = "A model of the labels as given shows how the confusion matrix should start."
            epochs = task.planned_epochs(sentences, settings.pretrain_epochs)
            stages.insert(0, Stage(_PRETRAINING, "How are labels confused?", purpose, 1, epochs))
        return stages

    def train(self, task: Task, settings: NoiseAdaptationSettings, jobs: Jobs) -> Learned:
        """Find the matrix to start from, train, and assess the labels with what was learned."""
        corpus = task.corpus
        clean: Sequence[Sentence] = ()
        if settings.start == "paired" and task.pairs is None:
            clean, rest = clean_sample(task.dev, settings.clean_share, task.seed)
            task = replace(task, dev=rest)
            detail = f"{len(clean)} of {len(clean) + len(rest)} dev sentences, the others select the epoch"
            jobs.watch(Note("info", "confusion counted on clean sentences", detail))
        objective = AdaptedLabels(_start(task, clean, settings, jobs), settings)
        job = Job(task.fit(objective), corpus.tokens, keeps_model=True)
        result = jobs.run(_MODEL, {_MODEL: job})[_MODEL]
        matrix = result.record["matrices"][result.kept_epoch.epoch]
        findings = _findings(corpus, label_scores(result.outputs), matrix)
        return Learned(result, findings, facts={"confusion": _by_name(corpus, matrix)})


def clean_sample(dev: Sequence[Sentence], share: float, seed: int) -> tuple[list[Sentence], list[Sentence]]:
    """Return a random ``share`` of at least two ``dev`` sentences, and the others; neither part is empty."""
    size = min(max(round(share * len(dev)), 1), len(dev) - 1)
    order = SeededRandom(seed, "clean sample").shuffled(dev)
    return order[:size], order[size:]


def _needs_model(task: Task, settings: NoiseAdaptationSettings) -> bool:
    """Tell whether the matrix starts from the confusions of a model."""
    return settings.start == "pretrained" or (settings.start == "paired" and task.pairs is None)


def _start(task: Task, clean: Sequence[Sentence], settings: NoiseAdaptationSettings, jobs: Jobs) -> Tensor:
    """Return the confusion matrix before training (labels, labels), rows clean and columns noisy.

    Sentences that are labelled twice show it as it is. Otherwise a model of the noisy labels labels ``clean`` sentences
    as the noisy source would; without these its predictions on the training sentences stand for the clean labels.
    """
    corpus = task.corpus
    identity = identity_start(len(corpus.labels), settings.epsilon)
    if settings.start == "paired" and task.pairs is not None:
        pairs = torch.from_numpy(task.pairs.clean), torch.from_numpy(task.pairs.given)
        return counted_start(*pairs, identity)
    if not _needs_model(task, settings):
        return identity
    tokens = [sentence.tokens for sentence in clean] or corpus.tokens
    fit = task.fit(GivenLabels(), seed_name=_PRETRAINING, epochs=settings.pretrain_epochs)
    pretrained = jobs.run(_PRETRAINING, {_PRETRAINING: Job(fit, tokens)})[_PRETRAINING]
    predicted = label_scores(pretrained.outputs).argmax(-1)
    if not clean:
        return counted_start(predicted, corpus.unreviewed_ids, identity)
    truth = torch.cat(encode_gold([sentence.labels for sentence in clean], corpus.labels))
    return counted_start(truth, predicted, identity)


def _findings(corpus: EncodedCorpus, logits: Tensor, matrix: Tensor) -> LabelFindings:
    posterior = clean_posterior(logits.softmax(-1), matrix, corpus)
    evidence = evidence_from_probabilities(corpus, posterior)
    rates = FoundRates(RATE_SOURCE, expected_noise(corpus, posterior))
    trusted = (corpus.label_ids != NO_LABEL) & (confidence(posterior, corpus.label_ids) >= 0.5)
    return LabelFindings.of_one_model(rates, evidence, posterior, trusted, evidence.best_labels(None))


def _by_name(corpus: EncodedCorpus, matrix: Tensor) -> dict[str, dict[str, float]]:
    """Return the noisy labels that each clean label becomes, with their probabilities where these are not tiny."""
    rows = [dict(zip(corpus.labels, row, strict=True)) for row in matrix.tolist()]
    shown = ({noisy: round(value, 4) for noisy, value in row.items() if value >= _SHOWN} for row in rows)
    return dict(zip(corpus.labels, shown, strict=True))


METHOD: Final = NoiseAdaptation()
