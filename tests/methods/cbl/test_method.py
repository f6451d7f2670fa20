"""Whole runs of constrained binary learning on a small corpus."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from msgspec.structs import replace as changed

from tests.methods.cbl.small import run_to, small_corpus, small_recipe, task_of
from trustag.cli.summary import in_words
from trustag.corpora.locating import CorpusOptions, read_corpus
from trustag.crossfit.settings import FoldSettings
from trustag.export.model_loading import load
from trustag.methods.cbl.method import binary_task
from trustag.methods.table import choose_method, load_recipe
from trustag.notes import Note, unwatched
from trustag.pipeline import TrainResult
from trustag.reports.run_report import write_report
from trustag.review.decisions import DecisionLog
from trustag.review.reviewed_run import open_reviewed_run
from trustag.review.session import ReviewSession
from trustag.runs.reading import open_runs
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence


def test_the_binary_task_knows_one_type_and_the_same_tokens() -> None:
    task = task_of(small_corpus())
    binary = binary_task(replace(task, training=task.training.model_copy(update={"evaluator": "published"})))
    assert binary.corpus.labels.labels == ("O", "I-ENTITY")
    assert binary.corpus.tokens == task.corpus.tokens
    assert torch.equal(binary.corpus.label_ids, (task.corpus.label_ids > 0).long())
    assert {label for sentence in binary.dev for label in sentence.labels} == {"O", "I-ENTITY"}
    for own, other in zip(binary.dev, task.dev, strict=True):
        assert [label == "O" for label in own.labels] == [label == "O" for label in other.labels]
    assert binary.training.evaluator == "conlleval"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    return run_to(tmp_path_factory.mktemp("cbl") / "run", small_corpus())


def test_a_run_leaves_a_model_that_predicts(finished: TrainResult) -> None:
    model = load(finished.run.path)
    assert {kind for label in model.tagger.labels.labels[1:] for kind in [label[2:]]} == {"LOC", "MISC", "ORG", "PER"}
    assert len(model.predict(["Ann Smith moved to Lisbon."])) == 1
    assert finished.scores.dev is not None
    assert finished.scores.test is not None


def test_the_stages_are_those_that_were_planned(finished: TrainResult) -> None:
    chosen_method = choose_method(small_recipe())
    plan = chosen_method.method.plan(task_of(small_corpus()), chosen_method.settings)
    names = [stage.name for stage in plan]
    assert names[-1] == "typed"
    assert sorted(names) == sorted(path.name for path in finished.run.jobs.iterdir())
    records = json.loads(finished.run.manifest.read_text())["binary_rounds"]
    assert [f"binary-{record['round']}" for record in records] == names[:-1]
    assert len(records) > 1
    tokens = sum(len(sentence) for sentence in small_corpus().train)
    for record in records:
        assert record["entity_tokens"] == int(record["share"] * tokens + 1e-6)


def test_findings_agree_with_the_files(finished: TrainResult) -> None:
    given_corpus, analysis = small_corpus().train, finished.analysis
    assert analysis is not None
    assert len(analysis.changes) > 0
    assert all(change.before == "O" for change in analysis.changes), "entity labels stay"
    outside = [label == "O" for sentence in given_corpus for label in sentence.labels]
    distrusted = ~analysis.columns["trusted"]
    assert distrusted.sum() == round(analysis.rates.rates.negative * sum(outside)) > 0
    assert not distrusted[~np.array(outside)].any()
    assert analysis.rates.rates.positive == 0
    assert analysis.detection is not None
    by_chance = analysis.detection.negative.support / sum(outside)
    assert analysis.detection.negative.precision > 2 * by_chance
    relabelled = read_corpus(str(finished.run.relabelled), CorpusOptions(), unwatched).train
    assert [sentence.tokens for sentence in relabelled] == [sentence.tokens for sentence in given_corpus]


def test_report_and_review_work(finished: TrainResult) -> None:
    page = write_report(finished.run.path, overwrite=True).read_text(encoding="utf-8")
    assert "method cbl" in page
    assert "baseline (labels as given)" not in page
    (run,) = open_runs([finished.run.path])
    assert run.method == "cbl"
    assert run.issues is not None
    reviewed = open_reviewed_run(finished.run.path)
    session = ReviewSession(reviewed, DecisionLog(reviewed.decisions, reviewed.fingerprint))
    assert session.progress().total == len(run.issues)
    session.close()


def test_a_second_run_is_the_same(finished: TrainResult, tmp_path: Path) -> None:
    again = run_to(tmp_path / "run", small_corpus())
    weights = [str(file.relative_to(again.run.path)) for file in again.run.best.iterdir()]
    for name in (*weights, "issues.jsonl", "changes.jsonl", "confidence.npz", "metrics.jsonl", "relabelled.conll"):
        assert (again.run.path / name).read_bytes() == (finished.run.path / name).read_bytes(), name


def test_reviewed_labels_stay_and_unknown_ones_are_filled_in(tmp_path: Path) -> None:
    corpus = small_corpus()
    rows = [
        changed(
            sentence,
            labels=tuple(None if number % 3 == 0 and label == "O" else label for label in sentence.labels),
            token_sources=(REVIEWED if number % 3 == 1 else GIVEN,) * len(sentence),
        )
        for number, sentence in enumerate(corpus.train)
    ]
    trained = run_to(tmp_path / "run", Corpus(tuple(rows), corpus.dev), "method.initial_weights=combined")
    analysis = trained.analysis
    assert analysis is not None
    assert {change.sentence % 3 for change in analysis.changes} <= {0, 2}
    reviewed = np.concatenate([[number % 3 == 1] * len(row) for number, row in enumerate(rows)])
    assert analysis.columns["trusted"][reviewed].all()
    assert all(label is not None for sentence in analysis.relabelled for label in sentence.labels)
    assert not any(issue.sentence % 3 == 1 for issue in analysis.issues)


@pytest.mark.parametrize("dev", [True, False])
def test_with_more_labels_than_the_ratio_there_is_no_binary_round(dev: bool, tmp_path: Path) -> None:
    notes: list[Note] = []
    corpus = small_corpus(20)
    own = corpus if dev else Corpus(corpus.train)
    trained = run_to(tmp_path / "run", own, "method.entity_ratio=0.001", "method.ratio_margin=0.001", notes=notes)
    assert [path.name for path in trained.run.jobs.iterdir()] == ["typed"]
    assert any("no binary round" in note.detail for note in notes)
    assert trained.analysis is not None
    assert trained.analysis.columns["trusted"].all()


def test_a_single_sentence_is_enough(tmp_path: Path) -> None:
    corpus = Corpus((Sentence(("Ann", "met", "Bob"), ("B-PER", "O", "O")),))
    assert run_to(tmp_path / "run", corpus, "method.entity_ratio=0.6").analysis is not None


def test_the_recipe_is_the_published_protocol() -> None:
    recipe = load_recipe(method="cbl")
    training = recipe.training
    assert (training.optimizer, training.learning_rate, training.batch_size) == ("adam", 0.001, 32)
    assert (training.epochs, training.patience, training.loss, training.least_steps) == (45, 10, "sum", 0)
    assert recipe.method == {
        "name": "cbl",
        "entity_ratio": 0.0,
        "ratio_source": "auto",
        "ratio_margin": 0.05,
        "ratio_step": 0.02,
        "binary_epochs": 25,
        "initial_weights": "raw",
        "estimated_rounds": 5,
        "folds": FoldSettings().model_dump(),
    }


def test_a_ratio_from_the_gold_column_is_said_to_be_one(tmp_path: Path) -> None:
    corpus = Corpus(small_corpus(20).train)
    changes = ("training.epochs=1", "method.binary_epochs=1", "method.ratio_step=0.2")
    trained = run_to(tmp_path / "run", corpus, *changes)
    assert trained.facts["ratio_source"] == "gold"
    reported = "\n".join(in_words(trained, small_recipe(*changes)))
    assert "no clean labels were used, except the gold column for the entity ratio." in reported


def test_without_anything_clean_the_ratio_is_estimated_from_the_labels(tmp_path: Path) -> None:
    bare = Corpus(tuple(changed(sentence, gold=None) for sentence in small_corpus().train))
    short = ("method.folds.epochs=8", "method.estimated_rounds=2", "method.binary_epochs=2", "training.epochs=2")
    result = run_to(tmp_path / "run", bare, *short)
    manifest = json.loads(result.run.manifest.read_text())
    assert manifest["ratio_source"] == "estimated"
    labels = [label for sentence in bare.train for label in sentence.labels]
    labelled = sum(label not in {"O", None} for label in labels) / len(labels)
    assert manifest["entity_ratio"] > labelled
    limit = manifest["entity_ratio"] + 0.05
    shares = [record["share"] for record in manifest["binary_rounds"]]
    assert shares == pytest.approx([labelled, labelled + (limit - labelled) / 2])
    assert [path.name for path in sorted(result.run.jobs.iterdir())] == ["binary-1", "binary-2", "rates", "typed"]
