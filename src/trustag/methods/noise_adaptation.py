"""Noise adaptation: a confusion matrix on top of a softmax tagger explains the noisy labels while it is trained.

The tagger gives the probability of each clean label, ``p_i = p(clean=i | x)``, the matrix that of each noisy label,
``theta_ij = p(noisy=j | clean=i)``. They are trained together: the loss of a noisy label ``j`` is
``-log sum_i theta_ij p_i``. Predictions use the tagger alone. The matrix is the same for all tokens (Hedderich and
Klakow, 2018) or depends on the features of the token (the baseline of Mayhew et al., 2019).

Labels are assessed by ``p(clean=i | x, noisy=j)``, which is proportional to ``theta_ij p_i``. The tagger has seen these
labels and memorises some of the wrong ones, so this finds fewer errors than out-of-fold predictions would.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import torch
from pydantic import Field
from torch import Tensor, nn

from trustag.confidence.probabilities import confidence
from trustag.crf import one_hot_mask
from trustag.crossfit.model_findings import expected_noise
from trustag.data.corpus_outputs import label_scores
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, encode_gold
from trustag.errors import InputError
from trustag.issues.evidence import evidence_from_probabilities
from trustag.label_quality.analysis import LabelFindings
from trustag.methods.base import Learned, check_softmax
from trustag.models.network import Network
from trustag.noise_rates.rates import FoundRates
from trustag.notes import Note
from trustag.recipes.sections import Count, CountOrNone, PositiveOrNone, Section, Share, advanced
from trustag.seeded_random import SeededRandom
from trustag.text.sentences import Sentence
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import Batch, GivenLabels, StatelessObjective
from trustag.training.schedule import FitSchedule
from trustag.training.stages import Stage
from trustag.training.task import Task

RATE_SOURCE: Final = "expected under the learned confusion matrix, by a model that has seen the labels"
_PRETRAINING: Final = "pretraining"
_MODEL: Final = "model"
_SMALLEST: Final = 1e-8
_SHOWN: Final = 0.005


class NoiseAdaptationSettings(Section):
    """The confusion matrix: what it depends on, where it starts, and how it is kept from taking over."""

    layer: Literal["global", "feature"] = Field(
        default="global", description="one confusion matrix for all tokens, or one computed from the features of each"
    )
    start: Literal["identity", "paired", "pretrained"] = Field(
        default="identity",
        description="the matrix before training: near the identity; or what a model pretrained on the noisy labels "
        "confuses: clean dev labels with its predictions (paired), or its predictions with the noisy labels",
    )
    epsilon: Share = advanced(0.1, "probability that an identity start spreads over all labels")
    anchor: PositiveOrNone = Field(default=0.0, description="reward at each token for the trace of the matrix")
    frozen_epochs: CountOrNone = Field(default=2, description="first epochs of training.epochs with a fixed matrix")
    clean_share: Share = Field(
        default=0.3, description="share of dev that a paired start is counted on; the rest selects the epoch"
    )
    pretrain_epochs: Count = Field(default=5, description="epochs of the model that a paired or pretrained start uses")


class ConfusionLayer(nn.Module):
    """``log theta``, rows clean and columns noisy, ``start`` before training; a function of features if ``width``."""

    def __init__(self, start: Tensor, width: int = 0) -> None:
        super().__init__()
        self.bias = nn.Parameter((start + _SMALLEST).log())
        self.weight = nn.Parameter(start.new_zeros(*start.shape, width)) if width else None

    def forward(self, features: Tensor) -> Tensor:
        """Return the matrix of each token (tokens, labels, labels) for ``features`` (tokens, width)."""
        by_feature = 0.0 if self.weight is None else torch.einsum("tw,ijw->tij", features, self.weight)
        return (self.bias + by_feature).log_softmax(-1).expand(len(features), -1, -1)


def noisy_log_likelihood(log_clean: Tensor, log_confusion: Tensor, noisy: Tensor) -> Tensor:
    """Return ``log sum_i theta_ij p_i`` of the label ``j`` in ``noisy`` (tokens,) of each token: (tokens,).

    ``log_clean`` (tokens, labels) is ``log p``, ``log_confusion`` (tokens, labels, labels) ``log theta``.
    """
    column = log_confusion.gather(2, noisy[:, None, None].expand(-1, log_confusion.shape[1], 1)).squeeze(2)
    return (log_clean + column).logsumexp(-1)


def clean_posterior(clean: Tensor, matrix: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return ``p(clean | x, noisy)`` of every token (tokens, labels), from ``clean`` (tokens, labels) and ``matrix``.

    A reviewed label is certain; where a label is unknown, ``p(clean | x)`` is all that is known.
    """
    joint = clean * matrix.T[corpus.label_ids.clamp(min=0)]
    found = torch.where((corpus.label_ids == NO_LABEL)[:, None], clean, joint).clamp(min=torch.finfo(clean.dtype).tiny)
    certain = one_hot_mask(corpus.label_ids, len(corpus.labels)).to(clean.dtype)
    return torch.where(corpus.reviewed[:, None], certain, found / found.sum(-1, keepdim=True))


