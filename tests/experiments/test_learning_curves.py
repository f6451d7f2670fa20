"""Learning curves of a run: drawn on rightly, and measured on sentences that no model has learned from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import torch

from tests.crossfit.test_dev_as_trusted import DEV, noisy
from tests.training.made_up_results import flat_chain, result_of
from tests.training.small import here, small_recipe
from trustag.crf.crf_outputs import CRFOutputs
from trustag.errors import InputError
from trustag.experiments.learning_curves import (
    NOISY,
    REVIEWED,
    CurvePoint,
    LearningCurves,
    curve_stages,
    learning_curves,
    task_of_run,
)
from trustag.notes import Watch, unwatched
from trustag.pipeline import Destination, train_in
from trustag.text.sentences import Corpus, Sentence
from trustag.training.fit_results import FitResult, Job


def points(pairs: Mapping[int, float]) -> tuple[CurvePoint, ...]:
    return tuple(CurvePoint(count, f1) for count, f1 in pairs.items())


def test_a_curve_that_is_a_line_over_the_logarithm_is_drawn_on_as_it_is() -> None:
    curves = LearningCurves(points({250: 0.5, 500: 0.52, 1000: 0.54}), points({0: 0.54, 10: 0.6, 30: 0.66}), 100)
    assert curves.noisy_gain(1000) == pytest.approx(0.02)
    assert curves.noisy_gain(3000) == pytest.approx(0.04)
    assert curves.reviewed_gain(30) == pytest.approx(0.12)
    assert curves.reviewed_gain(70) == pytest.approx(0.18)
    assert curves.reviewed_gain(0) == 0.0


def test_the_exchange_rate_turns_one_gain_into_the_other() -> None:
    curves = LearningCurves(points({250: 0.5, 500: 0.52, 1000: 0.54}), points({0: 0.54, 10: 0.56, 30: 0.58}), 100)
    worth = curves.worth_in_noisy(30)
    assert worth == 3000
    assert curves.noisy_gain(worth) == pytest.approx(curves.reviewed_gain(30), abs=1e-3)


def test_where_noisy_sentences_bring_nothing_no_number_of_them_is_worth_reviewed_ones() -> None:
    curves = LearningCurves(points({250: 0.5, 500: 0.5, 1000: 0.49}), points({0: 0.5, 10: 0.6}), 100)
    assert curves.noisy_gain(10_000) == 0.0
    assert curves.worth_in_noisy(50) is None


def test_reviewed_sentences_that_bring_nothing_are_worth_no_noisy_ones() -> None:
    curves = LearningCurves(points({250: 0.5, 500: 0.5, 1000: 0.49}), points({0: 0.5, 10: 0.48}), 100)
    assert curves.reviewed_gain(100) == 0.0
    assert curves.worth_in_noisy(100) == 0


@dataclass
class KeptJobs:
    """Trainings that are remembered instead of done; their models label everything ``O``."""

    labels: int
    asked: dict[str, Job] = field(default_factory=dict)

    @property
    def watch(self) -> Watch:
        return unwatched

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        assert stage in {NOISY, REVIEWED}
        self.asked |= jobs
        return {name: self._result(job) for name, job in jobs.items()}

    def _result(self, job: Job) -> FitResult:
        lengths = [len(tokens) for tokens in job.predict]
        logits = torch.zeros(sum(lengths), self.labels)
        logits[:, 0] = 9.0
        return result_of(CRFOutputs(lengths, logits, flat_chain(self.labels)))

    def reuse(self, done: str, name: str) -> None:
        raise AssertionError("nothing is trained twice here")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run on sentences of which nearly all call persons places."""
    place = tmp_path_factory.mktemp("advice") / "run"
    train_in(Corpus(noisy(60)), small_recipe(method="bilstm-crf"), Destination(place), here())
    return place


def test_no_scored_sentence_was_learned_from(run: Path) -> None:
    task = task_of_run(run, DEV, unwatched)
    jobs = KeptJobs(len(task.corpus.labels))
    curves = learning_curves(task, jobs, run / "model-best")
    taught = {name: job for name, job in jobs.asked.items() if name.startswith(REVIEWED)}
    scored = {tokens for job in jobs.asked.values() for tokens in job.predict}
    assert scored <= {own.tokens for own in DEV}
    assert len(scored) == curves.scored == 25
    for job in taught.values():
        assert not set(job.fit.corpus.tokens) & scored
        assert job.fit.start is not None
        assert not job.fit.dev
    assert [point.sentences for point in curves.reviewed] == [0, 6, 12, 25]
    assert [point.sentences for point in curves.noisy] == [15, 30, 60]
    assert {point.f1 for point in curves.noisy} == {0.0}


def test_a_type_that_the_run_does_not_know_is_unknown(run: Path) -> None:
    clean = [replace_labels(own) for own in DEV]
    task = task_of_run(run, clean, unwatched)
    assert {label for own in task.dev for label in own.labels} == {"O", None}


def replace_labels(sentence: Sentence) -> Sentence:
    labels = tuple("O" if label == "O" else "B-GOD" for label in sentence.labels)
    return Sentence(sentence.tokens, labels)


def test_too_few_clean_sentences_are_refused(run: Path) -> None:
    with pytest.raises(InputError, match="too few"):
        task_of_run(run, DEV[:39], unwatched)


def test_stages_are_planned_for_all_trainings(run: Path) -> None:
    stages = curve_stages(task_of_run(run, DEV, unwatched))
    assert [(stage.name, stage.trainings) for stage in stages] == [(NOISY, 3), (REVIEWED, 3)]
