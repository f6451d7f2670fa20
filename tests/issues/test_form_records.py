"""Forms as records and as a table: every value plain, none a formula, and both say the same."""

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from tests.review.small_run import ISSUES, REUTERS, SENTENCES, issue
from trustag.issues.form_records import COLUMNS, FORM_EXPORTS, form_row, seen_in_words
from trustag.issues.forms import Form, Occurrence, find_forms, worst_first
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

FORMS = worst_first(find_forms(SENTENCES, ISSUES))


def exported(name: str, forms: list[Form]) -> str:
    stream = io.BytesIO()
    FORM_EXPORTS[name](stream, forms)
    assert not stream.closed
    return stream.getvalue().decode()


def test_records_name_every_place() -> None:
    records = [json.loads(line) for line in exported("jsonl", FORMS).splitlines()]
    assert [record["form"] for record in records] == [form.text for form in FORMS]
    assert records[0]["places"] == [REUTERS, "1-0-1", "3-0-1"]
    assert records[0]["seen"] == {"ORG": 3}
    assert records[0]["wrong"] == 2.4


def test_the_table_says_what_the_records_say() -> None:
    rows = list(csv.DictReader(io.StringIO(exported("csv", FORMS), newline="")))
    records = [json.loads(line) for line in exported("jsonl", FORMS).splitlines()]
    for row, record in zip(rows, records, strict=True):
        assert tuple(row) == COLUMNS
        plain = [name for name in COLUMNS if name != "seen"]
        assert [row[name] for name in plain] == [str(record[name]) for name in plain]
        assert row["seen"] == ", ".join(f"{label} {count}" for label, count in record["seen"].items())


def test_no_cell_is_a_formula() -> None:
    corpus = [Sentence(("=1+1",), ("B-PER",))]
    forms = find_forms(corpus, [issue(0, 0, 1, 0.5, Span(0, 1, "ORG"), corpus=corpus)])
    (row,) = csv.DictReader(io.StringIO(exported("csv", forms), newline=""))
    assert row["form"] == "'=1+1"


@given(st.text(max_size=3), st.text(max_size=3), st.integers(1, 4))
def test_any_words_come_back(word: str, label: str, count: int) -> None:
    form = Form((word,), label or None, tuple(Occurrence(number, 0, 1) for number in range(count)))
    record = json.loads(exported("jsonl", [form]))
    assert (record["form"], record["given"], record["occurrences"]) == (word, label or "O", count)
    assert seen_in_words(form) == f"{label or 'O'} {count}" == form_row(form)["seen"]
