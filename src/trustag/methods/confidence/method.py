"""The confidence method: estimate how noisy the labels are, distrust the least confident ones, relabel, train."""

from collections.abc import Sequence
from typing import Final

from trustag.crossfit.dev_as_trusted import dev_stages, learn_from_dev
from trustag.crossfit.findings import findings_of_trusted, kept_round, label_findings, round_records
from trustag.crossfit.keeping import kept_model
from trustag.crossfit.rounds import RoundPlan, round_stages, self_train
from trustag.crossfit.trusted_models import trusted_stages
from trustag.crossfit.worth_of_dev import dev_could_teach
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.base import Learned, as_given_stages, can_cross_validate, check_label_scores, train_single_sentence
from trustag.methods.confidence.hidden_labels import note_sentence_initial_words, note_truncated_entities
from trustag.methods.confidence.objective import ConfidentLabels
from trustag.methods.confidence.rate_search import SEARCH, grid_size
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.methods.confidence.task_rates import RATES, TRUNCATED, check_source, find_rates, truncated_entities_apart
from trustag.noise_rates.gold_rates import gold_rates
from trustag.noise_rates.rates import NoiseRates
from trustag.training.jobs import Jobs
from trustag.training.stages import Stage
from trustag.training.task import Task


class Confidence:
    """The method of the paper, with rates that need no clean data and rounds that relabel by cross-validation."""

    summary = "Distrust labels in which models have little confidence (the paper's method)."
    Settings = ConfidenceSettings

    def check(self, task: Task, settings: ConfidenceSettings) -> None:
        """Refuse a search without dev, measured rates without gold, and a head without scores of labels."""
        check_label_scores(task)
        check_source(task, settings)

    def plan(self, task: Task, settings: ConfidenceSettings) -> Sequence[Stage]:
        """Noise rates first, where models are needed for them; then rounds."""
        if not can_cross_validate(task):
            return as_given_stages(task)
        rounds, source = settings.rounds, settings.rates.source
        sentences = len(task.corpus)
        folds = min(rounds.folds, sentences)
        share = (folds - 1) / folds
        part = round(sentences * share)
        epochs = task.planned_epochs(part, settings.rates.estimate_epochs)
        stages: list[Stage] = []
        if truncated_entities_apart(settings):
            purpose = "Models that did not see them predict labels on one word of a longer name."
            stages.append(Stage(TRUNCATED, "Are entities truncated?", purpose, folds, epochs, share))
        if source in {"auto", "dev"}:
            whose = (
                "the part of the corpus it was not trained on" if source == "auto" else "dev, which shows its errors"
            )
            purpose = f"Each model predicts {whose}."
            stages.append(Stage(RATES, "How noisy are the labels?", purpose, folds, epochs, share))
        elif source == "searched":
            purpose = "Models are trained with every noise rate in question and scored on dev."
            trainings, epochs = (
                folds * grid_size(settings.rates.grid),
                task.planned_epochs(part, rounds.fold_epochs or None),
            )
            stages.append(Stage(SEARCH, "Which noise rates do best?", purpose, trainings, epochs, share))
        has_starts = settings.parity.starts == "continued" and source in {"auto", "dev"}
        more = dev_stages(task) if rounds.dev_as_trusted else []
        return [*stages, *round_stages(task, rounds, has_starts=has_starts), *trusted_stages(task), *more]

    def train(self, task: Task, settings: ConfidenceSettings, jobs: Jobs) -> Learned:
        """Find the noise rates, then self-train with labels distrusted at these rates."""
        if not can_cross_validate(task):
            return train_single_sentence(task, jobs)
        parity = settings.parity
        rates = find_rates(task, settings, jobs)
        note_sentence_initial_words(task, rates.hidden, jobs.watch)
        note_truncated_entities(rates.found.truncated_entities, jobs.watch)

        def rates_of(number: int, corpus: EncodedCorpus) -> NoiseRates:
            if number == 1 or parity.later_rates == "same":
                return rates.found.rates
            if parity.later_rates == "fixed":
                return NoiseRates(parity.later_negative, parity.later_positive)
            return gold_rates(corpus, settings.rates.rates_per).capped()

        def objective(visible: NoiseRates) -> ConfidentLabels:
            return ConfidentLabels(visible, settings)

        plan = RoundPlan(
            settings=settings.rounds,
            reshuffle=parity.reshuffle,
            ema_decay=settings.ema_decay,
            hidden=rates.hidden,
            rates=rates_of,
            objective=objective,
            final_objective=objective if parity.final_confidence else None,
            starts=rates.models if settings.parity.starts == "continued" else (),
        )
        trained = self_train(task, jobs, plan)
        kept = kept_round(trained.rounds, parity.kept_round)
        findings = label_findings(trained.rounds, kept, plan, rates.found)
        choice = kept_model(task, jobs, parity.kept_model, trained, kept, rates.signs)
        tables = {"rounds": round_records(trained.rounds)}
        if rates.search:
            tables["search"] = list(rates.search)
        gold_used_for = "the noise rates" if settings.rates.source == "oracle" else ""
        if settings.rounds.dev_as_trusted:
            choice = learn_from_dev(task, jobs, choice)
        if choice.trusted is not None:
            findings = findings_of_trusted(task, findings, choice.trusted)
        facts = {
            "kept": choice.facts(),
            "dev_could_teach": dev_could_teach(task, choice, trained.rounds[0].relabelled.suggested),
        }
        return Learned(choice.model, findings, trained.models(), tables, facts, gold_used_for, choice.dev_labels)


METHOD: Final = Confidence()
