"""Whole runs of noise adaptation, and what the matrix starts from."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.training.small import small_task
from trustag import load
from trustag.cli.summary import in_words
from trustag.corpora.demo import demo_corpus
from trustag.data.label_pairs import LabelPairs
from trustag.engines.in_process import InProcess
from trustag.errors import InputError
from trustag.methods.noise_adaptation.method import RATE_SOURCE, clean_sample
from trustag.methods.noise_adaptation.settings import NoiseAdaptationSettings
from trustag.methods.table import METHODS, choose_method, load_recipe
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, train
from trustag.recipes.settings import Recipe
from trustag.reports.run_report import write_report
from trustag.text.sentences import REVIEWED, Corpus, Sentence
from trustag.training.jobs import JobReport, JobRunner, RunReport
from trustag.training.stages import Plan


def small_corpus(train: int = 60) -> Corpus:
    """Return a few sentences, one of them with reviewed labels and an unknown one."""
    corpus = demo_corpus()
    first = corpus.train[0]
    labels = (None, *first.labels[1:])
    reviewed = Sentence(first.tokens, labels, gold=first.gold, token_sources=(REVIEWED,) * len(first))
    return Corpus((reviewed, *corpus.train[1:train]), corpus.dev[:10], corpus.test[:10])


def small_recipe(*changes: str) -> Recipe:
    small = ("bilstm.random_vectors=true", "bilstm.words=8", "bilstm.hidden=6", "bilstm.character_hidden=3")
    length = ("training.epochs=2", "training.batch_size=8", "training.snapshot_seconds=0", "method.frozen_epochs=1")
    return load_recipe(None, [*small, *length, *changes], method="noise-adaptation")


def test_is_found_with_its_recipe() -> None:
    assert METHODS["noise-adaptation"] == "trustag.methods.noise_adaptation:METHOD"
    recipe = load_recipe(None, [], method="noise-adaptation")
    assert recipe.model.head == "softmax"
    assert recipe.method == {"name": "noise-adaptation", **NoiseAdaptationSettings().model_dump()}


def test_training_leaves_a_run_with_model_and_label_findings(tmp_path: Path) -> None:
    corpus = small_corpus()
    result = train(corpus, small_recipe(), Destination(tmp_path / "run"))
    manifest = json.loads(result.run.manifest.read_text(encoding="utf-8"))
    assert manifest["method"] == "noise-adaptation"
    assert manifest["confusion"]["O"]["O"] > 0.5
    assert [entry.epoch for entry in result.history] == [0, 1]
    assert {"unchanged_negative", "unchanged_positive"} <= result.history[0].facts.keys()
    assert load(tmp_path / "run").predict_tokens([["Ann", "lives", "in", "Lisbon", "."]])
    assert result.analysis is not None
    assert result.analysis.rates.source == RATE_SOURCE
    assert 0 <= result.analysis.rates.rates.negative <= 1
    run = result.run
    assert all(path.exists() for path in (run.issues, run.relabelled, run.changes, run.confidence, run.rates))
    reviewed = len(corpus.train[0])
    columns = result.analysis.columns
    assert columns["trusted"][1:reviewed].all()
    assert (columns["wrong"][:reviewed] == 0).all()  # an unknown label cannot be wrong, a reviewed one is not
    assert result.analysis.relabelled[0].labels[1:] == corpus.train[0].labels[1:]
    assert result.analysis.relabelled[0].labels[0] is not None


def test_screen_and_report_name_the_method(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=1")
    result = train(small_corpus(30), recipe, Destination(tmp_path / "run"))
    screen = "\n".join(in_words(result, recipe))
    assert "Trained a BiLSTM on 30 sentences, method noise-adaptation." in screen
    assert f"Noise rates, {RATE_SOURCE}" in screen
    assert "relabelled once" not in screen
    page = write_report(result.run.path, tmp_path / "report.html", overwrite=False).read_text(encoding="utf-8")
    assert "method noise-adaptation" in page
    assert f"The rates are {RATE_SOURCE}." in page
    assert "baseline (labels as given)" not in page


@pytest.mark.parametrize("changes", [("method.start=pretrained", "method.layer=feature"), ("method.start=paired",)])
def test_matrix_starts_from_a_pretrained_model(tmp_path: Path, changes: Sequence[str]) -> None:
    notes: list[Note] = []
    recipe = small_recipe("method.pretrain_epochs=1", "training.epochs=1", *changes)
    result = train(small_corpus(30), recipe, Destination(tmp_path / "run"), watch=notes.append)
    assert {path.name for path in result.run.jobs.iterdir()} == {"pretraining", "model"}
    details = [note.detail for note in notes if note.reason == "confusion counted on clean sentences"]
    paired = "method.start=paired" in changes
    assert details == (["3 of 10 dev sentences, the others select the epoch"] if paired else [])


class StoppedError(Exception):
    """Raised in the middle of a training, as a kill would end it."""


@pytest.mark.parametrize("layer", ["global", "feature"])
def test_killed_and_resumed_ends_as_unbroken(tmp_path: Path, layer: str) -> None:
    corpus, recipe = small_corpus(30), small_recipe("training.epochs=3", f"method.layer={layer}")

    def stop(report: RunReport) -> None:
        if isinstance(report, JobReport) and report.epoch.epoch == 1:
            raise StoppedError

    unbroken = train(corpus, recipe, Destination(tmp_path / "unbroken", keep_jobs=True))
    with pytest.raises(StoppedError):
        train(corpus, recipe, Destination(tmp_path / "resumed"), report=stop)
    resumed = train(corpus, recipe, Destination(tmp_path / "resumed", resume=True, keep_jobs=True))
    assert resumed.summary() == unbroken.summary()
    for name in ("model-best/weights.safetensors", "jobs/model/outcome/tensors.safetensors", "metrics.jsonl"):
        first, second = (result.run.path / name for result in (unbroken, resumed))
        assert first.read_bytes() == second.read_bytes()


def test_refuses_a_crf_and_a_paired_start_without_dev(tmp_path: Path) -> None:
    corpus = small_corpus(5)
    with pytest.raises(InputError, match=r"needs a softmax head; use --recipe noise-adaptation or --set model\.head"):
        train(corpus, small_recipe("model.head=crf"), Destination(tmp_path / "run"))
    with pytest.raises(InputError, match="or a dev split of at least 2; give --dev"):
        train(Corpus(corpus.train), small_recipe("method.start=paired"), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_clean_sample_and_the_rest_are_all_of_dev() -> None:
    dev = demo_corpus().dev[:10]
    clean, rest = clean_sample(dev, 0.3, seed=1)
    assert len(clean) == 3
    assert sorted(sentence.tokens for sentence in (*clean, *rest)) == sorted(sentence.tokens for sentence in dev)
    assert clean_sample(dev, 0.3, seed=1) == (clean, rest)
    assert [len(part) for part in clean_sample(dev[:2], 0.0, seed=1)] == [1, 1]
    assert [len(part) for part in clean_sample(dev[:2], 0.99, seed=1)] == [1, 1]


def test_sentences_that_are_labelled_twice_show_the_matrix_as_it_is(tmp_path: Path) -> None:
    corpus = small_corpus(30)
    recipe = small_recipe("method.start=paired", "training.epochs=1")
    chosen = choose_method(recipe)
    task = small_task(recipe, Corpus(corpus.train))
    with pytest.raises(InputError, match="labelled twice, or a dev split"):
        chosen.method.check(task, chosen.settings)
    clean = np.array([0, 0, 0, 1, 1, -1, len(task.corpus.labels)])
    noisy = np.array([0, 0, 1, 1, 0, 0, 0])
    paired = replace(task, pairs=LabelPairs(noisy, clean, (7,)))
    chosen.method.check(paired, chosen.settings)
    stages = chosen.method.plan(paired, chosen.settings)
    assert [stage.name for stage in stages] == ["model"]
    runner = JobRunner(tmp_path, InProcess(), unwatched, lambda _: None, Plan(stages))
    confusion = chosen.method.train(paired, chosen.settings, runner).facts["confusion"]
    assert isinstance(confusion, dict)
    first, second = task.corpus.labels.labels[:2]
    # In the first epoch the matrix is frozen, so that it is still the one that was counted.
    assert confusion[first] == {first: pytest.approx(2 / 3, abs=1e-3), second: pytest.approx(1 / 3, abs=1e-3)}
    assert confusion[second] == {first: 0.5, second: 0.5}


def test_a_random_start_needs_no_other_model(tmp_path: Path) -> None:
    recipe = small_recipe("method.start=random", "method.layer=feature", "method.frozen_epochs=0", "training.epochs=1")
    result = train(small_corpus(20), recipe, Destination(tmp_path / "run"))
    assert [path.name for path in result.run.jobs.iterdir()] == ["model"]
