"""Decisions as rows: what is stored comes back, and any damage to a row is noticed."""

import json
from typing import Any, get_args

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trustag.issues.forms import FORM_MARK
from trustag.review.entries import COLUMNS, DamagedRowError, Entry, NewEntry, ReviewDecision, Verdict, entry_of, row_of
from trustag.text.spans import Span

VERDICTS = st.sampled_from(get_args(Verdict))
NUMBERS = st.integers(0, 2**40)
TEXTS = st.text(max_size=5)
DECISIONS = st.builds(
    ReviewDecision,
    TEXTS,
    VERDICTS,
    NUMBERS,
    NUMBERS,
    NUMBERS,
    st.lists(st.builds(Span, NUMBERS, NUMBERS, TEXTS), max_size=2).map(tuple),
    TEXTS,
    TEXTS,
    TEXTS,
)
ENTRIES = st.builds(Entry, NUMBERS, NUMBERS, DECISIONS, st.none() | NUMBERS)


@given(ENTRIES)
def test_rows_give_back_their_entries(entry: Entry) -> None:
    row = row_of(entry)
    assert len(row) == len(COLUMNS)
    assert entry_of(row) == entry
    assert entry_of((*row[:-1], None)) == entry, "rows of earlier versions have no checksum"


@given(ENTRIES, st.integers(0, len(COLUMNS) - 1), NUMBERS | TEXTS)
def test_a_row_that_was_changed_is_refused(entry: Entry, column: int, value: int | str) -> None:
    row = list(row_of(entry))
    assume(row[column] != value)
    row[column] = value
    with pytest.raises(DamagedRowError):
        entry_of(tuple(row))


@pytest.mark.parametrize(
    ("column", "value"),
    [("spans", "[[0,"), ("spans", '[["0", 1, "PER"]]'), ("verdict", "maybe"), ("sentence", "one"), ("number", None)],
)
def test_a_row_without_a_checksum_must_at_least_make_sense(column: str, value: Any) -> None:
    row = list(row_of(Entry(1, 1, ReviewDecision("0-0-1", "accepted", 0, 0, 1))))
    row[COLUMNS.index(column)] = value
    row[-1] = None
    with pytest.raises(DamagedRowError, match="decision .* cannot be read"):
        entry_of(tuple(row))


@given(VERDICTS, st.booleans())
def test_only_verdicts_on_places_settle_labels(verdict: Verdict, on_form: bool) -> None:
    issue = FORM_MARK + json.dumps(["PER", "Ann"]) if on_form else "0-0-1"
    decision = ReviewDecision(issue, verdict, 0, 0, 1)
    assert decision.is_on_form == on_form
    assert decision.is_final == (verdict in {"accepted", "rejected", "edited"} and not on_form)
    assert decision.is_verdict == (verdict not in {"commented", "undone"})


def test_a_new_entry_gets_its_number_batch_and_time() -> None:
    decision = ReviewDecision("0-0-1", "undone", 0, 0, 1)
    entry = NewEntry(decision, 3, undoes=2).stored(5, 4, "now")
    assert (entry.number, entry.batch, entry.undoes, entry.decision.at) == (5, 4, 2, "now")
    assert decision.at == ""
