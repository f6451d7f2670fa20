"""Forms on the screen: the worst first, in columns that fit, whatever the words are."""

from itertools import product

import pytest
from rich.cells import cell_len

from tests.review.small_run import ISSUES, SENTENCES
from trustag.cli.form_lines import SHOWN, form_lines
from trustag.issues.forms import Form, Occurrence, find_forms, worst_first

FORMS = worst_first(find_forms(SENTENCES, ISSUES))


def form(words: str, label: str | None = None) -> Form:
    return Form(tuple(words.split(" ")), label, (Occurrence(0, 0, 1),))


def test_the_worst_forms_are_listed_first() -> None:
    lines = list(form_lines(FORMS, all_shown=False))
    assert [" ".join(line.split()) for line in lines[:5]] == [
        "wrong of form given models see",
        "2.4 3 Reuters PER ORG 3",
        "0.8 1 New York O LOC 1",
        "0.7 1 Ann PER other boundaries 1",
        "0.6 1 Monday LOC O 1",
    ]
    assert lines[-2] == "\nAbout 4 of 7 places with these 5 forms look wrong."


def test_nothing_to_list_is_said_in_a_line() -> None:
    assert list(form_lines([], all_shown=True)) == ["No form looks wrong."]


@pytest.mark.parametrize(("count", "all_shown"), list(product([SHOWN, SHOWN + 3], [False, True])))
def test_what_is_not_shown_is_counted(count: int, all_shown: bool) -> None:
    lines = list(form_lines([form(f"w{number}") for number in range(count)], all_shown=all_shown))
    rows = [line for line in lines if line.lstrip().startswith("0.0")]
    assert len(rows) == (count if all_shown else SHOWN)
    assert ("\n... and 3 more forms: show more with --top N, write all with -o FILE." in lines) == (len(rows) < count)


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_columns_stand_below_each_other_however_wide_the_words_are(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    forms = [form("東京 都"), form("a" * 150, "LOC"), form("\x1b[31mred", "geo-loc"), form("Ann", "PER")]
    header, *rows = list(form_lines(forms, all_shown=True))[:5]
    starts = {cell_len(row[: row.rindex("  ")]) for row in rows}
    assert starts == {cell_len(header[: header.rindex("  ")])}
    assert all(cell_len(row) <= columns for row in rows)
    assert "\x1b" not in "".join(rows)
