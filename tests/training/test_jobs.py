"""Trainings are followed epoch by epoch wherever they are done; what was done before is not new, failures surface."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from types import TracebackType
from typing import Self

import pytest
import torch

from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.data.corpus_outputs import label_scores
from trustag.engines import Arguments, Engine, Result
from trustag.engines.in_process import InProcess
from trustag.notes import Note
from trustag.runs.folder import RunFolder
from trustag.training import jobs as jobs_module
from trustag.training.fit_results import FitResult, Job, fit_and_predict
from trustag.training.fitting import Report
from trustag.training.jobs import JobReport, JobRunner, RunReport, StageReport, WaitReport
from trustag.training.objectives import GivenLabels
from trustag.training.stages import Plan, Stage

TASK = small_task(small_recipe(), noisy_corpus(10))
PLAN = Plan([Stage("first", "First", "Two models.", 2, 3), Stage("second", "Second", "One model.", 1, 3)])


class Elsewhere:
    """An engine that does one task whenever it is told to, as if in another process."""

    runs_here = False
    shares_files = True

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def submit(
        self, work: Callable[Arguments, Result], /, *arguments: Arguments.args, **named: Arguments.kwargs
    ) -> "Future[Result]":
        future: Future[Result] = Future()

        def do() -> None:
            done = InProcess().submit(work, *arguments, **named)
            if done.exception() is None:
                future.set_result(done.result())
            else:
                future.set_exception(done.exception())

        self.waiting.append(do)
        return future

    def submit_into(
        self, folder: Path, work: Callable[..., Result], /, *arguments: object, keep: bool = False
    ) -> "Future[Result]":
        return self.submit(work, *arguments, folder)

    def do_one(self) -> None:
        if self.waiting:
            self.waiting.pop(0)()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is left to stop."""


class Run:
    """A folder of jobs, and all that is reported of them."""

    def __init__(self, folder: Path, engine: Engine) -> None:
        self.folder = folder
        self.engine = engine
        self.reports: list[RunReport] = []
        self.notes: list[Note] = []
        self.react: Callable[[RunReport], None] = lambda _: None
        self.runner = JobRunner(folder, engine, self.notes.append, self._take, PLAN)

    def _take(self, report: RunReport) -> None:
        self.reports.append(report)
        self.react(report)
        if isinstance(report, WaitReport) and isinstance(self.engine, Elsewhere):
            self.engine.do_one()

    def epochs(self) -> dict[str, list[tuple[int, bool]]]:
        """Return the epochs that were reported of each job, and whether they were new."""
        found: dict[str, list[tuple[int, bool]]] = {}
        for report in self.reports:
            if isinstance(report, JobReport):
                found.setdefault(report.job, []).append((report.epoch.epoch, report.is_new))
        return found


Begin = Callable[[], Run]


