"""Out-of-fold predictions: what models that did not train on a label say of it, for all tokens of the corpus."""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import Tensor

from trustag.confidence.dynamics import Dynamics
from trustag.confidence.probabilities import confidence
from trustag.crf import legal_transitions, one_hot_mask
from trustag.crf.crf_outputs import LabelSequence
from trustag.crossfit.folds import Folds
from trustag.crossfit.tracking import recorded_dynamics
from trustag.data.corpus_outputs import CorpusOutputs
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.label_quality.temperature import fitted_temperature
from trustag.noise_rates.rates import NoiseRates
from trustag.noise_rates.signs import NoiseSigns, noise_signs
from trustag.noise_rates.visible_rates import visible_rates
from trustag.training.fit_results import FitResult


class Part(NamedTuple):
    """Some sentences, by their indices, and the outputs of one model for them."""

    sentences: Sequence[int]
    outputs: CorpusOutputs


@dataclass(frozen=True, slots=True)
class TrainingStatistics:
    """How the models that trained on a label came to see it: their confidence in it over the epochs, (tokens,) each."""

    running_mean: Tensor
    mean: Tensor
    spread: Tensor


@dataclass(frozen=True, slots=True)
class HeldoutStatistics:
    """What models that did not train on a label say of it, and what those say that did.

    ``given`` are the label indices (tokens,), ``probabilities`` out-of-fold label marginals (tokens, labels);
    ``training`` is there where fold models recorded their training.
    """

    given: Tensor
    probabilities: Tensor
    training: TrainingStatistics | None

    def trust(self) -> Tensor:
        """Return how far all models together trust each given label (tokens,); only the order means something."""
        trust = confidence(self.probabilities, self.given)
        return trust if self.training is None else trust + self.training.running_mean


