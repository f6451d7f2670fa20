"""Constrained binary learning: rounds of binary taggers, then the typed tagger."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from msgspec.structs import replace as with_fields
from torch import Tensor

from trustag.crossfit.heldout import estimated_rates, heldout_stage, predict_heldout
from trustag.crossfit.model_findings import findings_of_model
from trustag.data.corpus_outputs import label_scores
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.label_quality.analysis import LabelFindings
from trustag.methods.base import Learned, can_cross_validate, check_label_scores, note_single_sentence
from trustag.methods.cbl.ratio import Ratio, entity_ratio, estimated_ratio, labelled_share, round_shares
from trustag.methods.cbl.settings import CBLSettings
from trustag.methods.cbl.weights import constrained_weights, initial_weights, known_entities, not_learned, typed_weights
from trustag.noise_rates.rates import NO_NOISE, FoundRates, NoiseRates
from trustag.notes import Note
from trustag.text.label_sets import LabelSet
from trustag.text.labels import is_positive
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
_RATES: Final = "rates"
_UNKNOWN: Final = Ratio(0.0, "estimated")
_RATES_SOURCE: Final = "set by the entity ratio plus a margin; all entity labels are trusted"


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
        """Refuse a ratio that is asked for and not there, and a head without scores of labels."""
        check_label_scores(task)
        entity_ratio(task, settings)

    def plan(self, task: Task, settings: CBLSettings) -> Sequence[Stage]:
        """Plan the binary rounds and the typed tagger, after fold models where these tell the ratio."""
        ratio, sentences = entity_ratio(task, settings), len(task.corpus)
        shares = round_shares(labelled_share(task.corpus), ratio or _UNKNOWN, settings)
        epochs = task.planned_epochs(sentences, settings.binary_epochs)
        stages = []
        if ratio is None and can_cross_validate(task):
            stages.append(heldout_stage(task, settings.folds, _RATES, "How many entities are missing?"))
        for number, share in enumerate(shares, start=1):
            which = f"Binary round {number} of {len(shares)}"
            sought = "" if ratio is None else f": {share:.1%} of all tokens"
            stages.append(
                Stage(_round_name(number), which, f"A binary tagger looks for entity tokens{sought}.", 1, epochs)
            )
        purpose = "The final model learns types; tokens the binary taggers found are unlabelled."
        return [*stages, Stage(_TYPED, "Final model", purpose, 1, task.planned_epochs(sentences))]

    def train(self, task: Task, settings: CBLSettings, jobs: Jobs) -> Learned:
        """Find missed entities round by round, then train the typed tagger without their ``O`` labels."""
        ratio = entity_ratio(task, settings) or _estimated(task, settings, jobs)
        shares = round_shares(labelled_share(task.corpus), ratio, settings)
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
        return Learned(model, _findings(task, model, weights), facts=facts, gold_used_for=gold_used_for)


def _estimated(task: Task, settings: CBLSettings, jobs: Jobs) -> Ratio:
    """Return the ratio that follows from how many ``O`` labels are contradicted by models that did not see them."""
    labelled = labelled_share(task.corpus)
    if not can_cross_validate(task):
        note_single_sentence(jobs.watch)
        return estimated_ratio(labelled, NO_NOISE)
    return estimated_ratio(labelled, estimated_rates(predict_heldout(task, jobs, settings.folds, _RATES)).rates)


def _findings(task: Task, model: FitResult, weights: Tensor) -> LabelFindings:
    """Return what the typed tagger says of the labels; it learned all but the ``O`` labels of tokens found before.

    New labels keep every entity label. The rate of ``O`` labels that miss an entity is the share that was not learned.
    """
    corpus = task.corpus
    free = not_learned(weights, corpus)
    negative = int(free.sum()) / max(int((corpus.unreviewed_ids == 0).sum()), 1)
    rates = FoundRates(_RATES_SOURCE, NoiseRates(negative, 0.0))
    return findings_of_model(task, model, (corpus.label_ids != NO_LABEL) & ~free, rates, corpus.label_ids > 0)


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


METHOD: Final = ConstrainedBinaryLearning()
