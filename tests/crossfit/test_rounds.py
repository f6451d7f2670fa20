"""Rounds of self-training with made-up models: who is trained on what, with which seed, and what is kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import torch

from tests.training.made_up_results import random_outputs, result_of, training_record
from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.crossfit.folds import HiddenLabels, draw_folds
from trustag.crossfit.rounds import (
    FoldModels,
    RoundPlan,
    SelfTrainingRounds,
    also_predicting,
    fold_jobs,
    round_stages,
    self_train,
)
from trustag.crossfit.settings import RoundSettings
from trustag.crossfit.tracking import TrackedLabels, Tracking
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.noise_rates.rates import NO_NOISE, NoiseRates
from trustag.notes import Watch, unwatched
from trustag.runs.records import EpochReport
from trustag.text.sentences import Corpus
from trustag.training.fit_results import FitResult, Job
from trustag.training.objectives import GivenLabels, ObjectiveSpec, SoftLabels, WeightedLabels

TASK = small_task(small_recipe(), Corpus(noisy_corpus().train[:10], noisy_corpus().dev[:4]))
COUNT = len(TASK.corpus.labels)


@dataclass
class MadeUpJobs:
    """Answers every training with random outputs, and keeps what was asked for."""

    stages: list[str] = field(default_factory=list)
    asked: dict[str, Job] = field(default_factory=dict)
    by_stage: dict[str, list[str]] = field(default_factory=dict)
    models: dict[str, Path] = field(default_factory=dict)

    @property
    def watch(self) -> Watch:
        return unwatched

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        self.stages.append(stage)
        self.asked |= jobs
        self.by_stage[stage] = list(jobs)
        self.models |= {name: Path(name) for name in jobs}
        return {
            name: replace(self._result(number, job), model=self.models[name])
            for number, (name, job) in enumerate(jobs.items())
        }

    def _result(self, number: int, job: Job) -> FitResult:
        outputs = random_outputs(number + 100 * len(self.stages), [len(tokens) for tokens in job.predict], COUNT)
        scores = torch.rand(2, len(job.fit.corpus.label_ids))
        return result_of(outputs, training_record(scores), [EpochReport(0, 1.0, f1=0.5, is_best=True)])

    def reuse(self, done: str, name: str) -> None:
        raise AssertionError("nothing is trained twice here")


def plan_of(settings: RoundSettings, **changes: object) -> RoundPlan:
    plan = RoundPlan(
        settings=settings,
        reshuffle=2,
        ema_decay=0.5,
        hidden=HiddenLabels.none(TASK.corpus),
        rates=lambda _number, _corpus: NO_NOISE,
        objective=lambda _rates: TrackedLabels(Tracking()),
    )
    return replace(plan, **changes)  # type: ignore[arg-type]


def trained(settings: RoundSettings, **changes: object) -> tuple[SelfTrainingRounds, MadeUpJobs]:
    jobs = MadeUpJobs()
    return self_train(TASK, jobs, plan_of(settings, **changes)), jobs


def test_fold_models_train_on_the_other_parts_and_predict_their_own() -> None:
    folds = draw_folds(TASK.corpus, 3, 1, 0, HiddenLabels.none(TASK.corpus))
    models = FoldModels(GivenLabels(), epochs=5, finetune_vectors=False)
    jobs = fold_jobs(TASK, TASK.corpus, folds, models, "round-1")
    assert list(jobs) == ["round-1/fold-1", "round-1/fold-2", "round-1/fold-3"]
    for fold, job in enumerate(jobs.values()):
        assert job.fit.corpus.tokens == tuple(TASK.corpus.tokens[number] for number in folds.train_indices(fold))
        assert list(job.predict) == [TASK.corpus.tokens[number] for number in folds.heldout_indices(fold)]
        assert job.fit.schedule.epochs == 5
        assert not job.fit.network.finetune_vectors
        assert not job.keeps_model
    assert len({job.fit.schedule.seed for job in jobs.values()}) == 3


def test_seeds_follow_from_names_or_from_those_of_another_stage() -> None:
    folds = draw_folds(TASK.corpus, 2, 1, 0, HiddenLabels.none(TASK.corpus))
    models = FoldModels(GivenLabels(), None, finetune_vectors=True)

    def seeds(prefix: str, seeded_as: str | None = None) -> list[int]:
        jobs = fold_jobs(TASK, TASK.corpus, folds, models, prefix, seeded_as)
        return [job.fit.schedule.seed for job in jobs.values()]

    assert seeds("search/a", "round-1") == seeds("round-1") != seeds("search/a")


def test_more_sentences_to_predict_come_after_the_own_ones() -> None:
    job = Job(TASK.fit(GivenLabels()), [("own",)])
    asked = also_predicting({"one": job}, [("other", "words")])["one"]
    assert list(asked.predict) == [("own",), ("other", "words")]
    assert asked.fit is job.fit


def test_every_round_trains_fold_models_on_the_labels_of_the_round_before() -> None:
    done, jobs = trained(RoundSettings(count=3, folds=2, reannotate="all", fold_epochs=0))
    for number in (2, 3):
        labels = done.rounds[number - 2].relabelled.label_ids
        folds = done.rounds[number - 1].predictions.folds
        assert not torch.equal(labels, TASK.corpus.label_ids)
        for fold in range(2):
            expected = labels[TASK.corpus.token_indices(folds.train_indices(fold))]
            assert torch.equal(jobs.asked[f"round-{number}/fold-{fold + 1}"].fit.corpus.label_ids, expected)
    # What may change is decided on the original labels each time.
    assert all(torch.equal(own.predictions.corpus.label_ids, TASK.corpus.label_ids) for own in done.rounds)


def test_trainings_continue_from_models_that_saw_no_other_labels_in_half_the_epochs() -> None:
    names = ("rates/fold-1", "rates/fold-2")
    starts = [replace(result_of(random_outputs(1, [2], COUNT), {}, []), model=Path(name)) for name in names]
    _, anew = trained(RoundSettings(count=2, folds=2, fold_epochs=9))
    _, jobs = trained(RoundSettings(count=2, folds=2, fold_epochs=9), starts=starts)
    from_model = {name: job.fit.start and job.fit.start.model for name, job in jobs.asked.items()}
    fold_model = jobs.models["round-1/fold-1"]
    assert from_model == {
        "round-1/fold-1": Path("rates/fold-1"),
        "round-1/fold-2": Path("rates/fold-2"),
        "round-1/final": fold_model,
        "plain": Path("rates/fold-1"),
        "round-2/fold-1": None,
        "round-2/fold-2": None,
        "round-2/final": jobs.models["round-2/fold-1"],
    }
    for name, start in from_model.items():
        before = anew.asked[name].fit
        assert before.start is None
        assert jobs.asked[name].fit.schedule == (before.schedule.halved() if start else before.schedule)
    assert all(job.keeps_model for job in jobs.asked.values())
    assert not any(anew.asked[f"round-1/fold-{fold}"].keeps_model for fold in (1, 2))


@pytest.mark.parametrize("has_starts", [True, False])
@pytest.mark.parametrize("baseline", [True, False])
def test_stages_are_as_long_as_their_trainings(has_starts: bool, baseline: bool) -> None:
    settings = RoundSettings(count=2, folds=2, fold_epochs=9, baseline=baseline)
    starts = [result_of(random_outputs(1, [2], COUNT), {}, [])] * 2 if has_starts else []
    _, jobs = trained(settings, starts=starts)
    for stage in round_stages(TASK, settings, has_starts=has_starts):
        own = jobs.by_stage[stage.name]
        assert {jobs.asked[name].fit.schedule.epochs for name in own} == {stage.epochs}
        assert stage.trainings == len(own)


@pytest.mark.parametrize(("every", "expected"), [(2, [0, 0, 1]), (1, [0, 1, 2])])
def test_folds_are_drawn_anew_every_so_many_rounds(every: int, expected: list[int]) -> None:
    done, _ = trained(RoundSettings(count=3, folds=2), reshuffle=every)
    drawings = [draw_folds(TASK.corpus, 2, TASK.seed, drawing, HiddenLabels.none(TASK.corpus)) for drawing in range(3)]
    assert [own.predictions.folds.parts for own in done.rounds] == [drawings[drawing].parts for drawing in expected]
    assert len({str(own.parts) for own in drawings}) == 3


@pytest.mark.parametrize(
    ("relabel", "kind"), [("hard", GivenLabels), ("soft", SoftLabels), ("weighted", WeightedLabels)]
)
def test_final_models_learn_the_new_labels_in_the_chosen_way_with_the_seed_of_the_run(
    relabel: str, kind: type[object]
) -> None:
    done, jobs = trained(RoundSettings(count=1, relabel=relabel))  # type: ignore[arg-type]
    job = jobs.asked["round-1/final"]
    found = done.rounds[0].relabelled
    assert isinstance(job.fit.objective, kind)
    if isinstance(job.fit.objective, SoftLabels):
        assert torch.equal(job.fit.objective.probabilities, found.probabilities)
    if isinstance(job.fit.objective, WeightedLabels):
        assert torch.equal(job.fit.objective.weights, found.probabilities)
    assert torch.equal(job.fit.corpus.label_ids, found.label_ids)
    assert job.fit.schedule.seed == TASK.seed
    assert job.keeps_model
    assert list(job.predict) == list(TASK.corpus.tokens)


def test_a_method_may_choose_the_objectives_of_fold_and_final_models_by_the_rates_of_a_round() -> None:
    asked: list[tuple[str, NoiseRates]] = []

    def rates(number: int, corpus: EncodedCorpus) -> NoiseRates:
        return NoiseRates(number / 10, int((corpus.label_ids > 0).sum()) / 1000)

    def objective(name: str, own: NoiseRates) -> ObjectiveSpec:
        asked.append((name, own))
        return GivenLabels()

    done, _ = trained(
        RoundSettings(count=2, reannotate="all"),
        rates=rates,
        objective=lambda own: objective("fold", own),
        final_objective=lambda own: objective("final", own),
    )
    labels = [TASK.corpus.label_ids, done.rounds[0].relabelled.label_ids]
    expected = [NoiseRates(number / 10, int((own > 0).sum()) / 1000) for number, own in enumerate(labels, start=1)]
    assert [own.rates for own in done.rounds] == expected
    assert asked == [("fold", expected[0]), ("final", expected[0]), ("fold", expected[1]), ("final", expected[1])]


def test_fold_models_are_given_the_rates_of_visible_labels() -> None:
    entities = TASK.corpus.label_ids > 0
    first = entities & (torch.cumsum(entities, 0) == 1)
    asked: list[NoiseRates] = []

    def objective(rates: NoiseRates) -> ObjectiveSpec:
        asked.append(rates)
        return GivenLabels()

    hidden = HiddenLabels(first, torch.zeros_like(first))
    trained(RoundSettings(count=1), hidden=hidden, rates=lambda *_: NoiseRates(0.0, 0.5), objective=objective)
    total = int(entities.sum())
    assert asked[0].positive == pytest.approx((0.5 * total - 1) / (total - 1))


@pytest.mark.parametrize("baseline", [True, False])
def test_the_baseline_is_trained_once_beside_the_first_final_model(baseline: bool) -> None:
    done, jobs = trained(RoundSettings(count=2, baseline=baseline))
    assert ("plain" in jobs.asked) == baseline
    assert list(done.models()) == [*(["baseline"] if baseline else []), "round-1", "round-2"]
    if baseline:
        assert torch.equal(jobs.asked["plain"].fit.corpus.label_ids, TASK.corpus.label_ids)
        assert done.models()["baseline"] is done.baseline
    assert done.models()["round-2"] is done.rounds[1].final


def test_training_statistics_are_those_of_the_first_round() -> None:
    done, _ = trained(RoundSettings(count=2))
    first, second = (own.relabelled.statistics for own in done.rounds)
    assert first.training is not None
    assert second.training is first.training
    assert not torch.equal(second.probabilities, first.probabilities)


def test_the_stages_are_those_that_were_planned() -> None:
    settings = RoundSettings(count=2, folds=3, fold_epochs=4)
    _, jobs = trained(settings)
    stages = round_stages(TASK, settings)
    assert [stage.name for stage in stages] == jobs.stages
    assert [stage.trainings for stage in stages] == [3, 2, 3, 1]
    assert [stage.epochs for stage in stages] == [4, 3, 4, 3]
    assert stages[0].share == pytest.approx(2 / 3)
