"""How a table is written, found out from its first lines, against the csv module that wrote them."""

import csv
import io
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trustag.files.csv_dialect import DELIMITERS, Dialect, MalformedRowError, detect_dialect, is_table, lines_of

FIELDS = st.text(st.sampled_from("ab ,;\t\"'\n\r"), max_size=4)
QUOTING: Any = st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])


def written(rows: list[list[str]], delimiter: str, quoting: Any) -> str:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, quoting=quoting).writerows(rows)
    return stream.getvalue()


@given(st.lists(st.tuples(FIELDS, FIELDS), max_size=5), st.sampled_from(list(DELIMITERS)), QUOTING)
def test_rows_come_back_however_they_were_written(rows: list[tuple[str, str]], delimiter: str, quoting: Any) -> None:
    text = written([["token", "label"], *map(list, rows)], delimiter, quoting)
    dialect = detect_dialect(text)
    assert dialect.delimiter == delimiter
    assume(dialect.quoted)
    assert [fields for _, fields in dialect.rows(lines_of(text))] == [["token", "label"], *map(list, rows)]


@given(st.lists(st.tuples(FIELDS, FIELDS), max_size=5))
def test_every_row_has_the_number_of_the_line_on_which_it_starts(rows: list[tuple[str, str]]) -> None:
    tidy = [[field.replace("\r", "") for field in row] for row in rows]
    found = list(Dialect(",").rows(lines_of(written(tidy, ",", csv.QUOTE_MINIMAL))))
    starts = [1 + index + sum("".join(row).count("\n") for row in tidy[:index]) for index in range(len(tidy))]
    assert [number for number, _ in found] == starts


def test_a_lone_quotation_mark_between_tabs_is_a_token() -> None:
    dialect = detect_dialect('token\tlabel\n"\tO\nAnn\tB-PER\n')
    assert dialect == Dialect("\t", quoted=False)
    assert list(dialect.rows(['"\tO\n', "\n"])) == [(1, ['"', "O"]), (2, [])]


def test_spaces_after_delimiters_are_seen_and_left_out() -> None:
    dialect = detect_dialect('word, tag\n"Ann", B-PER\n')
    assert dialect.spaced
    assert list(dialect.rows(['"Ann", B-PER\n'])) == [(1, ["Ann", "B-PER"])]


def test_a_row_that_cannot_be_read_is_named_by_its_first_line() -> None:
    with pytest.raises(MalformedRowError) as found:
        list(Dialect(",").rows(["a,b\n", '"c\n', "d,e\n"]))
    assert found.value.line == 2


@pytest.mark.parametrize(
    ("header", "unlabelled", "expected"),
    [
        ("word,tag", False, True),
        ("word;annotator", False, True),
        ("word\tannotator", False, False),
        ("word,O", False, False),
        ("sentence,word", True, True),
        ("id,text", True, False),
        ("Ann B-PER", False, False),
        ('"word', False, False),
        ("", False, False),
    ],
)
def test_a_table_begins_with_a_header(header: str, unlabelled: bool, expected: bool) -> None:
    assert is_table(f"\n{header}\nx,y\n", unlabelled=unlabelled) == expected


@given(st.text(st.sampled_from("ab\r\n"), max_size=8))
def test_lines_keep_their_ends(text: str) -> None:
    assert "".join(lines_of(text)) == text
    assert list(lines_of(text)) == text.splitlines(keepends=True)
