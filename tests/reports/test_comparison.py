"""Runs side by side: what differs is told, what is equal is not, and seeds are averaged."""

from pathlib import Path

import pytest

from tests.figures.written import WrittenRun
from tests.reports.written import FullRun, Judged, PageReader
from trustag.reports.comparison import compare_runs
from trustag.reports.comparison_page import comparison_page, remarks, tables
from trustag.reports.rendering import render
from trustag.runs.reading import open_runs

SENTENCES = [[Judged("Ann", "S-PER", "S-PER", "S-PER"), Judged("Rome", "O", "S-LOC", "S-LOC")]]
RECIPE = "[training]\nseed = {seed}\nepochs = {epochs}\n[rounds]\ncount = 1\n"


def written(path: Path, seed: int, epochs: int, f1: float, data: str = "a") -> Path:
    manifest = {"test": {"f1": f1}, "data": {"train": data, "dev": "b", "test": "c"}}
    return FullRun(SENTENCES, [], seed, RECIPE.format(seed=seed, epochs=epochs), manifest).write(path)


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
    captions = [table.caption for table in tables(found)]
    assert captions[-2:] == ["Settings that differ", "Runs that differ in the seed alone: mean F1, lowest to highest"]
    assert list(remarks(found)) == []
    page = PageReader(render(comparison_page(found, runs)))
    assert page.open == []
    assert page.count("svg") == 3
    assert "one, two 84.71 (84.71 to 84.71) 82.00 (80.00 to 84.00)" in page.text


def test_numbers_of_a_run_are_those_of_its_files(tmp_path: Path) -> None:
    found = compare_runs(open_runs([written(tmp_path / "one", 7, 5, 0.8)])).runs[0]
    assert (found.seed, found.test_f1, found.dev_f1_plain, found.test_f1_plain) == (7, 0.8, 0.6429, None)
    assert (found.negative_rate, found.negative_interval, found.negative_measured) == (0.25, (0.2, 0.3), 1.0)
    assert (found.labels, found.changed, found.issues, found.seconds) == (2, 1, 0, 75)


def test_other_data_is_said(tmp_path: Path) -> None:
    paths = [written(tmp_path / "one", 1, 5, 0.8), written(tmp_path / "two", 1, 5, 0.8, data="z")]
    found = compare_runs(open_runs(paths))
    assert [run.data for run in found.runs] == ["A A A", "B A A"]
    assert list(remarks(found)) == [
        "Not all runs have the same data (train); equal letters stand for equal data.",
        "All runs have the same settings.",
    ]
    assert found.seeds == ()


def test_a_run_that_tells_nothing_leaves_blanks(tmp_path: Path) -> None:
    paths = [written(tmp_path / "full", 1, 5, 0.8), WrittenRun().write(tmp_path / "bare")]
    found = compare_runs(open_runs(paths))
    assert found.runs[1].test_f1 is None
    scores = next(table for table in tables(found) if table.caption.startswith("Entities"))
    assert list(scores.rows[0]) == ["dev F1", "84.71", ""]
