"""Which model a run keeps: one that learned new labels, or a simpler one that does no harm."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Final, Literal

from torch import Tensor

from trustag.crossfit.rounds import Round, SelfTrainingRounds
from trustag.crossfit.trusted_models import TrustedModels, learn_from_trusted
from trustag.models.saving import load_model
from trustag.noise_rates.signs import NoiseSigns
from trustag.text.labels import Label
from trustag.text.paired_scores import PairedDifference, paired_difference, sentence_counts
from trustag.text.schemes import Scheme
from trustag.text.scoring import Counts
from trustag.training.fit_results import FitResult
from trustag.training.jobs import Jobs
from trustag.training.task import Task

BASELINE: Final = "baseline"
NEW_LABELS: Final = "model of the new labels"
TRUSTED: Final = "model of the trusted sentences"

SURE: Final = 0.95
"""The share of draws in which a model must be better to count as better."""
_PRECISE: Final = 0.03  # where the 95 % range of a difference is wider, dev is too small to tell


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model that a run keeps, its name among the candidates, and why, in a sentence.

    ``trusted`` are the models of the trusted sentences where one of them is kept. ``dev_labels`` are those that models
    which have not seen dev predict there, where the kept one has; ``labels`` (tokens,) the noisy ones that the models
    to choose from have learned.
    """

    model: FitResult
    name: str
    reason: str
    difference: PairedDifference | None = None
    trusted: TrustedModels | None = None
    dev_labels: Sequence[Sequence[Label]] | None = None
    labels: Tensor | None = field(default=None, compare=False)

    def facts(self) -> dict[str, object]:
        """Return the same as plain values, for the manifest."""
        found: dict[str, object] = {"name": self.name, "reason": self.reason}
        if self.dev_labels is not None:
            found["learned_dev"] = True
        return found if self.difference is None else {**found, "difference": asdict(self.difference)}


def kept_model(
    task: Task,
    jobs: Jobs,
    rule: Literal["better", "new labels"],
    trained: SelfTrainingRounds,
    kept: Round,
    signs: NoiseSigns | None,
) -> ModelChoice:
    """Return the model to keep, after one has learned from trusted sentences where there are enough."""
    baseline = trained.baseline
    choice = ModelChoice(kept.final, NEW_LABELS, "it is always kept")
    if rule == "better":
        choice = ModelChoice(kept.final, NEW_LABELS, "no baseline was trained to compare it with")
        if baseline is not None:
            simple, other = (BASELINE, baseline), (NEW_LABELS, kept.final)
            choice = better_model(task, simple, other, by_signs(signs, baseline, kept.final))
    labels = task.corpus.label_ids if choice.model is baseline else kept.relabelled.label_ids
    trusted = learn_from_trusted(task, jobs, choice.model, labels)
    if trusted is None:
        return replace(choice, labels=labels)
    with_trusted = ModelChoice(trusted.agreed, TRUSTED, "it has learned from sentences that people have labelled")
    choice = better_model(task, (choice.name, choice.model), (TRUSTED, trusted.agreed), with_trusted)
    return replace(choice, labels=labels, trusted=trusted if choice.name == TRUSTED else None)


def better_model(
    task: Task, simple: tuple[str, FitResult], other: tuple[str, FitResult], otherwise: ModelChoice
) -> ModelChoice:
    """Return the better of two models on dev; a small difference decides for the simple one.

    Where there is no dev, or too little of it to tell them apart, the choice is that of ``otherwise``.
    """
    if not task.dev:
        return otherwise
    difference = paired_difference(dev_counts(task, simple[1]), dev_counts(task, other[1]))
    seen = in_words(difference)
    if difference.better >= SURE:
        return ModelChoice(other[1], other[0], f"better on dev than the {simple[0]}: {seen}", difference)
    if difference.high - difference.low > 2 * _PRECISE and difference.better > 1 - SURE:
        return ModelChoice(
            otherwise.model, otherwise.name, f"{otherwise.reason}; dev is too small to tell ({seen})", difference
        )
    verdict = "worse" if difference.better <= 1 - SURE else "not clearly better"
    return ModelChoice(simple[1], simple[0], f"the {other[0]} is {verdict} on dev: {seen}", difference)


def by_signs(signs: NoiseSigns | None, baseline: FitResult, relabelled: FitResult) -> ModelChoice:
    """Return the model to keep without clean labels: that of the new labels, unless these rest on weak ground."""
    if signs is not None and signs.is_nearly_clean:
        return ModelChoice(
            baseline, BASELINE, "models predict nearly all labels they did not see, so there is little noise"
        )
    if signs is not None and signs.is_mostly_spurious:
        reason = "many entity labels are on words without a capital, so models of these labels are no guide"
        return ModelChoice(baseline, BASELINE, reason)
    return ModelChoice(relabelled, NEW_LABELS, "models often predict other labels than the given ones")


def dev_counts(task: Task, model: FitResult) -> list[Counts]:
    """Return the entity counts of a model on each dev sentence."""
    tagger = load_model(model.model, task.network.context)
    predicted = tagger.tag((sentence.tokens for sentence in task.dev), Scheme.IOB2)
    return sentence_counts([sentence.labels for sentence in task.dev], list(predicted))


def in_words(difference: PairedDifference) -> str:
    """Return a difference with its range, in points of F1."""
    low, middle, high = (f"{100 * value:+.1f}" for value in (difference.low, difference.difference, difference.high))
    return f"F1 {middle}, 95 % range {low} to {high}"