def identity_start(labels: int, epsilon: float) -> Tensor:
    """Return the identity (labels, labels) with the share ``epsilon`` of each row spread over all labels."""
    return (1 - epsilon) * torch.eye(labels) + epsilon / labels


def counted_start(clean: Tensor, noisy: Tensor, otherwise: Tensor) -> Tensor:
    """Return the shares of pairs of label indices (tokens,) in the rows of a matrix like ``otherwise``.

    Indices of unknown labels, outside the matrix, are not counted. A row without counts is that of ``otherwise``.
    """
    size = len(otherwise)
    valid = (clean >= 0) & (clean < size) & (noisy >= 0) & (noisy < size)
    counts = torch.bincount(clean[valid] * size + noisy[valid], minlength=size * size).view(size, size)
    totals = counts.sum(1, keepdim=True)
    return torch.where(totals > 0, counts / totals.clamp(min=1), otherwise)


@dataclass(frozen=True, slots=True, eq=False)
class AdaptedLabels:
    """Given labels are noisy versions of clean ones, by a confusion matrix that is learned from ``start`` on."""

    start: Tensor
    settings: NoiseAdaptationSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "AdaptedLabelsObjective":
        """Return the objective with its confusion layer on the device of ``network``."""
        width = int(network.encoder.width) if self.settings.layer == "feature" else 0  # type: ignore[arg-type]
        layer = ConfusionLayer(self.start, width).to(network.device)
        return AdaptedLabelsObjective(
            corpus, layer, self.settings.anchor, schedule.stretched(self.settings.frozen_epochs)
        )


