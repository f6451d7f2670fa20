"""Filtering: labels that confident learning calls wrong are pruned, and the final model learns from the rest.

This is what users of cleanlab do, with out-of-fold predictions as everywhere here.
"""

from collections.abc import Sequence
from typing import Final, Literal

import torch
from pydantic import Field
from torch import Tensor

from trustag.crossfit.heldout import heldout_stage, predict_heldout
from trustag.crossfit.model_findings import findings_of_heldout
from trustag.crossfit.settings import FoldSettings
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.base import Learned, as_given_stages, can_cross_validate, check_label_scores, train_single_sentence
from trustag.noise_rates.confident_learning import PruneRule, confident_joint, joint_rates, wrong_labels
from trustag.noise_rates.rates import FoundRates
from trustag.notes import Note, Watch
from trustag.recipes.sections import Section
from trustag.training.fit_results import Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Stage
from trustag.training.task import Task

_FOLDS: Final = "folds"
_FINAL: Final = "final"


class FilterSettings(Section):
    """What is pruned, and by which rule."""

    rule: PruneRule = Field(
        default="noise-rate",
        description="which labels are wrong: the likeliest of each kind of confusion, as many as counted; the least "
        "probable of each given label; what both say; or every label that a model is sure is another",
    )
    prune: Literal["labels", "sentences"] = Field(
        default="labels", description="wrong labels count as unknown, or sentences that have one are left out"
    )
    folds: FoldSettings = FoldSettings()


class Filter:
    """Prunes by confident learning, then trains once more."""

    summary = "Prune labels that confident learning calls wrong, and train on the rest."
    Settings = FilterSettings

    def check(self, task: Task, settings: FilterSettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head without scores of labels."""
        check_label_scores(task)

    def plan(self, task: Task, settings: FilterSettings) -> Sequence[Stage]:
        """Fold models, then the final one."""
        if not can_cross_validate(task):
            return as_given_stages(task)
        purpose = "One model learns from the labels that were not pruned."
        final = Stage(_FINAL, "Final model", purpose, 1, task.planned_epochs(len(task.corpus)))
        return [heldout_stage(task, settings.folds, _FOLDS, "Which labels are wrong?"), final]

    def train(self, task: Task, settings: FilterSettings, jobs: Jobs) -> Learned:
        """Predict all labels out of fold, prune, and train on the rest."""
        if not can_cross_validate(task):
            return train_single_sentence(task, jobs)
        corpus = task.corpus
        predictions = predict_heldout(task, jobs, settings.folds, _FOLDS)
        given, probabilities = corpus.unreviewed_ids, predictions.probabilities(None)
        wrong = wrong_labels(given, probabilities, settings.rule)
        rest = pruned(corpus, wrong, settings.prune, jobs.watch)
        job = Job(task.fit(GivenLabels(), rest), corpus.tokens, keeps_model=True)
        final = jobs.run(_FINAL, {_FINAL: job})[_FINAL]
        rates = FoundRates("confident learning", joint_rates(confident_joint(given, probabilities)))
        trusted = (corpus.label_ids != NO_LABEL) & ~wrong
        fixed = corpus.label_ids.masked_fill(wrong, NO_LABEL) > 0
        facts = {"pruned": {"labels": int(wrong.sum()), "sentences": len(corpus) - len(rest)}}
        return Learned(final, findings_of_heldout(predictions, final, trusted, rates, fixed), facts=facts)


def pruned(corpus: EncodedCorpus, wrong: Tensor, what: Literal["labels", "sentences"], watch: Watch) -> EncodedCorpus:
    """Return ``corpus`` without the ``wrong`` labels (tokens,) or without the sentences that have one.

    Sentences in which a person has decided on a label stay; where none would be left, labels are pruned instead.
    """
    without = corpus.with_labels(corpus.label_ids.masked_fill(wrong, NO_LABEL))
    if what == "labels":
        return without
    rows = zip(torch.split(wrong, corpus.lengths), torch.split(corpus.reviewed, corpus.lengths), strict=True)
    kept = [number for number, (own, reviewed) in enumerate(rows) if reviewed.any() or not own.any()]
    if any(bool((corpus.rows[number] > 0).any()) for number in kept):
        return without.subset(kept)
    watch(Note("info", "labels pruned instead of sentences", "no sentence with an entity would be left"))
    return without


METHOD: Final = Filter()
