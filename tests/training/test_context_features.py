"""Runs with frozen features beside the word vectors: computed once, the same whoever computes them, gone at the end."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from textwrap import dedent

import pytest
import torch
from safetensors.torch import load_file, save_file

from tests.models.tiny_transformers import save_bert
from tests.training.run_files import everything
from tests.training.small import noisy_corpus, small_recipe
from trustag.engines import Engine
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.saving import load_model
from trustag.notes import Note, unwatched
from trustag.pipeline import Destination, RunContext, TrainResult, train_in
from trustag.text.sentences import Sentence
from trustag.training import context_features
from trustag.training.context_features import FeatureCost, FeaturesReport, given_context, stored_context
from trustag.training.jobs import RunReport
from trustag.vectors.feature_cache import LIMIT_VARIABLE, FeatureCache

ROUNDS = (
    "method.rounds.count=1",
    "method.rounds.fold_epochs=2",
    "training.epochs=2",
    "method.rates.estimate_epochs=1",
)
SCRIPT = """
    import sys
    from pathlib import Path
    from tests.training.test_context_features import run_to
    if __name__ == "__main__":
        run_to(Path(sys.argv[1]), Path(sys.argv[2]), resume=True)
"""
PATIENCE = 300


class Interruption(Exception):  # noqa: N818
    """Stands for whatever stops a run from inside."""


def run_to(
    path: Path,
    model: Path,
    *changes: str,
    method: str = "confidence",
    engine: Engine | None = None,
    resume: bool = False,
    report: Callable[[RunReport], None] = lambda _: None,
) -> TrainResult:
    own = ROUNDS if method == "confidence" else ("training.epochs=2",)
    recipe = small_recipe(*own, f"bilstm.context='{model}'", *changes, method=method)
    context = RunContext(engine or InProcess(), unwatched, report)
    return train_in(noisy_corpus(), recipe, Destination(path, resume=resume, keep_jobs=True), context)


@pytest.fixture(autouse=True, scope="module")
def nothing_is_kept() -> Iterator[None]:
    """Have every run compute its own features, also when it is resumed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(LIMIT_VARIABLE, "0")
        yield


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bert(tmp_path_factory.mktemp("encoder") / "bert")


