"""Constrained binary learning (Mayhew et al. 2019): find missed entities first, then train without their ``O`` labels.

Every entity label is trusted; entities may be missing. In each round a new binary tagger separates entity tokens from
the others, and its most probable tokens are taken for entities, as many as a given share of the corpus. This share
grows from that of the labelled tokens to a little above the known ratio of entity tokens. The final tagger learns the
types; it learns nothing from the ``O`` tokens that were found.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import torch
from msgspec.structs import replace as with_fields
from pydantic import Field
from torch import Tensor

from trustag.crf import legal_transitions, one_hot_mask
from trustag.crossfit.predictions import allowed_by, with_reviewed
from trustag.data.corpus_outputs import label_scores
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.errors import InputError
from trustag.issues.evidence import evidence_from_outputs
from trustag.label_quality.analysis import LabelFindings
from trustag.methods.base import Learned, check_label_scores
from trustag.noise_rates.rates import FoundRates, NoiseRates
from trustag.notes import Note
from trustag.recipes.sections import Count, Section, Share, advanced
from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label, is_positive
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import WeightedLabels
from trustag.training.stages import Stage
from trustag.training.task import Task

BINARY_LABELS: Final = LabelSet.of(("ENTITY",), Scheme.IO)
_ENTITY: Final = BINARY_LABELS.labels[1]
_TYPED: Final = "typed"
_ROUNDING: Final = 1e-6
_RATES_SOURCE: Final = "set by the entity ratio plus a margin; all entity labels are trusted"

InitialWeights: TypeAlias = Literal["raw", "combined"]


class CBLSettings(Section):
    """Constrained binary learning: the ratio of entity tokens, and the binary rounds that lead up to it."""

    entity_ratio: Share = Field(
        default=0.0, description="share of all tokens that are part of an entity; 0: from dev or gold"
    )
    ratio_source: Literal["auto", "given", "dev", "gold"] = Field(
        default="auto",
        description="where the ratio comes from: entity_ratio, dev, the gold column; auto: the first of them there is",
    )
    ratio_margin: Share = advanced(0.05, "the last round stays below the entity ratio plus this margin")
    ratio_step: float = advanced(0.02, "by how much the share of entity tokens grows each round", ge=0.001, lt=1)
    binary_epochs: Count = Field(default=25, description="epochs of each binary tagger, at most")
    initial_weights: InitialWeights = Field(
        default="raw",
        description="weights of O labels in the first round: full, or combined: lower for rare words",
    )


class Ratio(NamedTuple):
    """The share of tokens that are part of an entity, and where it comes from."""

    value: float
    source: str


def entity_ratio(task: Task, settings: CBLSettings) -> Ratio:
    """Return the ratio of entity tokens that the settings ask for; an error if nothing tells it."""
    source = settings.ratio_source
    if settings.entity_ratio and source in {"dev", "gold"}:
        finding = f"method.entity_ratio is set although method.ratio_source={source}"
        raise InputError(finding, remedy="leave one of the two out")
    dev = (label for sentence in task.dev for label in sentence.labels)
    gold = (label for sentence in task.sentences for label in sentence.gold or ())
    found = {"given": settings.entity_ratio or None, "dev": entity_share(dev), "gold": entity_share(gold)}
    for name, value in found.items():
        if value is not None and source in {name, "auto"}:
            return Ratio(value, name)
    missing = {"dev": "the dev split has no labels", "gold": "there is no gold column"}
    finding = missing.get(source, "the share of entity tokens is not known")
    raise InputError(f"cbl: {finding}", remedy="set method.entity_ratio, or give a dev split")


def entity_share(labels: Iterable[Label]) -> float | None:
    """Return the share of entity labels among the known ones; None if none is known.

    >>> entity_share(["O", "B-PER", None, "O", "O"])
    0.25
    """
    known = [is_positive(label) for label in labels if label is not None]
    return sum(known) / len(known) if known else None


def round_shares(labelled: float, ratio: float, settings: CBLSettings) -> list[float]:
    """Return the share of entity tokens in each round: from the labelled share up, below the ratio plus the margin.

    >>> [round(share, 2) for share in round_shares(0.10, 0.12, CBLSettings())]
    [0.1, 0.12, 0.14, 0.16]
    """
    rounds = math.ceil((min(ratio + settings.ratio_margin, 1.0) - labelled) / settings.ratio_step - _ROUNDING)
    return [labelled + number * settings.ratio_step for number in range(max(rounds, 0))]


def known_entities(corpus: EncodedCorpus) -> Tensor:
    """Return what is certain of each token (tokens,): 1 for entity labels, 0 for reviewed ``O``, else ``NO_LABEL``."""
    known = torch.full_like(corpus.label_ids, NO_LABEL)
    known[corpus.reviewed] = 0
    known[corpus.label_ids > 0] = 1
    return known


def initial_weights(corpus: EncodedCorpus, kind: InitialWeights) -> Tensor:
    """Return the weights of ``O`` and entity at each token before the first round: (tokens, 2).

    ``combined`` trusts the ``O`` of a frequent word more than that of a rare one, unless it stands next to a labelled
    entity: whoever labelled that has seen it. Unknown labels are undecided.
    """
    outside = (corpus.label_ids == 0).double()
    outside[corpus.label_ids == NO_LABEL] = 0.5
    if kind == "combined":
        is_free = (corpus.label_ids == 0) & ~corpus.reviewed & ~_beside_entities(corpus)
        scaled = (_scaled_frequencies(corpus.tokens) + 1 / len(BINARY_LABELS)).clamp(max=1)
        outside = torch.where(is_free, scaled, outside)
    return torch.stack([outside, 1 - outside], -1).float()


def constrained_weights(entity: Tensor, known: Tensor, share: float) -> Tensor:
    """Return the weights of ``O`` and entity at each token (tokens, 2) that a round leaves to the next.

    The tokens with the highest ``entity`` probabilities (tokens,) are entities, as many as ``share`` of all tokens;
    the others are at most undecided. This fills the share even with tokens of less than one half, as the published
    code does. ``known`` (tokens,) is from :func:`known_entities`; known entities come first and count.
    """
    order = entity.masked_fill(known == 1, torch.inf).masked_fill(known == 0, -torch.inf)
    chosen = torch.zeros_like(known, dtype=torch.bool)
    chosen[order.argsort(descending=True, stable=True)[: int(share * len(known) + _ROUNDING)]] = True
    weights = entity.clamp(max=0.5).masked_fill(chosen | (known == 1), 1.0).masked_fill(known == 0, 0.0)
    return torch.stack([1 - weights, weights], -1)


def typed_weights(weights: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return the weights of all labels (tokens, labels) that follow from binary ``weights`` (tokens, 2).

    Entity labels have all the weight. Tokens found to be entities and unknown labels say nothing: all labels weigh the
    same. Elsewhere ``O`` keeps its weight and the other labels share the rest.
    """
    count = len(corpus.labels)
    outside = weights[:, :1]
    typed = torch.cat([outside, ((1 - outside) / (count - 1)).expand(-1, count - 1)], 1)
    typed[not_learned(weights, corpus) | (corpus.label_ids == NO_LABEL)] = 1 / count
    labelled = corpus.label_ids > 0
    typed[labelled] = one_hot_mask(corpus.label_ids[labelled], count).to(typed.dtype)
    return typed


