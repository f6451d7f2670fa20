"""Learning from dev sentences too, with a dev score that stays honest.

Dev sentences are trusted sentences that were spared for choosing. Their labels teach more than they choose, so each
half of them is predicted by a model that has learned from the other half alone, and the final model learns from both.
None of these trainings chooses its epoch by dev.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from trustag.crossfit.keeping import SURE, ModelChoice, dev_counts, in_words
from trustag.crossfit.trusted_models import (
    TrustedModels,
    agreed_job,
    agreed_labels,
    trusted_sentences,
    tuning_job,
)
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus, encode_gold
from trustag.models.saving import load_model
from trustag.seeded_random import SeededRandom
from trustag.text.labels import Label
from trustag.text.paired_scores import paired_difference, sentence_counts
from trustag.text.schemes import Scheme
from trustag.text.sentences import Sentence
from trustag.training.fit_results import FitResult
from trustag.training.jobs import Jobs
from trustag.training.stages import Stage
from trustag.training.task import Task

DEV_TRUSTED: Final = "model that learned from dev too"
_TUNED: Final = "dev/tuned"
_AGREED: Final = "dev/agreed"
_PARTS: Final = 2
_WHOLE: Final = "all"


def dev_stages(task: Task) -> list[Stage]:
    """Return the stages in which models learn from dev; none where there is too little of it."""
    corpora = _corpora(task)
    if not corpora:
        return []
    share = len(trusted_sentences(corpora[_WHOLE])) / len(task.corpus)
    purpose = "Models of each half of dev, and of all of it, begin with the best model so far."
    tuned, agreed = (task.planned_epochs(round(part * len(task.corpus))) for part in (share, 1.0))
    again = "The same learn from dev and the labels that agree; each predicts the half it has not seen."
    return [
        Stage(_TUNED, "Fine-tuning on dev", purpose, _PARTS + 1, tuned, share),
        Stage(_AGREED, "Models with dev", again, _PARTS + 1, agreed),
    ]


def learn_from_dev(task: Task, jobs: Jobs, choice: ModelChoice) -> ModelChoice:
    """Return the model that learned from dev too, if it is better there than the ``choice`` without; else that."""
    corpora = _corpora(task)
    if not corpora:
        return choice
    labels = task.corpus.label_ids if choice.labels is None else choice.labels
    unselected = replace(task, dev=())
    tuning = {f"{_TUNED}/{name}": tuning_job(unselected, own, choice.model) for name, own in corpora.items()}
    tuned = jobs.run(_TUNED, tuning)
    training = {
        f"{_AGREED}/{name}": agreed_job(unselected, own, _agreed(own, labels, tuned[f"{_TUNED}/{name}"]))
        for name, own in corpora.items()
    }
    agreed = jobs.run(_AGREED, training)
    predicted = _unseen(task, [agreed[f"{_AGREED}/{name}"] for name in corpora if name != _WHOLE])
    counts = sentence_counts([sentence.labels for sentence in task.dev], predicted)
    difference = paired_difference(dev_counts(task, choice.model), counts)
    seen = in_words(difference)
    if difference.better < SURE:
        reason = f"{choice.reason}; learning from dev too is not clearly better there ({seen})"
        return replace(choice, reason=reason)
    whole = TrustedModels(tuned[f"{_TUNED}/{_WHOLE}"], agreed[f"{_AGREED}/{_WHOLE}"])
    reason = f"better on dev than the {choice.name}, by models of the other half of dev: {seen}"
    return ModelChoice(whole.agreed, DEV_TRUSTED, reason, difference, whole, predicted, labels)


def _corpora(task: Task) -> dict[str, EncodedCorpus]:
    """Return the training corpus with all of dev, and with what is outside each of its halves; none if too small."""
    halves = dev_halves(task)
    parts = {f"without-{number}": _outside(task, half) for number, half in enumerate(halves, start=1)}
    corpora = {name: _with_dev(task.corpus, part) for name, part in {**parts, _WHOLE: task.dev}.items()}
    own = set(trusted_sentences(task.corpus))
    learned = [set(trusted_sentences(corpus)) for corpus in corpora.values()]
    return corpora if all(found > own for found in learned) else {}


def dev_halves(task: Task) -> list[list[int]]:
    """Return the numbers of the dev sentences of each half, drawn by the seed of the run."""
    order = SeededRandom(task.seed, "halves of dev").shuffled(range(len(task.dev)))
    return [sorted(order[part::_PARTS]) for part in range(_PARTS)]


def _outside(task: Task, half: Sequence[int]) -> list[Sentence]:
    left_out = set(half)
    return [sentence for number, sentence in enumerate(task.dev) if number not in left_out]


def _with_dev(corpus: EncodedCorpus, dev: Sequence[Sentence]) -> EncodedCorpus:
    """Return a corpus with dev sentences after its own; their labels are reviewed, or unknown if of an unknown type."""
    nothing = torch.zeros(0, dtype=torch.long)
    labels = torch.cat([nothing, *encode_gold((sentence.labels for sentence in dev), corpus.labels)])
    known = labels.masked_fill(labels >= len(corpus.labels), NO_LABEL)
    return EncodedCorpus(
        corpus.tokens + tuple(sentence.tokens for sentence in dev),
        corpus.labels,
        torch.cat([corpus.label_ids, known]),
        None if corpus.gold_ids is None else torch.cat([corpus.gold_ids, labels]),
        torch.cat([corpus.is_reviewed, torch.ones(len(known), dtype=torch.bool)]),
    )


def _agreed(corpus: EncodedCorpus, labels: Tensor, tuned: FitResult) -> Tensor:
    """Return ``labels`` where the fine-tuned model agrees, with those of dev after them."""
    of_dev = corpus.label_ids[len(labels) :]
    predicted = torch.cat([tuned.outputs.best_labels(), of_dev])
    return agreed_labels(corpus, torch.cat([labels, of_dev]), predicted)


def _unseen(task: Task, models: Sequence[FitResult]) -> list[Sequence[Label]]:
    """Return the labels of every dev sentence by the model that has not seen it."""
    predicted: list[Sequence[Label]] = [()] * len(task.dev)
    for half, model in zip(dev_halves(task), models, strict=True):
        tagger = load_model(model.model, task.network.context)
        rows = tagger.tag((task.dev[number].tokens for number in half), Scheme.IOB2)
        for number, row in zip(half, rows, strict=True):
            predicted[number] = row
    return predicted