@pytest.fixture(scope="module")
def unbroken(model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unbroken") / "run"
    run_to(path, model)
    return path


@pytest.mark.slow
def test_the_whole_method_leaves_a_model_that_needs_nothing_else(unbroken: Path) -> None:
    assert not (unbroken / "context").exists()
    tagger = load_model(unbroken)
    encoder = tagger.network.encoder
    assert isinstance(encoder, BiLSTMEncoder)
    assert encoder.context is not None
    assert encoder.context_width == 16
    sentences = [sentence.tokens for sentence in noisy_corpus().test]
    assert [len(labels) for labels in tagger.tag(sentences)] == [len(tokens) for tokens in sentences]


@pytest.mark.slow
def test_the_transformer_lies_on_the_disk_once_however_many_models_there_are(unbroken: Path) -> None:
    copies = list(unbroken.rglob("context/weights.safetensors"))
    assert len(copies) > 2
    assert len({file.stat().st_ino for file in copies}) == 1
    assert len({file.stat().st_ino for file in unbroken.rglob("model.json")}) > 2


@pytest.mark.slow
def test_workers_give_what_one_process_gives(unbroken: Path, model: Path, tmp_path: Path) -> None:
    with WorkerProcesses(2) as engine:
        run_to(tmp_path / "run", model, engine=engine)
    assert everything(tmp_path / "run") == everything(unbroken)


@pytest.mark.slow
def test_features_do_not_depend_on_who_computes_them(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(context_features, "_SENTENCES_A_PART", 20)
    context = given_context(small_recipe(f"bilstm.context='{model}'"), unwatched)
    assert context is not None
    tokens = [sentence.tokens for sentence in noisy_corpus().train]
    reports: list[FeaturesReport] = []
    nothing = FeatureCache(tmp_path / "cache", 0)
    here, _ = stored_context(context, tokens, tmp_path / "here", InProcess(), reports.append, nothing)
    torch.set_num_threads(2)
    with WorkerProcesses(2) as engine:
        there, _ = stored_context(context, [*tokens, *tokens], tmp_path / "there", engine, lambda _: None, nothing)
    torch.set_num_threads(1)
    assert len(list(here.folder.glob("features-*"))) == 3
    assert everything(here.folder) == everything(there.folder)
    before = {file: file.stat().st_mtime_ns for file in here.folder.iterdir()}
    stored_context(context, tokens, tmp_path / "here", InProcess(), reports.append, nothing)
    assert {file: file.stat().st_mtime_ns for file in here.folder.iterdir()} == before
    of = len(set(tokens))
    assert reports[0] == FeaturesReport(0, of)
    assert sorted(report.sentences for report in reports) == [0, 20, 40, of]


@pytest.mark.slow
def test_interrupted_while_features_are_computed_a_run_ends_the_same(
    unbroken: Path, model: Path, tmp_path: Path
) -> None:
    def interrupt(report: RunReport) -> None:
        assert report == FeaturesReport(0, report.of if isinstance(report, FeaturesReport) else 0)
        raise Interruption

    with pytest.raises(Interruption):
        run_to(tmp_path / "run", model, report=interrupt)
    assert not (tmp_path / "run" / "context").exists()
    run_to(tmp_path / "run", model, resume=True)
    assert everything(tmp_path / "run") == everything(unbroken)


@pytest.mark.slow
@pytest.mark.parametrize("after", [1, 4])
def test_interrupted_and_resumed_a_run_ends_the_same(after: int, unbroken: Path, model: Path, tmp_path: Path) -> None:
    seen = 0

    def count(report: RunReport) -> None:
        nonlocal seen
        seen += not isinstance(report, FeaturesReport)
        if seen == after:
            raise Interruption

    with pytest.raises(Interruption):
        run_to(tmp_path / "run", model, report=count)
    features = tmp_path / "run" / "context" / "features-000000.safetensors"
    written = features.stat().st_mtime_ns
    times: list[int] = []
    run_to(
        tmp_path / "run",
        model,
        resume=True,
        report=lambda _: times.append(features.stat().st_mtime_ns),
    )
    assert set(times) == {written}, "the features were computed again"
    assert everything(tmp_path / "run") == everything(unbroken)


@pytest.mark.slow
def test_a_single_training_resumes_from_snapshots_that_hold_nothing_of_the_transformer(
    model: Path, tmp_path: Path
) -> None:
    run_to(tmp_path / "whole", model, method="bilstm-crf")
    seen = 0

    def count(report: RunReport) -> None:
        nonlocal seen
        seen += 1
        if seen == 12:
            raise Interruption

    with pytest.raises(Interruption):
        run_to(tmp_path / "run", model, method="bilstm-crf", report=count)
    (snapshot, *_) = (tmp_path / "run" / "jobs" / "as-given" / "checkpoints").glob("*/tensors.safetensors")
    assert not [name for name in load_file(snapshot) if "attention" in name or "embeddings" in name]
    run_to(tmp_path / "run", model, method="bilstm-crf", resume=True)
    assert everything(tmp_path / "run") == everything(tmp_path / "whole")


@pytest.mark.slow
def test_killed_a_run_ends_the_same(unbroken: Path, model: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    (tmp_path / "script.py").write_text(dedent(SCRIPT))
    command = [sys.executable, str(tmp_path / "script.py"), str(run), str(model)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for moment in ("given.jsonl", "context", "jobs/round-1/fold-1/metrics.jsonl", "jobs/round-1/final/outcome"):
        process = subprocess.Popen(command, env=environment)
        began = time.monotonic()
        while not (run / moment).exists():
            assert process.poll() is None, "the run ended before the moment it was to be killed at"
            assert time.monotonic() - began < PATIENCE
            time.sleep(0.001)
        process.send_signal(signal.SIGKILL)
        process.wait()
    # What a process leaves that is killed while it computes features.
    shutil.copytree(run / "context", run / ".context.x.part")
    assert subprocess.run(command, env=environment, check=False).returncode == 0
    assert everything(run) == everything(unbroken)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep features in a folder of the test."""
    monkeypatch.setenv(LIMIT_VARIABLE, "1")
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "features"


@pytest.mark.slow
def test_another_run_on_the_same_sentences_reads_kept_features_and_ends_the_same(
    unbroken: Path, model: Path, tmp_path: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run_to(tmp_path / "first", model)
    assert first.feature_cost.computed > 0
    assert first.feature_cost.reused == 0
    assert len(list(cache.glob("*.safetensors"))) == 1

    def refuse(*_: object) -> None:
        raise AssertionError("features are computed again")

    monkeypatch.setattr(context_features, "write_features", refuse)
    reports: list[RunReport] = []
    second = run_to(tmp_path / "second", model, report=reports.append)
    assert second.feature_cost == FeatureCost(0.0, first.feature_cost.computed)
    of = len({sentence.tokens for part in corpus_parts() for sentence in part})
    assert [report for report in reports if isinstance(report, FeaturesReport)] == [
        FeaturesReport(0, of),
        FeaturesReport(of, of),
    ]
    assert everything(tmp_path / "first") == everything(tmp_path / "second") == everything(unbroken)


def corpus_parts() -> tuple[Sequence[Sentence], ...]:
    corpus = noisy_corpus()
    return corpus.train, corpus.dev, corpus.test


@pytest.mark.parametrize("changed", ["tokens", "order", "layers", "weights", "version"])
def test_features_of_anything_else_are_computed(
    model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    cache = FeatureCache(tmp_path / "cache", 10**9)
    tokens = [sentence.tokens for sentence in noisy_corpus().train[:5]]

    def cost(name: str, sentences: Sequence[Sequence[str]], *changes: str, model: Path = model) -> FeatureCost:
        context = given_context(small_recipe(f"bilstm.context='{model}'", *changes), unwatched)
        assert context is not None
        return stored_context(context, sentences, tmp_path / name, InProcess(), lambda _: None, cache)[1]

    assert cost("first", tokens).computed > 0
    assert cost("same", [list(one) for one in tokens]).computed == 0
    if changed == "tokens":
        other = cost("other", [(*tokens[0], "more"), *tokens[1:]])
    elif changed == "order":
        other = cost("other", tokens[::-1])
    elif changed == "layers":
        other = cost("other", tokens, "bilstm.context_layers=[2]")
    elif changed == "weights":
        weights = load_file(model / "model.safetensors")
        another = Path(shutil.copytree(model, tmp_path / "another"))
        weights["embeddings.word_embeddings.weight"][-1] += 1
        save_file(weights, another / "model.safetensors", {"format": "pt"})
        other = cost("other", tokens, model=another)
    else:
        monkeypatch.setattr(context_features, "version", lambda name: f"another {name}")
        other = cost("other", tokens)
    assert other.computed > 0
    assert other.reused == 0


def test_starting_anew_leaves_nothing_of_the_features_before(tmp_path: Path) -> None:
    (tmp_path / "run" / "context").mkdir(parents=True)
    (tmp_path / "run" / "context" / "features-000000.safetensors").write_bytes(b"old")
    destination = Destination(tmp_path / "run", overwrite=True)
    train_in(noisy_corpus(), small_recipe("training.epochs=1"), destination, RunContext(InProcess()))
    assert not (tmp_path / "run" / "context").exists()


def test_frozen_features_are_noted(model: Path) -> None:
    notes: list[Note] = []
    given_context(small_recipe(f"bilstm.context='{model}'", "bilstm.context_layers=[0, 2]"), notes.append)
    (noted,) = [note for note in notes if note.reason == "frozen features beside the word vectors"]
    assert noted.detail == f"32 numbers a token, from layers 0 and 2 of {model}; computed once"
    assert given_context(small_recipe(), notes.append) is None


def test_a_transformer_does_not_read_another_one(model: Path) -> None:
    recipe = small_recipe(f"bilstm.context='{model}'", "model.encoder=transformer", f"transformer.name='{model}'")
    with pytest.raises(InputError, match=r"bilstm.context with model.encoder = 'transformer'.*leave out the context"):
        given_context(recipe, unwatched)
