"""Rounds of self-training: fold models predict what they did not see, and a final model learns from the new labels.

What the fold models are trained towards is the method's own choice; so are the noise rates, which say how many labels
of the old ones may change.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from torch import Tensor

from trustag.crossfit.folds import Folds, HiddenLabels, draw_folds
from trustag.crossfit.predictions import HeldoutStatistics, OutOfFoldPredictions
from trustag.crossfit.relabelling import Relabelled, relabel
from trustag.crossfit.settings import FoldLabels, RoundSettings
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.models.encoders import Tokens
from trustag.noise_rates.rates import NoiseRates
from trustag.noise_rates.visible_rates import visible_rates
from trustag.training.fit_results import FitResult, Job
from trustag.training.jobs import Jobs
from trustag.training.objectives import GivenLabels, ObjectiveSpec, SoftLabels, WeightedLabels
from trustag.training.stages import Stage
from trustag.training.task import Task

BASELINE: Final = "plain"
"""The name of the baseline's training, which feeds no seed and is the name of its folder."""


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """What a method decides of its rounds.

    ``rates`` gives the noise rates of a round, from its number (counted from 1) and the corpus its fold models learn
    from; ``objective`` what fold models are trained towards at visible noise rates; ``final_objective`` the same for
    the final model, where that does not simply learn the new labels. With ``fold_labels`` soft, fold models of later
    rounds learn the probabilities of the new labels, whatever the ``objective``.

    ``starts`` are models of the folds of the first round, trained on the same sentences: its fold models start from
    them, the baseline from the first, and every final model from the first fold model of its round.
    """

    settings: RoundSettings
    reshuffle: int
    ema_decay: float
    hidden: HiddenLabels
    rates: Callable[[int, EncodedCorpus], NoiseRates]
    objective: Callable[[NoiseRates], ObjectiveSpec]
    final_objective: Callable[[NoiseRates], ObjectiveSpec] | None = None
    fold_labels: FoldLabels = "hard"
    starts: Sequence[FitResult] = ()


@dataclass(frozen=True, slots=True)
class FoldModels:
    """How the models of all folds are trained: objective, epochs (None: the recipe's), what becomes of word vectors.

    Where there are ``weights`` of all labels (tokens, labels), these are learned instead. ``starts`` are models
    that they start from, fold by fold; ``keep`` them where others will.
    """

    objective: ObjectiveSpec
    epochs: int | None
    finetune_vectors: bool
    weights: Tensor | None = None
    starts: Sequence[FitResult] = ()
    keep: bool = False

    def objective_of(self, indices: Tensor) -> ObjectiveSpec:
        """Return the objective for tokens by their ``indices`` in the corpus."""
        return self.objective if self.weights is None else WeightedLabels(self.weights[indices])


@dataclass(frozen=True, slots=True)
class Round:
    """One finished round: its noise rates, what fold models predicted, the new labels, the final model."""

    number: int
    rates: NoiseRates
    predictions: OutOfFoldPredictions
    relabelled: Relabelled
    final: FitResult

    @property
    def fold_results(self) -> Sequence[FitResult]:
        """The results of the fold models."""
        return self.predictions.results


@dataclass(frozen=True, slots=True)
class SelfTrainingRounds:
    """All rounds, and the model that was trained on the labels as given, where that was wanted."""

    rounds: Sequence[Round]
    baseline: FitResult | None

    def models(self) -> dict[str, FitResult]:
        """Return every final model by what it is, for comparison."""
        found = {} if self.baseline is None else {"baseline": self.baseline}
        return {**found, **{round_name(done.number): done.final for done in self.rounds}}


def round_name(number: int) -> str:
    """Return the name that a round, counted from 1, has among the stages and trainings of a run."""
    return f"round-{number}"


def fold_names(prefix: str, folds: int) -> list[str]:
    """Return the names of the trainings of all folds; they feed the seeds."""
    return [f"{prefix}/fold-{fold + 1}" for fold in range(folds)]


def fold_jobs(
    task: Task, corpus: EncodedCorpus, folds: Folds, models: FoldModels, prefix: str, seeded_as: str | None = None
) -> dict[str, Job]:
    """Return the training of each fold's model on ``corpus``, which also predicts what it did not see.

    Seeds follow from the names of the trainings, or from those they have in the stage ``seeded_as``.
    """
    names = zip(fold_names(prefix, len(folds)), fold_names(seeded_as or prefix, len(folds)), strict=True)
    jobs = {}
    for fold, (name, seed_name) in enumerate(names):
        spec = task.fit(
            models.objective_of(corpus.token_indices(folds.train_indices(fold))),
            folds.training_corpus(corpus, fold),
            seed_name=seed_name,
            epochs=models.epochs,
            finetune_vectors=models.finetune_vectors,
        )
        if models.starts:
            spec = spec.continuing(models.starts[fold].model)
        heldout = [corpus.tokens[number] for number in folds.heldout_indices(fold)]
        jobs[name] = Job(spec, heldout, keeps_model=models.keep)
    return jobs


def also_predicting(jobs: Mapping[str, Job], sentences: Sequence[Tokens]) -> dict[str, Job]:
    """Return the same trainings, each of which predicts ``sentences`` too, after its own."""
    return {name: replace(job, predict=[*job.predict, *sentences]) for name, job in jobs.items()}


