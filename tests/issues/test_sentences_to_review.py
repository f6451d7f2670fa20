"""Sentences to review first: those with the most doubt, and not the same question again and again."""

from collections import Counter
from math import log2

from hypothesis import given
from hypothesis import strategies as st

from trustag.issues.issue import Issue
from trustag.issues.sentences_to_review import sentences_to_review
from trustag.text.sentences import Sentence
from trustag.text.spans import Span

WORDS = ("Ann", "Rome", "May", "Nile")


def issue(sentence: int, token: int, score: float) -> Issue:
    own = (Span(token, token + 1, "PER"),)
    return Issue(sentence, token, token + 1, "spurious", own, (), score, 1 - score, score)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[list[Issue], list[Sentence]]:
    """Return issues in sentences of few words, so that many are the same."""
    rows = draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=3), min_size=1, max_size=6))
    sentences = [Sentence(tuple(row), ("B-PER",) * len(row)) for row in rows]
    scores = st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0])
    issues = [issue(number, token, draw(scores)) for number, row in enumerate(rows) for token in range(len(row))]
    return issues, sentences


@given(corpora(), st.integers(1, 8))
def test_each_next_sentence_is_the_one_that_teaches_most(made: tuple[list[Issue], list[Sentence]], count: int) -> None:
    issues, sentences = made
    found = sentences_to_review(issues, sentences, count)
    assert len(found) == min(count, len(sentences))
    seen: Counter[str] = Counter()
    left = set(range(len(sentences)))

    def worth(number: int) -> float:
        total = 0.0
        for own in issues:
            if own.sentence == number:
                bits = sum(-part * log2(part) for part in (own.score, 1 - own.score) if part)
                total += bits / 2 ** seen[sentences[number].tokens[own.first]]
        return total

    for one in found:
        assert one.sentence in left
        assert abs(one.worth - worth(one.sentence)) < 1e-9
        assert all(worth(other) <= one.worth + 1e-9 for other in left)
        left.remove(one.sentence)
        seen.update(sentences[one.sentence].tokens[own.first] for own in one.issues)


def test_another_question_comes_before_the_same_again() -> None:
    sentences = [Sentence((word,), ("B-PER",)) for word in ("Ann", "Ann", "Rome")]
    issues = [issue(0, 0, 0.5), issue(1, 0, 0.5), issue(2, 0, 0.3)]
    assert [one.sentence for one in sentences_to_review(issues, sentences, 3)] == [0, 2, 1]
