"""What holds for every method: unknown and reviewed labels, evidence, one seed one result, kills, saved models."""

import multiprocessing
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from click.testing import CliRunner
from msgspec.structs import replace as changed

from tests.methods.generated import generated_corpus
from tests.review.small_run import decide, open_session
from tests.training.run_files import contents
from tests.training.small import here, small_recipe
from trustag.cli.apply import apply_decisions
from trustag.cli.compare import compare
from trustag.engines.worker_processes import WorkerProcesses
from trustag.export.model_loading import load
from trustag.methods.table import METHODS
from trustag.pipeline import Destination, RunContext, TrainResult, train_in
from trustag.recipes.settings import Recipe
from trustag.reports.run_report import write_report
from trustag.text.sentences import GIVEN, REVIEWED, Corpus, Sentence
from trustag.training.jobs import JobReport, RunReport

SHORT_ROUNDS: Final = ("method.rounds.fold_epochs=2",)
CHANGES: Final[dict[str, tuple[str, ...]]] = {
    "autoner": ("model.head=trustag.methods.autoner.head:TIE_OR_BREAK", "method.folds.epochs=2"),
    "bilstm-crf": (),
    "bond": ("model.head=softmax", "method.threshold=0.3"),
    "cbl": ("method.binary_epochs=2", "method.ratio_step=0.2"),
    "co-teaching": ("method.folds.epochs=2", "method.ramp_epochs=2"),
    "confidence": (*SHORT_ROUNDS, "method.rates.estimate_epochs=1"),
    "filter": ("method.folds.epochs=2",),
    "gce": ("model.head=softmax", "method.removal=0.1", "method.removal_start=1"),
    "lrnt": ("method.classifier_share=0.7", "method.consistency=0.2"),
    "noise-adaptation": ("model.head=softmax", "method.frozen_epochs=3", "method.epsilon=0.95"),
    "self-training": SHORT_ROUNDS,
}
"""What makes each method short on the corpus below; whatever else it does stays as it is."""
NAMES: Final = sorted(CHANGES)
WITH_EVIDENCE: Final = [name for name in NAMES if name != "bilstm-crf"]
REVIEWED_SENTENCES: Final = (1, 3, 7)


def corpus() -> Corpus:
    """Return twelve sentences; every third token of every other one is unknown, and some are wholly reviewed.

    The reviewed labels of sentence 3 are wrong: what a person decided on is not doubted even then.
    """
    whole = generated_corpus(12)
    rows = []
    for number, sentence in enumerate(whole.train):
        is_reviewed = number in REVIEWED_SENTENCES
        labels = sentence.labels
        if number % 2 == 0:
            labels = tuple(None if token % 3 == 1 else label for token, label in enumerate(labels))
        sources = (REVIEWED if is_reviewed else GIVEN,) * len(labels)
        rows.append(changed(sentence, labels=labels, token_sources=sources))
    return Corpus(tuple(rows), whole.dev[:4], whole.test[:4])


def recipe(name: str) -> Recipe:
    return small_recipe(
        "training.epochs=3", "training.batch_size=4", "training.learning_rate=0.05", *CHANGES[name], method=name
    )


@dataclass(frozen=True)
class Finished:
    """The method and its run, done in this process without interruption."""

    name: str
    result: TrainResult

    @property
    def path(self) -> Path:
        return self.result.run.path


