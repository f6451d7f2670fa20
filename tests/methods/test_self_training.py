"""Self-training without confidence: every label is trusted, O labels may change, and confidence is only recorded."""

import json

import numpy as np
import pytest

from tests.training.small import here, noisy_corpus, small_recipe
from trustag.methods.self_training import METHOD
from trustag.methods.table import choose_method
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.runs.records import EpochReport
from trustag.text.sentences import Corpus

SHORT = ("training.epochs=2", "method.rounds.fold_epochs=2", "method.rounds.count=2")


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    data = noisy_corpus()
    recipe = small_recipe(*SHORT, method="self-training")
    corpus = Corpus(data.train[:30], data.dev[:10], data.test[:5])
    return train_in(corpus, recipe, Destination(tmp_path_factory.mktemp("self") / "run"), here())


def test_it_is_the_method_of_its_name() -> None:
    assert choose_method(small_recipe(method="self-training")).method is METHOD


@pytest.mark.slow
def test_it_takes_no_label_for_noise_and_distrusts_none(result: TrainResult) -> None:
    assert result.analysis is not None
    rates = result.analysis.rates
    assert (rates.source, rates.rates.negative, rates.rates.positive) == ("given", 0.0, 0.0)
    assert result.analysis.columns["trusted"].all()
    metrics = result.run.jobs / "round-1" / "fold-1" / "metrics.jsonl"
    epochs = [EpochReport(**json.loads(line)) for line in metrics.read_text().splitlines()]
    assert all(epoch.facts["distrusted_negative"] == epoch.facts["distrusted_positive"] == 0 for epoch in epochs)


@pytest.mark.slow
def test_entity_labels_stay_and_the_confidence_in_every_label_is_recorded(result: TrainResult) -> None:
    assert result.analysis is not None
    # No entity label is untrusted at a rate of zero, so only O labels change.
    assert {change.before for change in result.analysis.all_changes} <= {"O"}
    mean = result.analysis.columns["mean"]
    assert ((mean > 0) & (mean < 1)).all()
    assert np.unique(mean).size > 10


@pytest.mark.slow
def test_it_leaves_rounds_and_models_to_compare(result: TrainResult) -> None:
    assert list(result.compared) == ["baseline", "round-1", "round-2"]
    rounds = [json.loads(line) for line in result.run.rounds.read_text().splitlines()]
    assert [record["round"] for record in rounds] == [1, 2]
    assert result.analysis is not None
    assert [record["changed"] for record in rounds] == result.analysis.changes_by_round()
    assert not result.run.search.exists()
