"""Pruning: which labels and sentences go, that the final model never sees them, and what is found on made-up noise."""

import json
from pathlib import Path

import pytest
import torch

from tests.methods.generated import WRONG, generated_corpus
from tests.methods.test_laws import corpus
from tests.training.small import here, small_recipe, small_task
from trustag.data.encoded_corpus import NO_LABEL
from trustag.methods.filter import FilterSettings, pruned
from trustag.methods.table import choose_method
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, TrainResult, train_in

TASK = small_task(small_recipe(), corpus())


def test_pruned_labels_are_unknown_and_all_others_stay() -> None:
    own = TASK.corpus
    wrong = (torch.arange(len(own.label_ids)) % 5 == 0) & (own.unreviewed_ids != NO_LABEL)
    found = pruned(own, wrong, "labels", unwatched)
    assert (found.label_ids[wrong] == NO_LABEL).all()
    assert torch.equal(found.label_ids[~wrong], own.label_ids[~wrong])


def test_sentences_with_a_wrong_label_go_but_not_those_that_a_person_has_seen() -> None:
    own = TASK.corpus
    wrong = torch.zeros_like(own.label_ids, dtype=torch.bool)
    wrong[[own.offsets[0], own.offsets[5]]] = True
    found = pruned(own, wrong, "sentences", unwatched)
    assert found.tokens == tuple(tokens for number, tokens in enumerate(own.tokens) if number not in {0, 5})
    reviewed = next(number for number in range(len(own)) if own.reviewed[own.offsets[number]])
    wrong[own.offsets[reviewed]] = True
    assert own.tokens[reviewed] in pruned(own, wrong, "sentences", unwatched).tokens


def test_labels_are_pruned_where_no_sentence_would_be_left() -> None:
    own = TASK.corpus.subset([0, 2, 4])
    assert not own.reviewed.any()
    notes: list[Note] = []
    found = pruned(own, torch.ones_like(own.label_ids, dtype=torch.bool), "sentences", notes.append)
    assert len(found) == 3
    assert len(notes) == 1


def trained(path: Path, *changes: str) -> TrainResult:
    sizes = ("bilstm.words=20", "bilstm.hidden=20", "bilstm.dropout=0.1")
    loop = ("training.epochs=10", "training.batch_size=4", "training.learning_rate=0.03", "method.folds.epochs=10")
    recipe = small_recipe(*sizes, *loop, *changes, method="filter")
    return train_in(generated_corpus(), recipe, Destination(path), here())


@pytest.mark.slow
def test_lost_labels_are_pruned_and_the_model_learns_from_the_rest(tmp_path: Path) -> None:
    result = trained(tmp_path / "run")
    assert result.scores.test is not None
    assert result.scores.test.micro.f1 > 0.9
    analysis = result.analysis
    assert analysis is not None
    distrusted = ~analysis.columns["trusted"]
    assert set(analysis.columns["sentence"][distrusted].tolist()) >= set(WRONG)
    assert analysis.detection is not None
    assert analysis.detection.negative.recall > 0.7
    assert {issue.sentence for issue in analysis.issues[:3]} <= set(WRONG)
    manifest = json.loads(result.run.manifest.read_text())
    assert manifest["pruned"] == {"labels": int(distrusted.sum()), "sentences": 0}
    sentences = trained(tmp_path / "sentences", "method.prune=sentences")
    assert json.loads(sentences.run.manifest.read_text())["pruned"]["sentences"] >= len(WRONG)


def test_the_plan_is_two_folds_and_a_final_model() -> None:
    chosen = choose_method(small_recipe(method="filter"))
    stages = chosen.method.plan(TASK, FilterSettings())
    assert [(stage.name, stage.trainings, stage.share) for stage in stages] == [("folds", 2, 0.5), ("final", 1, 1.0)]
