"""Self-training without confidence: every label is trusted, O labels may change, and confidence is only recorded."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec.structs import replace as changed

from tests.methods.test_laws import corpus
from tests.training.small import here, noisy_corpus, small_recipe, small_task
from trustag.crossfit.folds import HiddenLabels, draw_folds
from trustag.crossfit.rounds import FoldModels, fold_jobs
from trustag.methods.self_training import METHOD
from trustag.methods.table import choose_method, load_recipe
from trustag.pipeline import Destination, TrainResult, train_in
from trustag.runs.records import EpochReport
from trustag.text.sentences import REVIEWED, Corpus
from trustag.training.objectives import GivenLabels, WeightedLabels

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


def weights(result: TrainResult) -> bytes:
    return (result.run.best / "weights.safetensors").read_bytes()


def run_of(path: Path, *changes: str) -> TrainResult:
    return train_in(corpus(), small_recipe(*SHORT, *changes, method="self-training"), Destination(path), here())


def test_soft_labels_that_are_point_masses_are_hard_labels(tmp_path: Path) -> None:
    """With every label fixed nothing is soft any more, in the folds and in the final model alike."""
    data = corpus()
    reviewed = tuple(changed(own, token_sources=(REVIEWED,) * len(own)) for own in data.train if None not in own.labels)
    soft = ("method.rounds.relabel=weighted", "method.parity.fold_labels=soft", "method.rounds.baseline=false")
    hard = ("method.rounds.relabel=hard", "method.rounds.baseline=false")
    own = Corpus(reviewed, data.dev)
    made = [
        train_in(own, small_recipe(*SHORT, *how, method="self-training"), Destination(tmp_path / how[0]), here())
        for how in (soft, hard)
    ]
    assert weights(made[0]) == weights(made[1])


def test_later_fold_models_learn_the_probabilities_of_the_round_before() -> None:
    task = small_task(small_recipe(), corpus())
    own = task.corpus
    folds = draw_folds(own, 2, 1, 0, HiddenLabels.none(own))
    table = torch.rand(len(own.label_ids), len(own.labels))
    soft = fold_jobs(task, own, folds, FoldModels(GivenLabels(), 2, finetune_vectors=True, weights=table), "round-2")
    hard = fold_jobs(task, own, folds, FoldModels(GivenLabels(), 2, finetune_vectors=True), "round-2")
    for fold, (name, job) in enumerate(soft.items()):
        objective = job.fit.objective
        assert isinstance(objective, WeightedLabels)
        assert torch.equal(objective.weights, table[own.token_indices(folds.train_indices(fold))])
        assert hard[name].fit.objective == GivenLabels()
        assert hard[name].fit.schedule == job.fit.schedule


@pytest.mark.slow
def test_soft_and_hard_rounds_differ_from_the_second_on(tmp_path: Path) -> None:
    soft, hard = (
        run_of(tmp_path / kind, "method.rounds.relabel=weighted", f"method.parity.fold_labels={kind}")
        for kind in ("soft", "hard")
    )
    first, second = (
        [(own.run.jobs / f"round-{number}" / "fold-1" / "metrics.jsonl").read_bytes() for own in (soft, hard)]
        for number in (1, 2)
    )
    assert first[0] == first[1]
    assert second[0] != second[1]


def test_one_round_in_which_nothing_may_change_is_the_plain_training(tmp_path: Path) -> None:
    """Row 6 with one round and no relabelling is row 1."""
    data = corpus()
    known = tuple(own for own in data.train if None not in own.labels)
    reviewed = Corpus(tuple(changed(own, token_sources=(REVIEWED,) * len(own)) for own in known), data.dev)
    short = ("training.epochs=2", "method.rounds.fold_epochs=1", "method.rounds.relabel=hard")
    alone = ("method.rounds.baseline=false",)
    once = train_in(
        reviewed, small_recipe(*short, *alone, method="self-training"), Destination(tmp_path / "one"), here()
    )
    plain = train_in(Corpus(known, data.dev), small_recipe("training.epochs=2"), Destination(tmp_path / "two"), here())
    assert weights(once) == weights(plain)


def test_the_recipe_of_jie_has_fixed_folds_and_rules_out_illegal_sequences() -> None:
    recipe = load_recipe("self-training-jie")
    assert recipe.model.constraints == "training"
    assert (recipe.training.epochs, recipe.training.batch_size, recipe.training.optimizer) == (100, 10, "sgd")
    rounds, parity = recipe.method["rounds"], recipe.method["parity"]
    assert (rounds["count"], rounds["folds"], rounds["fold_epochs"], rounds["relabel"]) == (10, 2, 100, "hard")
    assert {(number - 1) // parity["reshuffle"] for number in range(1, rounds["count"] + 1)} == {0}


def test_the_confidence_method_without_noise_is_self_training(tmp_path: Path) -> None:
    """Row 10 with rates of zero is row 6: the same fold models, new labels and final models."""
    nothing = ("negative=0.0", "positive=0.0", "source=given")
    visible = ("sentence_initial_words=visible", "truncated_entities=visible", "negatives_per_name=0", "ema_decay=0.0")
    changes = [*(f"method.rates.{change}" for change in nothing), *(f"method.{change}" for change in visible)]
    short = (*SHORT, "method.rounds.baseline=false", "method.rounds.reannotate=outside", "method.rounds.relabel=hard")
    one = train_in(
        corpus(), small_recipe(*short, *changes, method="confidence"), Destination(tmp_path / "confidence"), here()
    )
    other = train_in(corpus(), small_recipe(*short, method="self-training"), Destination(tmp_path / "self"), here())
    assert weights(one) == weights(other)
    for name in ("relabelled.conll", "changes.jsonl"):
        assert (one.run.path / name).read_bytes() == (other.run.path / name).read_bytes()
    losses = [
        [
            json.loads(line)["loss"]
            for line in (run.run.jobs / "round-2" / "fold-1" / "metrics.jsonl").read_text().splitlines()
        ]
        for run in (one, other)
    ]
    assert losses[0] == losses[1]
