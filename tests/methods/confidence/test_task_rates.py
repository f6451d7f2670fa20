"""Where noise rates come from: what each source needs, which models it asks, and what it returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pytest
import torch
from msgspec.structs import replace as changed

from tests.training.made_up_results import flat_chain, result_of
from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.crf.crf_outputs import CRFOutputs
from trustag.data.encoded_corpus import encode_gold
from trustag.data.label_pairs import encode_pairs
from trustag.errors import InputError
from trustag.methods.confidence.objective import ConfidentLabels
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.methods.confidence.task_rates import check_source, find_rates, truncated_entities_apart
from trustag.methods.table import choose_method
from trustag.noise_rates.gold_rates import gold_rates
from trustag.noise_rates.rates import NO_NOISE, NoiseRates
from trustag.notes import Watch, unwatched
from trustag.text.sentences import Corpus
from trustag.training.fit_results import FitResult, Job
from trustag.training.task import Task

DATA = noisy_corpus()
TASK = small_task(small_recipe(), Corpus(DATA.train[:20], DATA.dev[:10]))
GOLD = {sentence.tokens: sentence.gold for sentence in DATA.train} | {s.tokens: s.labels for s in DATA.dev}


def settings_of(*changes: str) -> ConfidenceSettings:
    settings = choose_method(small_recipe(*changes, method="confidence")).settings
    assert isinstance(settings, ConfidenceSettings)
    return settings


@dataclass
class KnowingJobs:
    """Models that predict the gold labels of whatever sentence they are asked about, and are nearly sure of them."""

    task: Task
    stages: list[str] = field(default_factory=list)
    asked: dict[str, Job] = field(default_factory=dict)

    @property
    def watch(self) -> Watch:
        return unwatched

    def run(self, stage: str, jobs: Mapping[str, Job]) -> dict[str, FitResult]:
        self.stages.append(stage)
        self.asked |= jobs
        return {name: self._result(job) for name, job in jobs.items()}

    def _result(self, job: Job) -> FitResult:
        labels = self.task.corpus.labels
        rows = torch.cat(encode_gold([GOLD[tuple(tokens)] or () for tokens in job.predict], labels))
        logits = 4.0 * torch.nn.functional.one_hot(rows, len(labels)).float()
        lengths = [len(tokens) for tokens in job.predict]
        return result_of(CRFOutputs(lengths, logits, flat_chain(len(labels))))

    def reuse(self, done: str, name: str) -> None:
        raise AssertionError("nothing is trained twice here")


@pytest.mark.parametrize("source", ["searched", "dev"])
def test_a_source_that_needs_dev_is_refused_without(source: str) -> None:
    settings = settings_of(f"method.rates.source={source}")
    check_source(TASK, settings)
    with pytest.raises(InputError, match=f"method.rates.source={source} needs a dev split"):
        check_source(replace(TASK, dev=()), settings)


@pytest.mark.parametrize("change", ["method.rates.source=oracle", "method.parity.later_rates=measured"])
def test_measured_rates_are_refused_without_gold(change: str) -> None:
    settings = settings_of(change)
    check_source(TASK, settings)
    bare = small_task(small_recipe(), Corpus(tuple(changed(own, gold=None) for own in DATA.train[:20])))
    with pytest.raises(InputError, match="no gold column"):
        check_source(bare, settings)


def test_given_rates_need_no_model_unless_truncated_entities_are_in_question() -> None:
    given = ("method.rates.source=given", "method.rates.negative=0.1", "method.rates.positive=0.2")
    jobs = KnowingJobs(TASK)
    found = find_rates(TASK, settings_of(*given, "method.truncated_entities=visible"), jobs)
    assert jobs.stages == []
    assert (found.found.source, found.found.rates) == ("given", NoiseRates(0.1, 0.2))
    assert found.found.truncated_entities is None
    asking = settings_of(*given)
    assert truncated_entities_apart(asking)
    found = find_rates(TASK, asking, jobs)
    assert jobs.stages == ["judges"]
    assert list(jobs.asked) == ["judges/fold-1", "judges/fold-2"]
    assert found.found.rates == NoiseRates(0.1, 0.2)
    assert found.found.truncated_entities is not None


def test_measured_rates_are_those_of_the_gold_labels() -> None:
    jobs = KnowingJobs(TASK)
    found = find_rates(TASK, settings_of("method.rates.source=oracle"), jobs)
    assert jobs.stages == []
    assert found.found.source == "oracle"
    assert found.found.rates == gold_rates(TASK.corpus, "label").capped()
    assert found.found.rates.negative > 0


def test_estimated_rates_rest_on_short_trainings_that_trust_every_label() -> None:
    jobs = KnowingJobs(TASK)
    settings = settings_of("method.rates.estimate_epochs=3", "method.rates.rates_per=type")
    found = find_rates(TASK, settings, jobs)
    assert jobs.stages == ["rates"]
    for job in jobs.asked.values():
        assert job.fit.schedule.epochs == 3
        assert isinstance(job.fit.objective, ConfidentLabels)
        assert job.fit.objective.rates == NO_NOISE
    rates = found.found
    assert rates.source == "auto"
    # The models know the truth: half of the sentences have lost their entities, and no entity label is wrong.
    measured = gold_rates(TASK.corpus)
    assert rates.rates.negative == pytest.approx(measured.negative, rel=0.3)
    assert rates.rates.positive < 0.05
    assert rates.negative_interval is not None
    assert rates.negative_interval[0] <= rates.rates.negative <= rates.negative_interval[1]
    assert set(rates.rates.by_group) <= set(TASK.corpus.labels.types)
    assert not found.search


def test_rates_shown_on_dev_ask_the_same_models_about_dev_too() -> None:
    jobs = KnowingJobs(TASK)
    found = find_rates(TASK, settings_of("method.rates.source=dev"), jobs)
    assert jobs.stages == ["rates"]
    for job in jobs.asked.values():
        assert list(job.predict)[-len(TASK.dev) :] == [sentence.tokens for sentence in TASK.dev]
    assert found.found.source == "dev"
    # Models that make no errors on dev have learned no noise to repeat there.
    assert (found.found.rates.negative, found.found.rates.positive) == (0.0, 0.0)


def test_counted_rates_take_the_place_of_the_estimate() -> None:
    twice = [changed(own, labels=own.labels, gold=own.gold) for own in DATA.train[20:60]]
    pairs = encode_pairs(twice, TASK.corpus.labels)
    found = find_rates(replace(TASK, pairs=pairs), settings_of(), KnowingJobs(TASK)).found
    wrong = (pairs.given != pairs.clean) & (pairs.given >= 0) & (pairs.clean >= 0)
    assert found.source == "pairs"
    assert found.pairs == 40
    assert found.rates.negative == pytest.approx(wrong[pairs.given == 0].mean())
    assert found.rates.positive == pytest.approx(wrong[pairs.given > 0].mean())
    assert found.positive_interval is not None
    assert found.positive_interval[0] <= found.rates.positive <= found.positive_interval[1]
    assert found.kinds is not None
    assert found.kinds.missed.estimate == found.rates.negative


def test_too_few_sentences_labelled_twice_leave_the_estimate() -> None:
    pairs = encode_pairs(DATA.train[20:30], TASK.corpus.labels)
    found = find_rates(replace(TASK, pairs=pairs), settings_of(), KnowingJobs(TASK)).found
    assert (found.source, found.pairs, found.kinds) == ("auto", 0, None)
