"""A finished run keeps its results and how its epochs went; the trainings that led there go, unless they are wanted."""

import json
from pathlib import Path

import pytest

from tests.training.small import ROUNDS, noisy_corpus, small_recipe
from trustag.files.outputs import new_folder
from trustag.pipeline import Destination, train
from trustag.reports.sections.training_section import training_section
from trustag.runs.finishing import FinishedRunError
from trustag.runs.folder import RunFolder
from trustag.runs.reading import open_runs

RECIPE = small_recipe(*ROUNDS, method="confidence")


def jobs_of(path: Path) -> set[str]:
    return {file.name for file in (path / "jobs").rglob("*") if file.is_file()}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs on the same corpus, of which one keeps its jobs."""
    folder = tmp_path_factory.mktemp("runs")
    for name, keep_jobs in (("kept", True), ("tidy", False)):
        train(noisy_corpus(), RECIPE, Destination(folder / name, keep_jobs=keep_jobs))
    return folder


def test_only_the_epochs_of_jobs_are_kept(runs: Path) -> None:
    assert jobs_of(runs / "tidy") == {"metrics.jsonl"}
    assert jobs_of(runs / "kept") > {"metrics.jsonl", "facts.json", "tensors.safetensors"}
    names = [sorted(path.name for path in (runs / name).iterdir()) for name in ("kept", "tidy")]
    assert names[0] == names[1]


def test_reports_show_the_same_of_both(runs: Path) -> None:
    kept, tidy = (open_runs([runs / name])[0] for name in ("kept", "tidy"))
    for number in (1, 2):
        assert len(tidy.fold_epochs(number)) == 2
        assert tidy.fold_epochs(number) == kept.fold_epochs(number)
    assert repr(training_section(tidy)) == repr(training_section(kept))


def test_a_finished_run_is_not_trained_again(runs: Path) -> None:
    destination = Destination(runs / "tidy", resume=True)
    before = jobs_of(runs / "tidy")
    with pytest.raises(FinishedRunError, match="is finished; nothing is left to do; start anew with --overwrite"):
        train(noisy_corpus(), RECIPE, destination, report=lambda report: pytest.fail("it trains"))
    assert jobs_of(runs / "tidy") == before
    kept = train(noisy_corpus(), RECIPE, Destination(runs / "kept", resume=True, keep_jobs=True))
    assert kept.baseline is not None


def test_what_a_killed_process_had_no_time_to_remove_goes_later(tmp_path: Path) -> None:
    recipe = small_recipe()
    train(noisy_corpus(), recipe, Destination(tmp_path / "run", keep_jobs=True))
    run = RunFolder(tmp_path / "run")
    manifest = json.loads(run.manifest.read_text())
    run.manifest.write_text(json.dumps({**manifest, "keeps_jobs": False}))
    (run.checkpoints / "epoch").mkdir(parents=True)
    with pytest.raises(ZeroDivisionError), new_folder(run.jobs, overwrite=True):
        raise ZeroDivisionError
    with pytest.raises(FinishedRunError):
        train(noisy_corpus(), recipe, Destination(run.path, resume=True))
    assert jobs_of(run.path) == {"metrics.jsonl"}
    assert not run.checkpoints.exists()
