"""The comparison as tables and as a page."""

from pathlib import Path

from tests.figures.written import WrittenRun
from tests.reports.random_run import written
from tests.reports.written import PageReader
from trustag.reports.comparison import compare_runs
from trustag.reports.comparison_page import comparison_page, remarks, tables
from trustag.reports.rendering import render
from trustag.runs.reading import open_runs


def test_the_page_has_all_tables_and_charts(tmp_path: Path) -> None:
    paths = [
        written(tmp_path / "one", 1, 5, 0.80),
        written(tmp_path / "two", 2, 5, 0.84),
        written(tmp_path / "long", 1, 9, 0.90),
    ]
    runs = open_runs(paths)
    found = compare_runs(runs)
    captions = [table.caption for table in tables(found)]
    assert captions[-2:] == ["Settings that differ", "Runs that differ only in the seed: mean F1 (lowest to highest)"]
    assert list(remarks(found)) == []
    page = PageReader(render(comparison_page(found, runs)))
    assert page.open == []
    assert page.count("svg") == 3
    assert "one, two 84.71 (84.71 to 84.71) 82.00 (80.00 to 84.00)" in page.text


def test_other_data_is_pointed_out(tmp_path: Path) -> None:
    paths = [written(tmp_path / "one", 1, 5, 0.8), written(tmp_path / "two", 1, 5, 0.8, data="z")]
    found = compare_runs(open_runs(paths))
    assert list(remarks(found)) == [
        "Not all runs have the same data (train); equal letters mean equal data.",
        "All runs have the same settings.",
    ]


def test_missing_numbers_are_blank(tmp_path: Path) -> None:
    paths = [written(tmp_path / "full", 1, 5, 0.8), WrittenRun().write(tmp_path / "bare")]
    found = compare_runs(open_runs(paths))
    scores = next(table for table in tables(found) if table.caption.startswith("Scores"))
    assert list(scores.rows[0]) == ["dev F1", "84.71", ""]
