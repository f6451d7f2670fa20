"""Issues as a sequence, as a table and in a notebook, where nothing from a corpus becomes markup."""

from trustag.issues.filtering import IssueSelection
from trustag.issues.flat_records import COLUMNS
from trustag.issues.issue import Issue
from trustag.issues.listing import Issues
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

HOSTILE = '"><img src=x onerror=alert(1)><script>'
SENTENCES = (Sentence((HOSTILE, "in", "Rome"), ("B-PER", "O", "O")),)
LISTED = Issues(
    SENTENCES,
    (
        Issue(0, 2, 3, "missed", (), (Span(2, 3, "LOC"),), 0.9, 0.1, 0.8),
        Issue(0, 0, 1, "spurious", (Span(0, 1, HOSTILE),), (), 0.7, 0.2, 0.8),
    ),
)


def test_a_notebook_shows_text_not_markup() -> None:
    shown = LISTED._repr_html_()
    assert "<img" not in shown
    assert "<script" not in shown
    assert "&lt;img" in shown
    assert "more" not in shown
    assert "and 30 more" in Issues(SENTENCES, LISTED.issues * 25)._repr_html_()


def test_a_table_has_a_row_for_each_issue() -> None:
    frame = LISTED.to_frame()
    assert tuple(frame.columns) == COLUMNS
    assert frame["text"].tolist() == ["Rome", HOSTILE]
    assert frame["given_label"].tolist() == ["O", HOSTILE]
    assert tuple(LISTED[:0].to_frame().columns) == COLUMNS


def test_a_part_is_of_the_same_corpus() -> None:
    assert LISTED[0] == LISTED.issues[0]
    assert LISTED[1:].sentences == SENTENCES
    assert list(LISTED.chosen(IssueSelection(kinds=frozenset({"spurious"})))) == [LISTED[1]]
    assert list(LISTED.chosen(IssueSelection(types=frozenset({"LOC"}), min_score=0.5))) == [LISTED[0]]
    assert list(LISTED.chosen(IssueSelection(min_score=0.95))) == []
    assert len(LISTED.chosen(IssueSelection(top=1))) == 1
