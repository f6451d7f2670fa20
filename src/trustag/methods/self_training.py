"""Self-training without confidence: every part of the corpus is relabelled by a model trained on the other parts."""

from collections.abc import Sequence
from typing import Final

from pydantic import Field

from trustag.confidence.probabilities import Scoring
from trustag.crossfit.dev_as_trusted import dev_stages, learn_from_dev
from trustag.crossfit.findings import findings_of_trusted, kept_round, label_findings, round_records
from trustag.crossfit.folds import HiddenLabels
from trustag.crossfit.keeping import kept_model
from trustag.crossfit.rounds import RoundPlan, round_stages, self_train
from trustag.crossfit.settings import FoldLabels, RoundParity, RoundSettings
from trustag.crossfit.tracking import ScoringPass, TrackedLabels, Tracking
from trustag.crossfit.trusted_models import trusted_stages
from trustag.crossfit.worth_of_dev import dev_could_teach
from trustag.methods.base import Learned, as_given_stages, can_cross_validate, check_label_scores, train_single_sentence
from trustag.noise_rates.rates import NO_NOISE, FoundRates
from trustag.recipes.sections import Section, advanced
from trustag.training.jobs import Jobs
from trustag.training.stages import Stage
from trustag.training.task import Task


class SelfTrainingParity(RoundParity):
    """Switches that repeat what the published code does."""

    scoring_pass: ScoringPass = advanced("training", "the pass that scores: the training pass, or one without dropout")
    untrained_labels: bool = advanced(
        default=False, description="local confidence competes with three untrained labels, as in the published code"
    )
    fold_labels: FoldLabels = advanced(
        "hard",
        "fold models after the first round learn the new labels, or soft: what is weighted by their probabilities",
    )


class SelfTrainingSettings(Section):
    """Self-training: rounds, and how the confidence in labels is recorded."""

    scoring: Scoring = Field(
        default="global", description="confidence from a token's own scores (eq. 4) or from all label sequences (eq. 3)"
    )
    rounds: RoundSettings = RoundSettings()
    parity: SelfTrainingParity = SelfTrainingParity()


class SelfTraining:
    """Trusts every label while training; ``O`` labels may change where models that did not see them disagree."""

    summary = "Relabel the corpus by cross-validation, without estimating confidence."
    Settings = SelfTrainingSettings

    def check(self, task: Task, settings: SelfTrainingSettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head without scores of labels."""
        check_label_scores(task)

    def plan(self, task: Task, settings: SelfTrainingSettings) -> Sequence[Stage]:
        """Plan the rounds, nothing else."""
        if not can_cross_validate(task):
            return as_given_stages(task)
        more = dev_stages(task) if settings.rounds.dev_as_trusted else []
        return [*round_stages(task, settings.rounds), *trusted_stages(task), *more]

    def train(self, task: Task, settings: SelfTrainingSettings, jobs: Jobs) -> Learned:
        """Relabel and train, round by round."""
        if not can_cross_validate(task):
            return train_single_sentence(task, jobs)
        parity = settings.parity
        tracking = Tracking(settings.scoring, parity.scoring_pass, parity.untrained_labels)
        plan = RoundPlan(
            settings=settings.rounds,
            reshuffle=parity.reshuffle,
            ema_decay=0.0,
            hidden=HiddenLabels.none(task.corpus),
            rates=lambda _number, _corpus: NO_NOISE,
            objective=lambda _rates: TrackedLabels(tracking),
            fold_labels=parity.fold_labels,
        )
        trained = self_train(task, jobs, plan)
        kept = kept_round(trained.rounds, parity.kept_round)
        findings = label_findings(trained.rounds, kept, plan, FoundRates("given", NO_NOISE))
        signs = trained.rounds[0].predictions.noise_signs()
        choice = kept_model(task, jobs, parity.kept_model, trained, kept, signs)
        if settings.rounds.dev_as_trusted:
            choice = learn_from_dev(task, jobs, choice)
        if choice.trusted is not None:
            findings = findings_of_trusted(task, findings, choice.trusted)
        tables = {"rounds": round_records(trained.rounds)}
        facts = {
            "kept": choice.facts(),
            "dev_could_teach": dev_could_teach(task, choice, trained.rounds[0].relabelled.suggested),
        }
        return Learned(choice.model, findings, trained.models(), tables, facts, dev_labels=choice.dev_labels)


METHOD: Final = SelfTraining()