@pytest.fixture(scope="module", params=NAMES)
def finished(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Finished:
    name: str = request.param
    path = tmp_path_factory.mktemp("laws") / "run"
    return Finished(name, train_in(corpus(), recipe(name), Destination(path), here()))


@pytest.fixture(scope="module")
def two_workers() -> Iterator[WorkerProcesses]:
    with WorkerProcesses(2) as engine:
        yield engine


@pytest.fixture(scope="module")
def processes() -> ForkServerContext:
    """Return what starts processes that have everything imported, so that a killed one costs little."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def test_every_method_is_held_to_these_laws() -> None:
    assert set(METHODS) == set(CHANGES)


def test_unknown_labels_are_filled_in_and_reviewed_ones_never_doubted(finished: Finished) -> None:
    analysis = finished.result.analysis
    if finished.name not in WITH_EVIDENCE:
        assert analysis is None
        return
    assert analysis is not None
    for number, (given, new) in enumerate(zip(corpus().train, analysis.relabelled, strict=True)):
        assert None not in new.labels
        if number in REVIEWED_SENTENCES:
            assert new.labels == given.labels
    assert not {issue.sentence for issue in analysis.issues} & set(REVIEWED_SENTENCES)
    reviewed = np.isin(analysis.columns["sentence"], REVIEWED_SENTENCES)
    assert analysis.columns["trusted"][reviewed].all()
    assert not analysis.columns["wrong"][reviewed].any()
    unknown = analysis.columns["label"] < 0
    assert unknown.any()
    assert not analysis.columns["trusted"][unknown].any()


def test_issues_report_review_apply_and_compare_work(finished: Finished, tmp_path: Path) -> None:
    write_report(finished.path, tmp_path / "report.html")
    compared = CliRunner().invoke(compare, [str(finished.path), str(finished.path)])
    assert compared.exit_code == 0, compared.output
    if finished.name not in WITH_EVIDENCE:
        return
    session = open_session(finished.path)
    assert session.run.issues
    assert decide(session, session.run.issues[0].id, "accepted") >= 1
    session.close()
    arguments = [str(finished.path), "-o", str(tmp_path / "corrected.conll")]
    applied = CliRunner().invoke(apply_decisions, arguments)
    finished.result.run.decisions.unlink()
    assert applied.exit_code == 0, applied.output
    assert (tmp_path / "corrected.conll").exists()


def test_the_saved_model_predicts_what_the_kept_one_did(finished: Finished) -> None:
    first, again = load(finished.path), load(finished.path)
    texts = [sentence.tokens for sentence in corpus().test]
    assert list(first.tagger.tag(texts)) == list(again.tagger.tag(texts))
    scores = finished.result.scores.test
    assert scores is not None
    found = sum(len(own.entities) for own in first.tagger.tag_entities(texts))
    assert found == scores.micro.found
    marginals = first.predict_marginals([list(tokens) for tokens in texts])
    for own in marginals:
        assert np.allclose(np.asarray(own).sum(-1), 1, atol=1e-4)


@pytest.mark.slow
def test_two_workers_end_with_the_same_files(finished: Finished, two_workers: WorkerProcesses, tmp_path: Path) -> None:
    again = train_in(corpus(), recipe(finished.name), Destination(tmp_path / "run"), RunContext(two_workers))
    assert contents(again.run.path) == contents(finished.path)


def kill_inside(name: str, path: Path, after: int) -> None:
    """Train, and kill this very process as soon as so many epochs of all trainings together were reported."""
    seen = 0

    def count(report: RunReport) -> None:
        nonlocal seen
        seen += isinstance(report, JobReport)
        if seen == after:
            os.kill(os.getpid(), signal.SIGKILL)

    train_in(corpus(), recipe(name), Destination(path), here(report=count))


@pytest.mark.slow
def test_killed_and_resumed_it_ends_with_the_same_files(
    finished: Finished, processes: ForkServerContext, tmp_path: Path
) -> None:
    path = tmp_path / "run"
    jobs = finished.result.run.jobs.rglob("metrics.jsonl")
    epochs = sum(len(metrics.read_text(encoding="utf-8").splitlines()) for metrics in jobs)
    process = processes.Process(target=kill_inside, args=(finished.name, path, max(1, epochs - 1)))
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    assert not (path / "issues.jsonl").exists()
    resumed = train_in(corpus(), recipe(finished.name), Destination(path, resume=True), here())
    assert contents(resumed.run.path) == contents(finished.path)


def test_a_single_sentence_is_enough_for_any_method(tmp_path: Path) -> None:
    single = Corpus((Sentence(("Ann", "met", "Bob"), ("B-PER", "O", "O")),))
    for name in NAMES:
        extra = ("method.entity_ratio=0.5",) if name == "cbl" else ()
        own = small_recipe("training.epochs=1", *CHANGES[name], *extra, method=name)
        assert train_in(single, own, Destination(tmp_path / name), here()).run.path.exists()
