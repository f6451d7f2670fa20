"""What a finished training leaves in its run agrees with what it returns."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.training.small import run_rounds, small_recipe, small_run
from trustag.models.saving import load_model
from trustag.pipeline import TrainResult
from trustag.runs.reading import RunFiles
from trustag.runs.records import EpochReport

pytestmark = pytest.mark.slow  # trains models


@pytest.fixture(scope="module")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> TrainResult:
    """A short run of the confidence method."""
    return run_rounds(tmp_path_factory.mktemp("rounds") / "run")


def test_a_run_says_what_it_was_and_what_came_out(tmp_path: Path) -> None:
    result = small_run(tmp_path / "run", small_recipe())
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["seed"] == 1
    assert set(manifest["data"]) == {"train", "dev", "test"}
    assert result.scores.test is not None
    assert manifest["test"]["f1"] == result.scores.test.micro.f1
    lines = [json.loads(line) for line in (tmp_path / "run" / "metrics.jsonl").read_text().splitlines()]
    assert [EpochReport(**line) for line in lines] == list(result.history)
    assert not (tmp_path / "run" / "checkpoints").exists()


def test_scores_of_the_models_beside_the_kept_one_are_in_the_result_and_in_the_manifest(rounds: TrainResult) -> None:
    result, manifest = rounds, json.loads(rounds.run.manifest.read_text())
    assert list(result.compared) == ["baseline", "round-1", "round-2"]
    assert result.baseline is result.compared["baseline"]
    assert manifest["baseline"] == result.baseline.summary()
    assert manifest["rounds"] == [result.compared[f"round-{number}"].summary() for number in (1, 2)]
    assert result.analysis is not None
    kept = "baseline" if result.kept["name"] == "baseline" else f"round-{result.analysis.round}"
    assert result.scores is result.compared[kept]
    assert result.relabelled is result.compared[f"round-{result.analysis.round}"]
    assert manifest["labels"] == json.loads(json.dumps(result.analysis.summary()))


def test_reading_the_files_gives_what_the_result_holds(rounds: TrainResult) -> None:
    files = RunFiles(rounds.run.path, "run")
    assert all(hasattr(RunFiles, name) for name in rounds.contents())
    assert rounds.analysis is not None
    assert (tuple(files.epochs), files.issues) == (rounds.history, rounds.analysis.issues)
    columns = files.label_columns
    assert columns is not None
    assert {"label", "sentence"} <= set(columns)
    for name, column in columns.items():
        expected = rounds.analysis.columns[name]
        assert np.array_equal(column, expected, equal_nan=expected.dtype.kind == "f"), name


def test_every_round_says_how_many_labels_it_changed(rounds: TrainResult) -> None:
    records = [json.loads(line) for line in rounds.run.rounds.read_text().splitlines()]
    changes = [json.loads(line)["round"] for line in rounds.run.changes.read_text().splitlines()]
    assert [record["changed"] for record in records] == [changes.count(record["round"]) for record in records]
    assert rounds.analysis is not None
    assert rounds.analysis.changed == changes.count(rounds.analysis.round)


def test_the_kept_model_is_saved_with_its_temperature(rounds: TrainResult) -> None:
    assert rounds.analysis is not None
    assert load_model(rounds.run.best).temperature == pytest.approx(rounds.analysis.temperature)
