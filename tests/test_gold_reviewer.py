"""The gold column as a reviewer: it spends no more than it may and never settles a wrong label."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.form_decisions import ORDERS, GoldReviewer, questions
from trustag.issues.issue import Issue, kind_of
from trustag.issues.listing import Issues
from trustag.issues.regions import differing_regions
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

tags = st.sampled_from(("O", "B-PER", "I-PER", "B-LOC"))
tokens = st.lists(st.tuples(st.sampled_from(("a", "b", "c")), tags, tags, tags), min_size=1, max_size=7)


def found_issues(rows: list[list[tuple[str, str, str, str]]]) -> Issues:
    """Return a corpus of words, given and gold labels, with an issue wherever models see something else."""
    columns = [tuple(zip(*row, strict=True)) for row in rows]
    corpus = tuple(Sentence(words, labels, gold=gold) for words, labels, gold, _ in columns)
    issues = [
        Issue(number, one.first, one.end, kind_of(one.given, one.suggested), one.given, one.suggested, 0.6, 0.3, 0.5)
        for number, (_, labels, _, seen) in enumerate(columns)
        for one in differing_regions(labels, seen)
    ]
    return Issues(corpus, tuple(issues))


@pytest.mark.parametrize("order", ORDERS)
@given(rows=st.lists(tokens, min_size=1, max_size=5), budget=st.integers(1, 12))
@settings(max_examples=60)
def test_answers_are_right_and_cost_what_they_may(
    order: str, rows: list[list[tuple[str, str, str, str]]], budget: int
) -> None:
    found = found_issues(rows)
    reviewer = GoldReviewer(found.sentences, budget)
    reviewer.review(questions(order, found, 1))
    assert reviewer.spent <= budget
    for line in reviewer.lines:
        gold = read_spans(found.sentences[line["sentence"]].gold or ())
        right = [span for span in gold if span.start < line["end"] and span.end > line["first"]]
        assert [Span(one["start"], one["end"], one["label"]) for one in line["spans"]] == right
        assert all(line["first"] <= span.start and span.end <= line["end"] for span in right)


def test_exceptions_cost_a_decision_each_and_even_forms_depend() -> None:
    def corpus(*gold: str) -> Issues:
        return Issues(tuple(Sentence(("Rome",), ("B-PER",), gold=(label,)) for label in gold), ())

    mostly = GoldReviewer(corpus("B-LOC", "B-LOC", "B-LOC", "B-PER").sentences, 10)
    mostly.review(questions("by form", corpus("B-LOC", "B-LOC", "B-LOC", "B-PER"), 1))
    assert (mostly.spent, mostly.depends, len(mostly.lines)) == (2, 0, 3)
    even = GoldReviewer(corpus("B-LOC", "B-PER").sentences, 10)
    even.review(questions("by form", corpus("B-LOC", "B-PER"), 1))
    assert (even.spent, even.depends, even.lines) == (1, 1, [])
