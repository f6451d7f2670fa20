"""Learning from sentences that people have labelled, beside many more with noisy labels.

A model of the noisy labels knows what names look like, but has learned the systematic errors of these labels, too. A
few trusted sentences, on which it is fine-tuned, correct these. Where it then agrees with a noisy label, that label is
trusted; elsewhere the label counts as unknown. The final model learns from all sentences.
"""

from dataclasses import replace
from typing import Final, NamedTuple

import torch
from torch import Tensor

from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.models.warm_start import WarmStart
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Stage
from trustag.training.task import Task

TUNED: Final = "trusted/tuned"
AGREED: Final = "trusted/agreed"
_LEAST_SENTENCES: Final = 20


class TrustedModels(NamedTuple):
    """The model that was fine-tuned on trusted sentences, and the one that learned the labels it agrees with, too."""

    tuned: FitResult
    agreed: FitResult


def trusted_sentences(corpus: EncodedCorpus) -> list[int]:
    """Return the sentences of which people have decided on every label; none where these are too few to learn from.

    They must hold an entity between them, and noisy sentences must be there too.
    """
    rows = torch.split(corpus.reviewed, corpus.lengths)
    found = [number for number, row in enumerate(rows) if bool(row.all())]
    has_entity = any(bool((corpus.rows[number] > 0).any()) for number in found)
    return found if has_entity and _LEAST_SENTENCES <= len(found) < len(corpus) else []


def trusted_stages(task: Task) -> list[Stage]:
    """Return the stages in which a model learns from trusted sentences; none where there are too few."""
    count = len(trusted_sentences(task.corpus))
    if not count:
        return []
    share = count / len(task.corpus)
    tuned, agreed = task.planned_epochs(count), task.planned_epochs(len(task.corpus))
    return [
        Stage(TUNED, "Fine-tuning", "The best model so far learns from the trusted sentences.", 1, tuned, share),
        Stage(AGREED, "Trusted model", "One model learns from the trusted labels and those that agree.", 1, agreed),
    ]


def learn_from_trusted(task: Task, jobs: Jobs, start: FitResult, labels: Tensor) -> TrustedModels | None:
    """Return the models of the trusted sentences, beside which the others have the noisy ``labels`` (tokens,).

    ``start`` is the model of ``labels`` that is fine-tuned. None where there are too few trusted sentences.
    """
    if not trusted_sentences(task.corpus):
        return None
    tuned = jobs.run(TUNED, {TUNED: tuning_job(task, task.corpus, start)})[TUNED]
    training = agreed_job(task, task.corpus, agreed_labels(task.corpus, labels, tuned.outputs.best_labels()))
    return TrustedModels(tuned, jobs.run(AGREED, {AGREED: training})[AGREED])


def tuning_job(task: Task, corpus: EncodedCorpus, start: FitResult) -> Job:
    """Return the training of ``start`` on the trusted sentences of ``corpus``; it predicts those of the task."""
    own = task.fit(GivenLabels(), corpus.subset(trusted_sentences(corpus)), seed_name=TUNED)
    return Job(replace(own, start=WarmStart(start.model)), task.corpus.tokens)


def agreed_job(task: Task, corpus: EncodedCorpus, labels: Tensor) -> Job:
    """Return the training of a new model on ``corpus`` with ``labels``; it predicts the sentences of the task."""
    return Job(task.fit(GivenLabels(), corpus.with_labels(labels)), task.corpus.tokens, keeps_model=True)


def agreed_labels(corpus: EncodedCorpus, labels: Tensor, predicted: Tensor) -> Tensor:
    """Return ``labels`` where ``predicted`` is the same, unknown elsewhere (tokens,); reviewed labels stay.

    >>> import torch
    >>> from trustag.text.label_sets import LabelSet
    >>> given, reviewed = torch.tensor([0, 1, 1]), torch.tensor([False, False, True])
    >>> corpus = EncodedCorpus((("a", "b", "c"),), LabelSet(("PER",), "BI"), given, None, reviewed)
    >>> agreed_labels(corpus, given, torch.tensor([0, 0, 0])).tolist()
    [0, -1, 1]
    """
    trusted_labels = torch.where(labels == predicted, labels, torch.full_like(labels, NO_LABEL))
    return torch.where(corpus.reviewed, corpus.label_ids, trusted_labels)