@pytest.fixture(params=["here", "elsewhere"])
def begin(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Return what begins to follow the jobs of one folder, here or as if they were done in other processes."""
    monkeypatch.setattr(jobs_module, "_SECONDS_BETWEEN_LOOKS", 0.0)
    return lambda: Run(tmp_path, InProcess() if request.param == "here" else Elsewhere())


def two_jobs() -> dict[str, Job]:
    return {name: Job(TASK.fit(GivenLabels(), seed_name=name), TASK.corpus.tokens) for name in ("one", "two")}


def break_off(folder: Path, jobs: Mapping[str, Job], name: str, after: int) -> None:
    """Train one of the jobs until ``after`` epochs are done."""
    run = Run(folder, InProcess())

    def stop(report: RunReport) -> None:
        if isinstance(report, JobReport) and report.epoch.epoch == after - 1:
            raise InterruptedError

    run.react = stop
    with pytest.raises(InterruptedError):
        run.runner.run("first", {name: jobs[name]})


def same(one: FitResult, other: FitResult) -> bool:
    return one.history == other.history and torch.equal(*map(label_scores, (one.outputs, other.outputs)))


def test_every_epoch_of_every_job_is_reported_once_as_the_result_has_it(begin: Begin) -> None:
    run = begin()
    results = run.runner.run("first", two_jobs())
    assert run.reports[0] == StageReport(PLAN, 0)
    assert run.epochs() == {name: [(0, True), (1, True), (2, True)] for name in ("one", "two")}
    for name, result in results.items():
        reported = [report for report in run.reports if isinstance(report, JobReport) and report.job == name]
        assert [report.epoch for report in reported] == list(result.history)
        assert {report.epochs for report in reported} == {3}
    assert run.notes == []


def test_a_stage_is_entered_once_however_often_trainings_are_asked_for(begin: Begin) -> None:
    run = begin()
    for name, job in two_jobs().items():
        run.runner.run("first", {name: job})
    run.runner.run("second", {"three": two_jobs()["one"]})
    assert [report.number for report in run.reports if isinstance(report, StageReport)] == [0, 1]


def test_epochs_of_an_earlier_process_are_not_new_and_the_result_is_that_of_an_unbroken_training(
    begin: Begin, tmp_path_factory: pytest.TempPathFactory
) -> None:
    jobs = two_jobs()
    run = begin()
    break_off(run.folder, jobs, "one", after=2)
    results = run.runner.run("first", jobs)
    assert run.epochs() == {
        "one": [(0, False), (1, False), (2, True)],
        "two": [(0, True), (1, True), (2, True)],
    }
    unbroken = Run(tmp_path_factory.mktemp("unbroken"), InProcess()).runner.run("first", jobs)
    assert all(same(results[name], unbroken[name]) for name in jobs)


def test_epochs_that_are_trained_again_are_not_reported_again(begin: Begin) -> None:
    task = small_task(small_recipe("training.snapshot_seconds=1000"), noisy_corpus(10))
    jobs = {name: Job(task.fit(GivenLabels(), seed_name=name)) for name in ("one", "two")}
    run = begin()
    break_off(run.folder, jobs, "one", after=2)
    assert not RunFolder(run.folder / "one").checkpoints.exists()
    run.runner.run("first", jobs)
    assert run.epochs()["one"] == [(0, False), (1, False), (2, True)]


def test_finished_jobs_are_read_not_done_again(begin: Begin) -> None:
    jobs = two_jobs()
    before = begin().runner.run("first", jobs)
    run = begin()
    after = run.runner.run("first", jobs)
    assert run.epochs() == {name: [(0, False), (1, False), (2, False)] for name in jobs}
    assert all(same(before[name], after[name]) for name in jobs)


def test_a_finished_job_stands_for_another_name(begin: Begin) -> None:
    run = begin()
    (done,) = run.runner.run("first", {"one": two_jobs()["one"]}).values()
    run.runner.reuse("one", "round-1/two")
    (again,) = run.runner.run("second", {"round-1/two": two_jobs()["one"]}).values()
    assert run.epochs()["round-1/two"] == [(0, False), (1, False), (2, False)]
    assert same(done, again)


def test_what_deserves_notice_in_a_job_reaches_the_run(begin: Begin) -> None:
    jobs = two_jobs()
    run = begin()
    break_off(run.folder, jobs, "one", after=2)
    (newest, *_) = sorted(RunFolder(run.folder / "one").checkpoints.iterdir(), reverse=True)
    (newest / "progress.json").write_text("{}")
    run.runner.run("first", jobs)
    assert [note.reason for note in run.notes] == ["broken checkpoint"]


def test_the_failure_of_a_job_surfaces(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(job: Job, folder: Path, report: Callable[[Report], None] | None = None) -> list[Note]:
        if folder.name == "two":
            raise ZeroDivisionError(folder.name)
        return fit_and_predict(job, folder, report)

    monkeypatch.setattr(jobs_module, "fit_and_predict", failing)
    run = begin()
    with pytest.raises(ZeroDivisionError, match="two"):
        run.runner.run("first", two_jobs())
    assert run.epochs() == {"one": [(0, True), (1, True), (2, True)]}


def test_steps_of_a_training_here_are_reported_as_parts_of_its_epoch(tmp_path: Path) -> None:
    run = Run(tmp_path, InProcess())
    run.runner.run("first", {"one": two_jobs()["one"]})
    parts = [report.partial_epochs for report in run.reports if isinstance(report, WaitReport)]
    assert parts == [0.5, 1.0] * 3  # ten sentences, eight a step


def test_a_single_job_is_done_here_whatever_the_engine(tmp_path: Path) -> None:
    engine = Elsewhere()
    run = Run(tmp_path, engine)
    run.engine = InProcess()  # nobody does what waits
    run.runner.run("first", {"one": two_jobs()["one"]})
    assert engine.waiting == []


@pytest.mark.parametrize(
    ("written", "part"),
    [("0 0.250", 0.25), ("1 0.250", 0.0), ("0 0.2 5", 0.0), ("0", 0.0), ("", 0.0)],
)
def test_parts_of_epochs_elsewhere_are_what_the_trainings_wrote_of_the_present_one(
    written: str, part: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "_SECONDS_BETWEEN_LOOKS", 0.0)
    jobs = two_jobs()
    run = Run(tmp_path, Elsewhere())
    for name, text in (("one", "0 0.500"), ("two", written)):
        step = RunFolder(tmp_path / name).step
        step.parent.mkdir()
        step.write_text(text)
    run.runner.run("first", jobs)
    parts = [report.partial_epochs for report in run.reports if isinstance(report, WaitReport)]
    assert parts == [0.5 + part, part]  # nothing is done yet, then the first job is


@pytest.mark.parametrize("content", [b"\xff", b"{", b"[]\n", b'{"epoch": "x"}\n', b"[" * 9_000])
def test_metrics_that_are_broken_tell_nothing(content: bytes, tmp_path: Path) -> None:
    run = RunFolder(tmp_path)
    run.metrics.write_bytes(content)
    assert jobs_module._history(run) == []
