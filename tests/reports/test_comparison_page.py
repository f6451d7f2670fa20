"""The comparison as tables and as a page: a column a run, no line without a value, a section a table."""

from pathlib import Path

from tests.figures.written import WrittenRun
from tests.reports.test_comparison import written
from tests.reports.written import PageReader
from trustag.reports.comparison import compare_runs
from trustag.reports.comparison_page import comparison_page, tables
from trustag.reports.rendering import render
from trustag.runs.reading import open_runs


def test_every_run_has_a_column_and_no_line_is_empty(tmp_path: Path) -> None:
    paths = [written(tmp_path / name, seed, 5, 0.8) for name, seed in (("one", 1), ("two", 2))]
    paths.append(WrittenRun().write(tmp_path / "bare"))
    found = list(tables(compare_runs(open_runs(paths))))
    for table in found:
        assert len({len(row) for row in (table.header, *table.rows)}) == 1
        assert all(any(row[1:]) for row in table.rows)
    by_run = [table for table in found if list(table.header[1:]) == ["one", "two", "bare"]]
    assert len(by_run) == len(found) - 1, "all but the table of seeds"


def test_a_page_has_a_section_for_every_table_and_names_every_run(tmp_path: Path) -> None:
    runs = open_runs([written(tmp_path / "one", 1, 5, 0.8), written(tmp_path / "two", 2, 9, 0.7)])
    found = compare_runs(runs)
    page = comparison_page(found, runs)
    shown = [block for section in page.sections for block in section.blocks if block in list(tables(found))]
    assert shown == list(tables(found))
    anchors = [section.anchor for section in page.sections]
    assert len(set(anchors)) == len(anchors) == len(shown)
    text = PageReader(render(page)).text
    assert "80.00" in text
    assert "70.00" in text
    assert all(run.name in page.subtitle for run in runs)
