"""Capital letters against a slow count over all pairs of borders."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import labellings
from trustag.noise.capital_letters import (
    capitalised_runs,
    capitals_mark_entities,
    entity_capitals,
    is_capitalised,
    lower_case_words,
)
from trustag.text.sentences import Sentence
from trustag.text.spans import read_spans

WORDS = st.sampled_from(["The", "the", "Ada", "Lee", "said", "NATO", "É", "é", "1st", "iPhone", ""])


@st.composite
def labelled(draw: st.DrawFn) -> Sentence:
    tokens = tuple(draw(st.lists(WORDS, min_size=1, max_size=8)))
    return Sentence(tokens, draw(labellings(len(tokens))))


@given(labelled(), st.sets(st.sampled_from(["the", "said", "ada"])))
def test_runs_are_the_longest_stretches_of_free_capitalised_words(sentence: Sentence, lower: set[str]) -> None:
    def is_free(index: int) -> bool:
        outside = sentence.labels[index] in {None, "O"}
        return outside and is_capitalised(sentence.tokens, index, lower)

    count = len(sentence)
    stretches = {
        (start, end)
        for start in range(count)
        for end in range(start + 1, count + 1)
        if all(map(is_free, range(start, end)))
    }
    longest = [
        (start, end) for start, end in sorted(stretches) if {(start - 1, end), (start, end + 1)}.isdisjoint(stretches)
    ]
    assert list(capitalised_runs(sentence, lower)) == longest


@given(labelled())
def test_only_the_first_word_is_excused_by_its_lower_case(sentence: Sentence) -> None:
    every = {token.lower() for token in sentence.tokens}
    for index, token in enumerate(sentence.tokens):
        begins_with_capital = token != "" and token[0].isupper()
        assert is_capitalised(sentence.tokens, index, ()) == begins_with_capital
        assert is_capitalised(sentence.tokens, index, every) == (begins_with_capital and index > 0)


@given(labelled())
def test_words_in_lower_case_and_capitals_of_entities(sentence: Sentence) -> None:
    assert set(lower_case_words(sentence)) == set(sentence.tokens) & {"the", "said", "é", "1st"}
    firsts = [sentence.tokens[span.start] for span in read_spans(sentence.labels)]
    assert list(entity_capitals(sentence)) == [word in {"The", "Ada", "Lee", "NATO", "É"} for word in firsts]


def test_capitals_mark_entities_where_most_have_one() -> None:
    assert capitals_mark_entities(Counter({True: 2, False: 1}))
    assert not capitals_mark_entities(Counter({True: 1, False: 1}))
    assert not capitals_mark_entities(Counter())
