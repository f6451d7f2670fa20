"""An issue as a row: its columns, its words with their spacing, and where it stands."""

import pytest

from trustag.issues.flat_records import COLUMNS, row_of, words_in_text
from trustag.issues.issue import Issue
from trustag.text.sentences import Sentence, Source
from trustag.text.spans import Span

SENTENCES = (
    Sentence(("Ann", "ran"), ("B-PER", "O")),
    Sentence(
        ("in", "New", "York", "."),
        ("O", "O", "B-LOC", "O"),
        source=Source("file", 10, token_lines=True),
        gaps=("", " ", "\u00a0", "", "\n"),
    ),
)
ISSUE = Issue(1, 1, 3, "boundary", (Span(2, 3, "LOC"),), (Span(1, 3, "LOC"),), 0.9, 0.05, 0.85, 0.2, 0.7, 0.5)


def test_a_row_has_every_column_in_order_and_plain_values_only() -> None:
    row = row_of(ISSUE, SENTENCES)
    assert tuple(row) == COLUMNS
    assert all(value is None or isinstance(value, str | int | float) for value in row.values())
    assert {name: row[name] for name in ("sentence", "token_start", "token_end", "kind", "score", "held")} == {
        "sentence": 1,
        "token_start": 1,
        "token_end": 3,
        "kind": "boundary",
        "score": 0.9,
        "held": 0.5,
    }
    scores = ("given_score", "suggested_score", "position_score", "type_score")
    assert [row[name] for name in scores] == [0.05, 0.85, 0.2, 0.7]
    assert row["given_label"] != row["suggested_label"]
    assert "LOC" in str(row["given_label"])


def test_words_keep_the_spacing_of_the_text() -> None:
    row = row_of(ISSUE, SENTENCES)
    assert row["text"] == words_in_text(ISSUE, SENTENCES[1]) == "New\u00a0York"
    assert row["context"] == "in New\u00a0York.\n"


@pytest.mark.parametrize(("sentence", "source"), [(0, None), (1, "file:11")])
def test_the_source_is_the_line_of_the_first_token_where_it_is_known(sentence: int, source: str | None) -> None:
    issue = Issue(sentence, 1, 2, "missed", (), (Span(1, 2, "PER"),), 0.5, 0.5, 0.5)
    row = row_of(issue, SENTENCES)
    assert row["source"] == source
    assert row["position_score"] is row["type_score"] is row["held"] is None