def self_train(task: Task, jobs: Jobs, plan: RoundPlan) -> SelfTrainingRounds:
    """Return all rounds; the new labels of each are what the fold models of the next are trained on."""
    settings, current = plan.settings, task.corpus
    rounds: list[Round] = []
    baseline: FitResult | None = None
    for number in range(1, settings.count + 1):
        rates = plan.rates(number, current)
        folds = draw_folds(task.corpus, settings.folds, task.seed, (number - 1) // plan.reshuffle, plan.hidden)
        weights = rounds[-1].relabelled.probabilities if rounds and plan.fold_labels == "soft" else None
        predictions = _predicted(task, jobs, plan, folds, (number, rates, current, weights))
        relabelled = relabel(predictions, _statistics(predictions, plan, rounds), rates, settings.reannotate)
        current = task.corpus.with_labels(relabelled.label_ids)
        name = f"{round_name(number)}/final"
        final = {name: _final_job(task, plan, relabelled, current, rates)}
        if plan.starts:
            final[name] = _continuing(final[name], predictions.results[0])
        if number == 1 and settings.baseline:
            baseline_fit = baseline_job(task)
            final[BASELINE] = _continuing(baseline_fit, plan.starts[0]) if plan.starts else baseline_fit
        results = jobs.run(name, final)
        baseline = baseline or results.get(BASELINE)
        rounds.append(Round(number, rates, predictions, relabelled, results[name]))
    return SelfTrainingRounds(rounds, baseline)


def _continuing(job: Job, start: FitResult) -> Job:
    return replace(job, fit=job.fit.continuing(start.model))


def baseline_job(task: Task) -> Job:
    """Return the training on the labels as they are given."""
    return Job(task.fit(task.as_given()), keeps_model=True)


def _predicted(
    task: Task, jobs: Jobs, plan: RoundPlan, folds: Folds, at: tuple[int, NoiseRates, EncodedCorpus, Tensor | None]
) -> OutOfFoldPredictions:
    """Return the out-of-fold predictions of a round, whose models are trained on the labels of the round before."""
    number, rates, corpus, weights = at
    settings, stage = plan.settings, round_name(number)
    visible = visible_rates(rates, corpus.label_ids, folds.hidden.any, corpus.labels)
    epochs, finetune_vectors = settings.fold_epochs or None, settings.fold_finetune_vectors
    models = FoldModels(
        plan.objective(visible),
        epochs,
        finetune_vectors,
        weights,
        plan.starts if number == 1 else (),
        keep=bool(plan.starts),
    )
    trainings = fold_jobs(task, corpus, folds, models, stage)
    results = jobs.run(f"{stage}/folds", trainings)
    return OutOfFoldPredictions(
        task.corpus, folds, [results[name] for name in trainings], legal_only=task.network.legal_only
    )


def _statistics(predictions: OutOfFoldPredictions, plan: RoundPlan, rounds: Sequence[Round]) -> HeldoutStatistics:
    """Return what models say of the labels as given; only those of the first round were trained on these."""
    found = predictions.statistics(plan.ema_decay)
    return replace(found, training=rounds[0].relabelled.statistics.training) if rounds else found


def _final_job(task: Task, plan: RoundPlan, relabelled: Relabelled, corpus: EncodedCorpus, rates: NoiseRates) -> Job:
    """Return the training of the final model: on all sentences, which it also predicts, with the seed of the run."""
    objectives: dict[str, ObjectiveSpec] = {
        "hard": GivenLabels(),
        "soft": SoftLabels(relabelled.probabilities),
        "weighted": WeightedLabels(relabelled.probabilities),
    }
    objective = objectives[plan.settings.relabel]
    if plan.final_objective is not None:
        objective = plan.final_objective(rates)
    return Job(task.fit(objective, corpus), corpus.tokens, keeps_model=True)


def round_stages(task: Task, settings: RoundSettings, *, has_starts: bool = False) -> list[Stage]:
    """Return the stages of all rounds, known before they begin; ``has_starts`` where their plan will have them."""
    sentences = len(task.corpus)
    folds = min(settings.folds, sentences)
    share = (folds - 1) / folds
    part, epochs = round(sentences * share), settings.fold_epochs or None
    stages: list[Stage] = []
    for number in range(1, settings.count + 1):
        fold_epochs = task.planned_epochs(part, epochs, continues=has_starts and number == 1)
        which = f"Round {number} of {settings.count}: " if settings.count > 1 else ""
        purpose = "Each model relabels the part of the corpus that it was not trained on."
        stages.append(Stage(f"{round_name(number)}/folds", f"{which}New labels", purpose, folds, fold_epochs, share))
        has_baseline = number == 1 and settings.baseline
        purpose = "One model learns from the new labels" + (
            ", another from the given ones, to compare." if has_baseline else "."
        )
        final_epochs = task.planned_epochs(sentences, continues=has_starts)
        trainings = 2 if has_baseline else 1
        stages.append(Stage(f"{round_name(number)}/final", f"{which}Final model", purpose, trainings, final_epochs))
    return stages
