"""The comparison of runs: numbers of their files, settings that differ, averages over seeds."""

from pathlib import Path

import pytest

from tests.figures.written import WrittenRun
from tests.reports.random_run import written
from trustag.reports.comparison import compare_runs
from trustag.runs.reading import open_runs


def test_seeds_are_averaged_and_differing_settings_listed(tmp_path: Path) -> None:
    paths = [
        written(tmp_path / "one", 1, 5, 0.80),
        written(tmp_path / "two", 2, 5, 0.84),
        written(tmp_path / "long", 1, 9, 0.90),
    ]
    runs = open_runs(paths)
    found = compare_runs(runs)
    assert found.differing == {"training.seed": (1, 2, 1), "training.epochs": (5, 5, 9)}
    (group,) = found.seeds
    assert group.runs == ("one", "two")
    assert group.test_f1 == pytest.approx((0.82, 0.80, 0.84))


def test_numbers_of_a_run_are_those_of_its_files(tmp_path: Path) -> None:
    found = compare_runs(open_runs([written(tmp_path / "one", 7, 5, 0.8)])).runs[0]
    assert (found.seed, found.test_f1, found.dev_f1_plain, found.test_f1_plain) == (7, 0.8, 0.6429, None)
    assert (found.negative_rate, found.negative_interval, found.negative_measured) == (0.25, (0.2, 0.3), 1.0)
    assert (found.labels, found.changed, found.issues, found.seconds) == (2, 1, 0, 75)


def test_other_data_is_said(tmp_path: Path) -> None:
    paths = [written(tmp_path / "one", 1, 5, 0.8), written(tmp_path / "two", 1, 5, 0.8, data="z")]
    found = compare_runs(open_runs(paths))
    assert [run.data for run in found.runs] == ["A A A", "B A A"]
    assert found.seeds == ()


def test_a_run_without_scores_has_none(tmp_path: Path) -> None:
    paths = [written(tmp_path / "full", 1, 5, 0.8), WrittenRun().write(tmp_path / "bare")]
    found = compare_runs(open_runs(paths))
    assert found.runs[1].test_f1 is None
