"""The table as Markdown, HTML and LaTeX: every figure is there, and nothing breaks out of a cell."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest

from trustag.experiments.grid_rows import Checked, GridTable, Pair, Row, RowFigure
from trustag.experiments.table_formats import FORMATS, as_html, as_latex, as_markdown, plain_tables

PAIR = Pair("one", "plain", "new_method", 1.5, 0.0123, 3)
ROWS = [
    Row("plain", "1", "BiLSTM-CRF", {"one": RowFigure(61.0, 62.04, 0.44, 3, 64.0, 60.0, 63.9, 12.0)}),
    Row("new_method", "", "new_method & more | <b>", {"one": RowFigure(70.0)}, note="a note"),
]
TABLE = GridTable("The table", ["one"], ROWS, [Checked("1 < 2", "one", "holds", PAIR)], [PAIR], ["a remark"])


def test_tables_without_rows_are_left_out() -> None:
    assert [one.title for one in plain_tables(replace(TABLE, orderings=[], pairs=[]))] == [
        "The table",
        "Published, ours, and what other test sentences would give",
    ]


@pytest.mark.parametrize("name", FORMATS)
def test_every_form_has_ours_the_spread_the_seeds_and_the_difference(name: str) -> None:
    text = FORMATS[name](TABLE).replace(r"$\pm$", "±")
    assert "62.0 ± 0.4 (3) [+1.0]" in text
    assert "[70.0]" in text


def test_markdown_tables_have_the_same_number_of_cells_in_each_line() -> None:
    text = as_markdown(TABLE)
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        assert len({line.replace("\\|", "").count("|") for line in lines}) <= 1
    assert "| 1 < 2 | one | holds | +1.5 | 0.012 | 3 |" in text
    assert "60.0 to 63.9" in text
    assert "a remark" in text
    assert "a note" in text


class Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_html_escapes_everything() -> None:
    page = Cells()
    page.feed(as_html(TABLE))
    assert "b" not in page.tags
    assert "new_method & more | <b>" in page.texts
    assert page.tags.count("table") == 4


def test_latex_escapes_its_special_characters() -> None:
    text = as_latex(TABLE)
    assert r"new\_method \& more" in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {line.replace(r"\&", "").count("&") for line in rows} == {2}
