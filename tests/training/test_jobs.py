"""Trainings side by side: every epoch is reported once, old ones as old, and a failure comes to light."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.training.run_files import everything
from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.engines.in_process import InProcess
from trustag.engines.worker_processes import WorkerProcesses
from trustag.models.network import Network
from trustag.notes import Note, unwatched
from trustag.runs.folder import RunFolder, write_metrics
from trustag.runs.records import EpochReport
from trustag.text.sentences import Corpus
from trustag.training import jobs as module
from trustag.training.fit_results import Job
from trustag.training.jobs import JobReport, JobRunner, RunReport, StageReport, WaitReport
from trustag.training.objectives import GivenLabels, Objective
from trustag.training.schedule import FitSchedule
from trustag.training.stages import Plan, Stage

TASK = small_task(small_recipe("training.epochs=3"), Corpus(noisy_corpus().train[:12]))
PLAN = Plan([Stage("folds", "Folds", "some", 2, 3), Stage("final", "Final", "one", 1, 3)])


def job(seed_name: str = "any") -> Job:
    return Job(TASK.fit(GivenLabels(), seed_name=seed_name), TASK.corpus.tokens[:2])


JOBS = {"folds/one": job("one"), "folds/two": job("two")}


def runner(folder: Path, engine: Any = None, reports: list[RunReport] | None = None) -> JobRunner:
    take: Callable[[RunReport], None] = reports.append if reports is not None else lambda _: None
    return JobRunner(folder, engine or InProcess(), unwatched, take, PLAN)


def epochs_of(reports: list[RunReport]) -> list[tuple[str, int, bool]]:
    return [(report.job, report.epoch.epoch, report.is_new) for report in reports if isinstance(report, JobReport)]


def test_here_every_step_and_epoch_is_reported_in_order(tmp_path: Path) -> None:
    reports: list[RunReport] = []
    results = runner(tmp_path, reports=reports).run("folds", JOBS)
    assert reports[0] == StageReport(PLAN, 0)
    assert epochs_of(reports) == [(name, epoch, True) for name in JOBS for epoch in range(3)]
    first = [report for report in reports[1:] if isinstance(report, WaitReport | JobReport)][:3]
    assert first[:2] == [WaitReport(0.5), WaitReport(1.0)]  # two steps an epoch
    assert isinstance(first[2], JobReport)
    assert first[2].epochs == 3
    assert list(results) == list(JOBS)
    assert results["folds/one"].history != results["folds/two"].history


@pytest.mark.slow
def test_elsewhere_every_epoch_is_reported_too_and_results_are_the_same(tmp_path: Path) -> None:
    runner(tmp_path / "here").run("folds", JOBS)
    reports: list[RunReport] = []
    with WorkerProcesses(2) as engine:
        runner(tmp_path / "there", engine, reports).run("folds", JOBS)
    assert sorted(epochs_of(reports)) == [(name, epoch, True) for name in sorted(JOBS) for epoch in range(3)]
    assert everything(tmp_path / "there") == everything(tmp_path / "here")


class Stop(Exception):  # noqa: N818
    """Stands for whatever stops a run."""


def test_epochs_of_an_earlier_process_are_reported_as_such(tmp_path: Path) -> None:
    def stop(report: RunReport) -> None:
        if isinstance(report, JobReport) and (report.job, report.epoch.epoch) == ("folds/two", 1):
            raise Stop

    with pytest.raises(Stop):
        JobRunner(tmp_path, InProcess(), unwatched, stop, PLAN).run("folds", JOBS)
    reports: list[RunReport] = []
    runner(tmp_path, reports=reports).run("folds", JOBS)
    old = [("folds/one", epoch, False) for epoch in range(3)]
    assert epochs_of(reports) == [*old, ("folds/two", 0, False), ("folds/two", 1, False), ("folds/two", 2, True)]


@dataclass
class HandMoved:
    """An engine whose work is done by the test, one move at each look at the folders."""

    moves: list[Callable[[dict[Path, "Future[list[Note]]"]], None]]
    runs_here: bool = False
    futures: dict[Path, "Future[list[Note]]"] = field(default_factory=dict)

    def submit(self, work: Any, job: Job, folder: Path) -> "Future[list[Note]]":
        folder.mkdir(parents=True, exist_ok=True)
        self.futures[folder] = Future()
        return self.futures[folder]

    def move(self, seconds: float) -> None:
        self.moves.pop(0)(self.futures)


def reported(epochs: int) -> list[EpochReport]:
    return [EpochReport(epoch, 1.0, is_best=True) for epoch in range(epochs)]


def test_epochs_and_parts_of_them_are_followed_by_the_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = (RunFolder(tmp_path / name) for name in JOBS)

    def first(futures: object) -> None:
        write_metrics(one, reported(1))
        two.step.write_text("0 0.250")

    def second(futures: object) -> None:
        one.step.write_text("1 0.500")
        write_metrics(two, reported(2))  # what step.txt says of its first epoch is old now

    def broken(futures: object) -> None:
        one.step.write_text("1")  # being written

    def last(futures: dict[Path, "Future[list[Note]]"]) -> None:
        for run in (one, two):
            write_metrics(run, reported(3))
            futures[run.path].set_result([])

    engine = HandMoved([first, second, broken, last])
    monkeypatch.setattr(module.time, "sleep", engine.move)
    monkeypatch.setattr(module, "read_result", lambda *_: None)
    reports: list[RunReport] = []
    runner(tmp_path, engine, reports).run("folds", JOBS)
    waits = [report.partial_epochs for report in reports if isinstance(report, WaitReport)]
    assert waits == [0.0, 0.25, 0.5, 0.0]
    assert sorted(epochs_of(reports)) == [(name, epoch, True) for name in sorted(JOBS) for epoch in range(3)]


def test_followed_from_outside_epochs_before_the_start_are_not_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (RunFolder(tmp_path / name) for name in JOBS)
    one.path.mkdir(parents=True)
    write_metrics(one, reported(2))

    def last(futures: dict[Path, "Future[list[Note]]"]) -> None:
        two.path.mkdir(exist_ok=True)
        for run in (one, two):
            write_metrics(run, reported(3))
            futures[run.path].set_result([])

    engine = HandMoved([last])
    monkeypatch.setattr(module.time, "sleep", engine.move)
    monkeypatch.setattr(module, "read_result", lambda *_: None)
    reports: list[RunReport] = []
    runner(tmp_path, engine, reports).run("folds", JOBS)
    assert [is_new for name, _, is_new in epochs_of(reports) if name == "folds/one"] == [False, False, True]
    assert [is_new for name, _, is_new in epochs_of(reports) if name == "folds/two"] == [True, True, True]


def test_the_first_failure_ends_the_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(futures: dict[Path, "Future[list[Note]]"]) -> None:
        futures[tmp_path / "folds/one"].set_exception(Stop())  # the other one would go on for ever
        futures[tmp_path / "folds/two"].set_running_or_notify_cancel()

    engine = HandMoved([fail])
    monkeypatch.setattr(module.time, "sleep", engine.move)
    with pytest.raises(Stop):
        runner(tmp_path, engine).run("folds", JOBS)
    assert not engine.moves


@dataclass(frozen=True)
class FailingLabels:
    """An objective that cannot be built."""

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> Objective:
        raise Stop


@pytest.mark.slow
def test_a_failure_in_a_worker_comes_to_light(tmp_path: Path) -> None:
    broken = replace(job(), fit=replace(job().fit, objective=FailingLabels()))
    with WorkerProcesses(2) as engine, pytest.raises(Stop):
        runner(tmp_path, engine).run("folds", {"folds/one": broken, "folds/two": job("two")})


def test_notes_of_trainings_reach_whoever_watches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    note = Note("info", "something", "to know")
    monkeypatch.setattr(module, "fit_and_predict", lambda *_: [note])
    monkeypatch.setattr(module, "read_result", lambda *_: None)
    notes: list[Note] = []
    JobRunner(tmp_path, InProcess(), notes.append, lambda _: None, PLAN).run("folds", JOBS)
    assert notes == [note, note]


def test_a_stage_in_several_parts_is_entered_once(tmp_path: Path) -> None:
    reports: list[RunReport] = []
    here = runner(tmp_path, reports=reports)
    here.run("folds", {"folds/one": job("one")})
    here.run("folds", {"folds/two": job("two")})
    here.run("final", {"final": job()})
    assert [report.stage.name for report in reports if isinstance(report, StageReport)] == ["folds", "final"]


def test_a_finished_job_may_stand_for_another(tmp_path: Path) -> None:
    here = runner(tmp_path)
    done = here.run("folds", {"search/one": job("one")})["search/one"]
    here.reuse("search/one", "folds/one")
    reports: list[RunReport] = []
    again = runner(tmp_path, reports=reports).run("folds", {"folds/one": job("one")})["folds/one"]
    assert again.history == done.history
    assert all(not is_new for _, _, is_new in epochs_of(reports))
