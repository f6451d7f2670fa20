"""LRNT: its two stages, of which the second starts from the weights of the first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from trustag.crossfit.model_findings import findings_of_model
from trustag.methods.base import Learned, check_label_scores
from trustag.methods.lrnt.outside_sampling import SampledOutside
from trustag.methods.lrnt.sentence_selection import good_sentences
from trustag.methods.lrnt.settings import LRNTSettings
from trustag.models.network_spec import NetworkSpec
from trustag.models.warm_start import WarmStart
from trustag.training.fit_results import Job
from trustag.training.fitting import FitSpec
from trustag.training.jobs import Jobs
from trustag.training.stages import Stage
from trustag.training.task import Task

_CLASSIFIER: Final = "classifier"
_FINAL: Final = "final"


class LRNT:
    """Trains a classifier on the noisier sentences, then from its weights a CRF on the better ones."""

    summary = "Train a classifier on noisy sentences, then a CRF on good ones, with sampled O labels (LRNT)."
    Settings = LRNTSettings

    def check(self, task: Task, settings: LRNTSettings) -> None:  # noqa: ARG002 - every method's
        """Refuse a head without scores of labels."""
        check_label_scores(task)

    def plan(self, task: Task, settings: LRNTSettings) -> Sequence[Stage]:
        """Plan the classifier, where it has sentences, and the final model."""
        good, others = _parts(task, settings)
        stages = []
        if others:
            fit, share = _classifier(task, settings, others), len(others) / len(task.corpus)
            purpose = "A classifier of tokens learns from sentences whose labels look less good."
            stages.append(Stage(_CLASSIFIER, "Classifier", purpose, 1, fit.schedule.epochs, share))
        purpose = "One model, with that encoder, learns from sentences whose labels look good."
        share = len(good) / len(task.corpus)
        return [*stages, Stage(_FINAL, "Final model", purpose, 1, task.planned_epochs(len(good)), share)]

    def train(self, task: Task, settings: LRNTSettings, jobs: Jobs) -> Learned:
        """Train the classifier, then the final model from its weights."""
        corpus = task.corpus
        good, others = _parts(task, settings)
        final = task.fit(SampledOutside(settings), corpus.subset(good))
        if others:
            job = Job(_classifier(task, settings, others), keeps_model=True)
            final = replace(final, start=WarmStart(jobs.run(_CLASSIFIER, {_CLASSIFIER: job})[_CLASSIFIER].model))
        model = jobs.run(_FINAL, {_FINAL: Job(final, corpus.tokens, keeps_model=True)})[_FINAL]
        facts = {"good_sentences": len(good), "other_sentences": len(corpus) - len(good)}
        return Learned(model, findings_of_model(task, model), facts=facts)


def _parts(task: Task, settings: LRNTSettings) -> tuple[list[int], list[int]]:
    """Return the good sentences and those for a classifier."""
    good = good_sentences(task.corpus, settings)
    chosen = set(good)
    others = [number for number in range(len(task.corpus)) if number not in chosen]
    return good, others if settings.classifier_share else []


def _classifier(task: Task, settings: LRNTSettings, sentences: Sequence[int]) -> FitSpec:
    fit = task.fit(SampledOutside(settings), task.corpus.subset(sentences), seed_name=_CLASSIFIER)
    return replace(fit, network=_with_softmax(fit.network)).lasting(settings.classifier_share)


def _with_softmax(network: NetworkSpec) -> NetworkSpec:
    own = network.settings
    return replace(network, settings=own.model_copy(update={"model": own.model.model_copy(update={"head": "softmax"})}))


METHOD: Final = LRNT()
