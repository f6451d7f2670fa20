"""Issues come likeliest wrong first, or those first of which models are least sure."""

from trustag.issues.filtering import IssueSelection, in_order
from trustag.issues.issue import Issue
from trustag.text.spans import Span


def issue(sentence: int, score: float, given: float, suggested: float) -> Issue:
    return Issue(sentence, 0, 1, "missed", (), (Span(0, 1, "PER"),), score, given, suggested)


ISSUES = (issue(0, 0.6, 0.3, 0.6), issue(1, 0.9, 0.0, 0.99), issue(2, 0.7, 0.45, 0.5), issue(3, 0.9, 0.0, 0.99))


def test_orders_and_what_is_taken_of_them() -> None:
    assert [found.sentence for found in in_order(reversed(ISSUES), "worst")] == [1, 3, 2, 0]
    assert [found.sentence for found in in_order(reversed(ISSUES), "unsure")] == [2, 0, 1, 3]
    assert [found.sentence for found in IssueSelection(top=2).of(in_order(ISSUES, "unsure"))] == [2, 0]