def not_learned(weights: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return the ``O`` labels (tokens,) of tokens that the binary ``weights`` (tokens, 2) take for entities."""
    return (corpus.label_ids == 0) & (weights[:, 1] > weights[:, 0])


def binary_task(task: Task) -> Task:
    """Return the task of telling entity tokens from the others, on the same sentences."""
    ids = task.corpus.label_ids
    corpus = EncodedCorpus(task.corpus.tokens, BINARY_LABELS, ids.clamp(max=1), None, task.corpus.is_reviewed)
    # The published evaluator only counts entities written in IOBES.
    training = task.training.model_copy(update={"evaluator": "conlleval"})
    return replace(task, corpus=corpus, dev=[_binary_sentence(sentence) for sentence in task.dev], training=training)


class ConstrainedBinaryLearning:
    """Trusts every entity label and finds missed entities with binary taggers held to a ratio of entity tokens."""

    summary = "Find missed entities with binary taggers and a known entity ratio (constrained binary learning)."
    Settings = CBLSettings

    def check(self, task: Task, settings: CBLSettings) -> None:
        """Refuse a task whose ratio of entity tokens is not known, and a head without scores of labels."""
        check_label_scores(task)
        entity_ratio(task, settings)

    def plan(self, task: Task, settings: CBLSettings) -> Sequence[Stage]:
        """Binary rounds, as many as the ratio asks for, then the typed tagger."""
        shares, sentences = _round_shares(task, settings), len(task.corpus)
        epochs = task.planned_epochs(sentences, settings.binary_epochs)
        stages = [
            Stage(
                _round_name(number),
                f"Binary round {number} of {len(shares)}",
                f"A binary tagger looks for entity tokens: {share:.1%} of all tokens.",
                1,
                epochs,
            )
            for number, share in enumerate(shares, start=1)
        ]
        purpose = "The final model learns types; tokens the binary taggers found are unlabelled."
        return [*stages, Stage(_TYPED, "Final model", purpose, 1, task.planned_epochs(sentences))]

    def train(self, task: Task, settings: CBLSettings, jobs: Jobs) -> Learned:
        """Find missed entities round by round, then train the typed tagger without their ``O`` labels."""
        ratio, shares = entity_ratio(task, settings), _round_shares(task, settings)
        if not shares:
            detail = f"more tokens are labelled than the entity ratio of {ratio.value:.3f} allows; no binary round"
            jobs.watch(Note("info", "constrained binary learning", detail))
        binary, known, tokens = binary_task(task), known_entities(task.corpus), task.corpus.tokens
        weights, records = initial_weights(task.corpus, settings.initial_weights), []
        for number, share in enumerate(shares, start=1):
            name = _round_name(number)
            fit = binary.fit(WeightedLabels(weights), seed_name=name, epochs=settings.binary_epochs)
            result = jobs.run(name, {name: Job(fit, tokens)})[name]
            weights = constrained_weights(label_scores(result.outputs).softmax(-1)[:, 1], known, share)
            records.append(_record(number, share, weights, result))
        job = Job(task.fit(WeightedLabels(typed_weights(weights, task.corpus))), tokens, keeps_model=True)
        model = jobs.run(_TYPED, {_TYPED: job})[_TYPED]
        facts = {"entity_ratio": ratio.value, "ratio_source": ratio.source, "binary_rounds": records}
        gold_used_for = "the entity ratio" if ratio.source == "gold" else ""
        return Learned(model, tagger_findings(task, model, weights), facts=facts, gold_used_for=gold_used_for)


def tagger_findings(task: Task, model: FitResult, weights: Tensor) -> LabelFindings:
    """Return what the typed tagger says of the labels; it learned all but the ``O`` labels of tokens found before.

    New labels keep every entity label. The rate of ``O`` labels that miss an entity is the share that was not learned.
    """
    corpus, outputs = task.corpus, model.outputs
    labels, free = corpus.labels, not_learned(weights, corpus)
    if task.network.legal_only:
        outputs = outputs.legal(legal_transitions(labels.labels, labels.scheme))
    evidence = evidence_from_outputs(corpus, outputs, with_reviewed(None, corpus))
    new_labels = outputs.best_labels(allowed_by(corpus.reviewed | (corpus.label_ids > 0), corpus))
    negative = int(free.sum()) / max(int((corpus.unreviewed_ids == 0).sum()), 1)
    rates = FoundRates(_RATES_SOURCE, NoiseRates(negative, 0.0))
    trusted = (corpus.label_ids != NO_LABEL) & ~free
    return LabelFindings.of_one_model(rates, evidence, evidence.probabilities, trusted, new_labels)


def _round_shares(task: Task, settings: CBLSettings) -> list[float]:
    labelled = int((task.corpus.label_ids > 0).sum()) / len(task.corpus.label_ids)
    return round_shares(labelled, entity_ratio(task, settings).value, settings)


def _round_name(number: int) -> str:
    """Return the name of a round's stage and of its training; it feeds the seed."""
    return f"binary-{number}"


def _record(number: int, share: float, weights: Tensor, result: FitResult) -> dict[str, Any]:
    return {
        "round": number,
        "share": share,
        "entity_tokens": int((weights[:, 1] > weights[:, 0]).sum()),
        "dev_f1": result.dev_f1,
        "kept_epoch": result.kept_epoch.epoch,
    }


def _binary_sentence(sentence: Sentence) -> Sentence:
    return with_fields(sentence, labels=tuple(_ENTITY if is_positive(label) else label for label in sentence.labels))


def _beside_entities(corpus: EncodedCorpus) -> Tensor:
    """Return the tokens (tokens,) right before or after one with an entity label in the same sentence."""
    found = torch.zeros_like(corpus.label_ids, dtype=torch.bool)
    for start, row in zip(corpus.offsets, corpus.rows, strict=False):
        labelled = (row > 0).nonzero().flatten()
        neighbours = torch.cat([labelled - 1, labelled + 1])
        found[start + neighbours[(neighbours >= 0) & (neighbours < len(row))]] = True
    return found


def _scaled_frequencies(sentences: Sequence[Sequence[str]]) -> Tensor:
    """Return the log frequency of each token's lower-cased word, scaled to 0 for the rarest and 1 for the commonest."""
    words = [token.lower() for tokens in sentences for token in tokens]
    counts = Counter(words)
    logs = torch.tensor([counts[word] for word in words], dtype=torch.float64).log()
    low, high = logs.min(), logs.max()
    return torch.ones_like(logs) if low == high else (logs - low) / (high - low)


METHOD: Final = ConstrainedBinaryLearning()
