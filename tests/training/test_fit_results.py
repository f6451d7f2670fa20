"""A training as a job: what it leaves in its folder, what is read back, and that nothing is done twice."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.training.made_up_results import random_outputs, result_of
from tests.training.run_files import everything
from tests.training.small import noisy_corpus, small_recipe, small_task
from trustag.crossfit.tracking import TrackedLabels, Tracking
from trustag.errors import InputError
from trustag.models.saving import load_model
from trustag.runs.folder import RunFolder
from trustag.runs.records import EpochReport
from trustag.text.sentences import Corpus
from trustag.training import fit_results as module
from trustag.training.fit_results import Job, copy_result, fit_and_predict, read_result
from trustag.training.fitting import Report
from trustag.training.loop import StepReport

TASK = small_task(small_recipe("training.epochs=2"), Corpus(noisy_corpus().train[:12], noisy_corpus().dev[:4]))
TOKENS = TASK.corpus.tokens[:3]
JOB = Job(TASK.fit(TrackedLabels(Tracking())), TOKENS, keeps_model=True)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("job") / "done"
    fit_and_predict(JOB, folder)
    return folder


def test_what_is_read_back_is_what_the_kept_model_says(done: Path) -> None:
    result = read_result(done, TOKENS, "crf")
    expected = load_model(result.model).corpus_outputs(TOKENS)
    assert list(result.outputs.lengths) == [len(tokens) for tokens in TOKENS]
    read, written = result.outputs.tensors(), expected.tensors()
    assert read.keys() == written.keys() == {"emissions", "transitions", "start", "end"}
    assert all(torch.equal(read[name], written[name]) for name in written)
    assert len(result.history) == 2
    assert result.record["scores"].shape == (2, len(TASK.corpus.label_ids))
    assert not result.record["scores"].isnan().any()
    assert result.model == done / "model-best"


def test_a_finished_training_is_not_done_again(done: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in done.rglob("*")}
    assert fit_and_predict(JOB, done, _refuse) == []
    assert {file: file.stat().st_mtime_ns for file in done.rglob("*")} == before


def _refuse(report: Report) -> None:
    raise AssertionError("it was trained once more")


@pytest.mark.parametrize("keeps_model", [True, False])
def test_models_are_left_only_where_they_are_needed(keeps_model: bool, tmp_path: Path) -> None:
    job = replace(JOB, keeps_model=keeps_model)
    fit_and_predict(job, tmp_path / "job")
    names = {entry.name for entry in (tmp_path / "job").iterdir()}
    assert names == {"metrics.jsonl", "outcome"} | ({"model-best", "model-last"} if keeps_model else set())


def test_what_a_killed_process_left_is_tidied_up(done: Path, tmp_path: Path) -> None:
    job = tmp_path / "job"
    shutil.copytree(done, job)
    expected = everything(job)
    (job / "checkpoints" / "epoch-0001-step-000000").mkdir(parents=True)
    (job / "step.txt").write_text("1 0.500")
    shutil.copytree(job / "outcome", job / ".outcome.x.part")
    fit_and_predict(JOB, job)
    assert everything(job) == expected


@pytest.mark.parametrize("broken", ["tensors.safetensors", "facts.json", "sha256"])
def test_a_training_whose_result_is_broken_is_done_again(done: Path, tmp_path: Path, broken: str) -> None:
    job = tmp_path / "job"
    shutil.copytree(done, job)
    file = job / "outcome" / broken
    file.write_bytes(file.read_bytes()[:-1] + b"\x01")
    (note,) = fit_and_predict(JOB, job)
    assert str(note).startswith(f"{job / 'outcome'}: dropped: broken result of a training: ")
    assert everything(job) == everything(done)


@pytest.mark.parametrize("content", [b"{}", b"[]", b'{"history": 7}', b"\xff", b'{"history": [{"odd": 1}]}'])
def test_a_result_of_another_kind_is_refused_in_one_line(done: Path, tmp_path: Path, content: bytes) -> None:
    job = tmp_path / "job"
    shutil.copytree(done, job)
    (job / "outcome" / "facts.json").write_bytes(content)
    with pytest.raises(InputError, match=r"job: is not the result of this training .* remove this folder"):
        read_result(job, TOKENS, "crf")


def test_a_result_may_stand_for_another_training(done: Path, tmp_path: Path) -> None:
    copy_result(done, tmp_path / "search" / "one")
    assert everything(tmp_path / "search" / "one") == everything(done)
    # A result that is there already stays; half a training does not.
    kept = tmp_path / "kept"
    (kept / "outcome").mkdir(parents=True)
    copy_result(done, kept)
    assert not list((kept / "outcome").iterdir())
    half = tmp_path / "half"
    half.mkdir()
    (half / "metrics.jsonl").write_text("old")
    copy_result(done, half)
    assert everything(half) == everything(done)


def test_the_kept_epoch_is_the_last_that_was_best_and_dev_f1_that_of_the_best() -> None:
    history = [
        EpochReport(0, 3.0, f1=0.2, is_best=True),
        EpochReport(1, 2.0, f1=0.7, is_best=True),
        EpochReport(2, 1.0, f1=0.5),
    ]
    result = result_of(random_outputs(1, [2], 3), history=history)
    assert result.kept_epoch is history[1]
    assert result.dev_f1 == 0.7
    without = result_of(random_outputs(1, [2], 3), history=[EpochReport(0, 3.0, is_best=True)])
    assert without.dev_f1 is None


def test_steps_are_written_now_and_then_for_who_follows_from_outside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = 0.0
    monkeypatch.setattr("time.monotonic", lambda: clock)
    run = RunFolder(tmp_path)
    write = module._StepFile(run)
    write(StepReport(3, 1, 8))
    assert not run.step.exists()
    clock = 1.5
    write(EpochReport(2, 1.0))
    assert not run.step.exists()
    write(StepReport(3, 2, 8))
    assert run.step.read_text() == "3 0.250"
    write(StepReport(3, 3, 8))
    assert run.step.read_text() == "3 0.250"