class OutOfFoldPredictions:
    """The outputs of all fold models for what they did not see, addressed by the tokens of the whole corpus.

    With ``legal_only`` illegal label sequences are ruled out. Reviewed labels are taken as known: models are only asked
    about label sequences through them.
    """

    def __init__(
        self, corpus: EncodedCorpus, folds: Folds, results: Sequence[FitResult], *, legal_only: bool = True
    ) -> None:
        self.corpus = corpus
        self.folds = folds
        self.results = results
        self.legal_only = legal_only
        self.parts = [Part(part, result.outputs) for part, result in zip(folds.parts, results, strict=True)]

    def with_model(self, outputs: CorpusOutputs) -> "OutOfFoldPredictions":
        """Return the ensemble with one more model, whose outputs are for the whole corpus."""
        joined = copy(self)
        joined.parts = [Part(part, own.mean_with([outputs.of(part)])) for part, own in self.parts]
        return joined

    @property
    def ranked_ids(self) -> Tensor:
        """The labels that are ranked by confidence (tokens,): visible and unreviewed; ``NO_LABEL`` for the others."""
        return self.corpus.unreviewed_ids.masked_fill(self.folds.hidden.any, NO_LABEL)

    def visible_rates(self, rates: NoiseRates) -> NoiseRates:
        """Return the noise rates of the ranked labels, if ``rates`` are those of all."""
        return visible_rates(rates, self.corpus.label_ids, self.folds.hidden.any, self.corpus.labels)

    def statistics(self, ema_decay: float) -> HeldoutStatistics:
        """Return what is known of every given label; confidence of earlier epochs fades with ``ema_decay``."""
        given, probabilities = self.corpus.label_ids, self.probabilities(None)
        training = self._training_statistics(ema_decay, confidence(probabilities, given))
        return HeldoutStatistics(given, probabilities, training)

    def probabilities(self, allowed: Tensor | None) -> Tensor:
        """Return label marginals (tokens, labels) over the label sequences inside ``allowed`` (tokens, labels)."""
        found = torch.empty(len(self.corpus.label_ids), len(self.corpus.labels))
        known = self._with_reviewed(allowed)
        for own, outputs in self._outputs():
            found[own] = outputs.marginals(None if known is None else known[own])
        return found

    def best_labels(self, allowed: Tensor | None) -> Tensor:
        """Return the labels on the best paths inside ``allowed``: (tokens,)."""
        found = torch.empty_like(self.corpus.label_ids)
        known = self._with_reviewed(allowed)
        for own, outputs in self._outputs():
            found[own] = outputs.best_labels(None if known is None else known[own])
        return found

    def probabilities_of(self, sequences: Sequence[LabelSequence]) -> list[float]:
        """Return how probable each label sequence is to the model that did not see its sentence."""
        known = self._with_reviewed(None)
        found = [0.0] * len(sequences)
        for part, (own, outputs) in zip(self.parts, self._outputs(), strict=True):
            number = {sentence: index for index, sentence in enumerate(part.sentences)}
            here = [index for index, sequence in enumerate(sequences) if sequence.sentence in number]
            asked = [replace(sequences[index], sentence=number[sequences[index].sentence]) for index in here]
            values = outputs.probabilities_of(asked, None if known is None else known[own])
            for index, value in zip(here, values, strict=True):
                found[index] = value
        return found

    def agreement(self, label_ids: Tensor) -> Tensor | None:
        """Return in which share of their epochs models trained on a token preferred ``label_ids``, where recorded."""
        agreed = (self.best_labels(None) == label_ids).float()[None]
        found = self._mean_of_training(lambda dynamics, indices: dynamics.held(label_ids[indices])[None], agreed)
        return None if found is None else found[0]

    def temperature(self, wrong: Tensor) -> float:
        """Return the temperature at which these models are as sure as they should be, if labels are so likely wrong."""
        labels = self.corpus.unreviewed_ids
        return fitted_temperature([(outputs, labels[own], wrong[own]) for own, outputs in self._outputs()])

    def noise_signs(self) -> NoiseSigns:
        """Return what these predictions show of the kind of noise in the unreviewed labels."""
        entity = 1 - self.probabilities(None)[:, 0]
        words = (word for tokens in self.corpus.tokens for word in tokens)
        return noise_signs(words, self.corpus.unreviewed_ids.numpy(), entity.numpy())

    def _with_reviewed(self, allowed: Tensor | None) -> Tensor | None:
        return with_reviewed(allowed, self.corpus)

    def _outputs(self) -> list[tuple[Tensor, CorpusOutputs]]:
        labels = self.corpus.labels
        legal = legal_transitions(labels.labels, labels.scheme)
        return [
            (self.corpus.token_indices(part), outputs.legal(legal) if self.legal_only else outputs)
            for part, outputs in self.parts
        ]

    def _training_statistics(self, ema_decay: float, heldout: Tensor) -> TrainingStatistics | None:
        found = self._mean_of_training(
            lambda dynamics, _: torch.stack([dynamics.running_mean(ema_decay), dynamics.mean(), dynamics.spread()]),
            torch.stack([heldout, heldout, torch.zeros_like(heldout)]),
        )
        return None if found is None else TrainingStatistics(*found)

    def _mean_of_training(self, look: Callable[[Dynamics, Tensor], Tensor], otherwise: Tensor) -> Tensor | None:
        """Return rows of statistics, (rows, tokens): the mean over all models that trained on a label.

        A label that no model saw has the values of ``otherwise``. None where no record was kept.
        """
        totals, models = torch.zeros_like(otherwise), torch.zeros(len(self.corpus.label_ids))
        for fold, result in enumerate(self.results):
            dynamics = recorded_dynamics(result.record)
            if dynamics is None:
                return None
            indices = self.corpus.token_indices(self.folds.train_indices(fold))
            visible = ~self.folds.hidden.any[indices]
            totals[:, indices[visible]] += look(dynamics, indices)[:, visible]
            models[indices[visible]] += 1
        return torch.where(models > 0, totals / models, otherwise)


def allowed_by(fixed: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return the labels each token may have (tokens, labels): its given one where ``fixed`` (tokens,), else any."""
    return one_hot_mask(corpus.label_ids, len(corpus.labels)) | ~fixed[:, None]


def with_reviewed(allowed: Tensor | None, corpus: EncodedCorpus) -> Tensor | None:
    """Return ``allowed`` with the given label alone wherever that was reviewed; None where nothing is ruled out."""
    reviewed = corpus.reviewed
    if not reviewed.any():
        return allowed
    known = allowed_by(reviewed, corpus)
    return known if allowed is None else torch.where(reviewed[:, None], known, allowed)
