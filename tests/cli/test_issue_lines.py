"""Label issues on the screen: grouped by decision, with their words in context."""

import click

from trustag.cli.issue_lines import SHOWN, issue_lines
from trustag.issues.issue import Issue
from trustag.issues.listing import Issues
from trustag.text.sentences import Sentence
from trustag.text.spans import Span


def found(*words: str) -> Issues:
    """Return a missed entity for each word, each in a sentence of its own."""
    sentences = tuple(Sentence(("Then", word, "left"), ("O", "O", "O")) for word in words)
    return Issues(
        sentences,
        tuple(Issue(number, 1, 2, "missed", (), (Span(1, 2, "PER"),), 0.9, 0.05, 0.92) for number in range(len(words))),
    )


def test_the_words_are_in_brackets_between_their_context() -> None:
    issues = found("Ann")
    first, second, *_ = map(click.unstyle, issue_lines(issues.issues, issues, all_shown=False))
    assert first == "0.90  missed    O 0.05 -> PER 0.92"
    assert second == "      Then [Ann] left"


def test_equal_decisions_are_one_group() -> None:
    issues = found("Ann", "Ann", "Bob")
    text = click.unstyle("\n".join(issue_lines(issues.issues, issues, all_shown=False)))
    assert (text.count("[Ann]"), text.count("[Bob]")) == (1, 1)


def test_only_the_first_groups_are_shown() -> None:
    issues = found(*(f"N{number}" for number in range(SHOWN + 5)))
    text = click.unstyle("\n".join(issue_lines(issues.issues, issues, all_shown=False)))
    assert text.count("[N") == SHOWN
    assert "... and 5 more in 5 groups: show more with --top N, write all with -o FILE." in text
    every = click.unstyle("\n".join(issue_lines(issues.issues, issues, all_shown=True)))
    assert every.count("[N") == SHOWN + 5


def test_nothing_to_show_is_said() -> None:
    issues = found("Ann")
    assert list(issue_lines((), Issues((), ()), all_shown=False)) == ["No label looks wrong."]
    assert list(issue_lines((), issues, all_shown=False)) == ["None of the 1 issues matches."]


def test_sources_are_ranked_by_how_often_they_look_wrong() -> None:
    sentence = Sentence(("Ann", "Rome"), ("B-PER", "B-LOC"), token_sources=("anna+ben", "ben"))
    wrong = Issue(0, 0, 1, "spurious", (Span(0, 1, "PER"),), (), 0.8, 0.1, 0.9)
    lines = list(issue_lines([wrong], Issues((sentence,), (wrong,)), all_shown=False))
    assert [line.split() for line in lines[-2:]] == [["anna", "1", "80%"], ["ben", "2", "40%"]]