class AdaptedLabelsObjective(StatelessObjective):
    """The negative log-likelihood of noisy labels through a confusion layer; reviewed labels are clean.

    It records the matrix at the end of every epoch, (epochs, labels, labels): where that depends on features, its mean
    over the tokens of the epoch, each row weighted by the probability of its clean label.
    """

    def __init__(self, corpus: EncodedCorpus, layer: ConfusionLayer, anchor: float, frozen_epochs: int) -> None:
        self.layer = layer
        self.anchor = anchor
        self.frozen_epochs = frozen_epochs
        self.reviewed = torch.split(corpus.reviewed, corpus.lengths)
        size = len(layer.bias)
        self.matrices = torch.empty(0, size, size)
        self.expected = torch.zeros(size, size, dtype=torch.double)

    def parameters(self) -> Iterable[nn.Parameter]:
        """Return those of the confusion layer."""
        return self.layer.parameters()

    def begin_epoch(self, epoch: int) -> None:
        """Freeze the matrix in the first epochs: a tagger that knows nothing would let it explain every label."""
        self.layer.requires_grad_(epoch >= self.frozen_epochs)

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence (sentences,); unknown labels add nothing."""
        known = batch.labels != NO_LABEL
        labels = batch.labels[known]
        log_clean = batch.label_outputs.logits.log_softmax(-1)[known]
        log_confusion = self.layer(batch.outputs.features[known])
        reviewed = batch.rows(self.reviewed)[known]
        if self.layer.weight is not None:
            noisy = log_clean.detach()[~reviewed].exp().double(), log_confusion.detach()[~reviewed].exp().double()
            self.expected += torch.einsum("ti,tij->ij", *noisy).cpu()
        as_clean = log_clean.gather(1, labels[:, None]).squeeze(1)
        as_noisy = noisy_log_likelihood(log_clean, log_confusion, labels)
        trace = log_confusion.diagonal(dim1=1, dim2=2).exp().sum(-1)
        losses = log_clean.new_zeros(known.shape)
        losses[known] = -torch.where(reviewed, as_clean, as_noisy) - self.anchor * trace
        return losses.sum(1)

    def end_epoch(self, epoch: int) -> dict[str, float]:  # noqa: ARG002 - the protocol's
        """Record the matrix and return how much of the ``O`` labels and of the entity labels it leaves as they are."""
        if self.layer.weight is None:
            matrix = self.layer.bias.detach().softmax(-1).cpu()
        else:
            matrix = (self.expected / self.expected.sum(1, keepdim=True).clamp(min=_SMALLEST)).float()
        self.matrices = torch.cat([self.matrices, matrix[None]])
        self.expected = torch.zeros_like(self.expected)
        diagonal = matrix.diagonal()
        return {"unchanged_negative": float(diagonal[0]), "unchanged_positive": float(diagonal[1:].mean())}

    def state(self) -> dict[str, Tensor]:
        """Return the confusion layer and the record so far."""
        own = {f"layer.{name}": weight for name, weight in self.layer.state_dict().items()}
        return {**own, "matrices": self.matrices, "expected": self.expected}

    def restore(self, state: Mapping[str, Tensor]) -> None:
        """Take up the layer and the record of a checkpoint."""
        self.layer.load_state_dict({name: state[f"layer.{name}"] for name in self.layer.state_dict()})
        self.matrices, self.expected = state["matrices"], state["expected"]

    def record(self, epochs: int) -> dict[str, Tensor]:
        """Return the matrix at the end of each of the first ``epochs`` epochs: (epochs, labels, labels)."""
        return {"matrices": self.matrices[:epochs]}


class NoiseAdaptation:
    """Trains a softmax tagger and a confusion matrix together."""

    summary = "Learn a confusion matrix between clean and noisy labels together with the tagger."
    Settings = NoiseAdaptationSettings

    def check(self, task: Task, settings: NoiseAdaptationSettings) -> None:
        """Refuse a CRF, which has no probabilities of single tokens to confuse, and a paired start without dev."""
        check_softmax(task, "noise-adaptation")
        if settings.start == "paired" and len(task.dev) < 2:
            remedy = "give --dev, or use method.start=identity or method.start=pretrained"
            raise InputError("method.start=paired needs a dev split of at least 2 sentences", remedy=remedy)

    def plan(self, task: Task, settings: NoiseAdaptationSettings) -> Sequence[Stage]:
        """Return one training, after a shorter one where the matrix starts from the confusions of a model."""
        sentences = len(task.corpus)
        purpose = "One model and its confusion matrix learn from the labels as given."
        stages = [Stage(_MODEL, "Training", purpose, 1, task.planned_epochs(sentences))]
        if settings.start != "identity":
            purpose = "A model of the labels as given shows how the confusion matrix should start."
            epochs = task.planned_epochs(sentences, settings.pretrain_epochs)
            stages.insert(0, Stage(_PRETRAINING, "How are labels confused?", purpose, 1, epochs))
        return stages

    def train(self, task: Task, settings: NoiseAdaptationSettings, jobs: Jobs) -> Learned:
        """Find the matrix to start from, train, and assess the labels with what was learned."""
        corpus = task.corpus
        clean: Sequence[Sentence] = ()
        if settings.start == "paired":
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


def _start(task: Task, clean: Sequence[Sentence], settings: NoiseAdaptationSettings, jobs: Jobs) -> Tensor:
    """Return the confusion matrix before training (labels, labels), rows clean and columns noisy.

    A model of the noisy labels labels ``clean`` sentences as the noisy source would. Without these its predictions on
    the training sentences stand for the clean labels.
    """
    corpus = task.corpus
    identity = identity_start(len(corpus.labels), settings.epsilon)
    if settings.start == "identity":
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
