"""Issues of the same words and the same decision are one group; a first look shows variety."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from trustag.issues.grouping import decision_of, group_issues, varied
from trustag.issues.issue import Issue, kind_of
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

WORDS = ("Ann", "Rome", "rome", "Reuters")


def issue_at(sentence: int, first: int, given_type: str, suggested_type: str, score: float) -> Issue:
    given_spans = (Span(first, first + 1, given_type),) if given_type else ()
    suggested = (Span(first, first + 1, suggested_type),) if suggested_type else ()
    return Issue(
        sentence, first, first + 1, kind_of(given_spans, suggested), given_spans, suggested, score, 1 - score, score
    )


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[Sentence], list[Issue]]:
    rows = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), min_size=1, max_size=5))
    sentences = [Sentence(tuple(row), ("O",) * len(row)) for row in rows]
    places = [(number, token) for number, row in enumerate(rows) for token in range(len(row))]
    pairs = draw(st.lists(st.sampled_from([("", "PER"), ("PER", "ORG"), ("PER", "")]), min_size=len(places)))
    issues = [
        issue_at(*place, *pair, 1 / (rank + 1)) for rank, (place, pair) in enumerate(zip(places, pairs, strict=False))
    ]
    return sentences, issues


@given(corpora())
def test_groups_hold_every_issue_once_and_one_decision_each(corpus: tuple[list[Sentence], list[Issue]]) -> None:
    sentences, issues = corpus
    groups = group_issues(issues, sentences)
    assert Counter(issue.id for group in groups for issue in group.issues) == Counter(issue.id for issue in issues)
    decisions = [{decision_of(issue, sentences) for issue in group.issues} for group in groups]
    assert all(len(own) == 1 for own in decisions)
    assert len({decision for own in decisions for decision in own}) == len(groups)
    for group in groups:
        assert group.worst.score == max(issue.score for issue in group.issues)
        assert all(sentences[issue.sentence].tokens[issue.first] == group.words[0] for issue in group.issues)


@given(corpora(), st.integers(0, 6))
def test_no_sentence_and_no_word_comes_twice(corpus: tuple[list[Sentence], list[Issue]], count: int) -> None:
    sentences, issues = corpus
    shown = varied(issues, sentences, count)
    assert len(shown) <= count
    assert len({issue.sentence for issue in shown}) == len(shown)
    words = {sentences[issue.sentence].tokens[issue.first].casefold() for issue in shown}
    assert len(words) == len(shown)
    if issues and count:
        assert shown[0] == next((issue for issue in issues if issue.given), issues[0])


def test_a_group_is_told_as_a_sentence() -> None:
    sentences = [Sentence(("Reuters", "said"), ("B-PER", "O"))] * 3
    (group,) = group_issues([issue_at(number, 0, "PER", "ORG", 0.9) for number in range(3)], sentences)
    assert group.in_words() == "`Reuters` given PER 3 times, predicted ORG"
