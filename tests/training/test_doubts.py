"""The labels to look at first are the least trusted ones, each sentence and each word once."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trustag.text.disagreement import differing_run, entity_type
from trustag.text.sentences import Sentence
from trustag.training.doubts import least_trusted

NAMES = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")
PLACES = [(sentence, token) for sentence in range(4) for token in range(3)]


def corpus(numbers: list[int]) -> list[Sentence]:
    rows = [numbers[3 * sentence : 3 * sentence + 3] for sentence in range(4)]
    words = [("Ann", "saw", "Rome"), ("rome", "is", "far"), ("she", "saw", "Bob"), ("Bob", "saw", "Ann")]
    return [Sentence(tokens, tuple(NAMES[number] for number in row)) for tokens, row in zip(words, rows, strict=True)]


@given(st.data())
def test_the_least_trusted_come_first_and_nothing_twice(data: st.DataObject) -> None:
    labels = st.lists(st.integers(0, len(NAMES) - 1), min_size=12, max_size=12)
    old, new = data.draw(labels), data.draw(labels)
    scores = data.draw(st.lists(st.integers(0, 20), min_size=12, max_size=12))
    trusted = data.draw(st.lists(st.booleans(), min_size=12, max_size=12))
    columns = {
        "sentence": np.array([sentence for sentence, _ in PLACES]),
        "token": np.array([token for _, token in PLACES]),
        "label": np.array(old),
        "suggested": np.array(new),
        "score": np.array(scores) / 20,
        "suggested_score": np.ones(12),
        "trusted": np.array(trusted),
    }
    given_labels, suggested = corpus(old), corpus(new)
    found = least_trusted(given_labels, suggested, columns, count=3)
    remaining = [place for place in range(12) if old[place] != new[place]]
    ranks = {
        place: sum(
            (trusted[other], scores[other], other) < (trusted[place], scores[place], place)
            for other in remaining
            if (old[other] == 0) == (old[place] == 0)
        )
        for place in remaining
    }
    for doubt in found:
        best = min(remaining, key=lambda place: (ranks[place], old[place] == 0))
        assert PLACES[best] == (doubt.sentence, doubt.token)
        assert (doubt.given, doubt.suggested, doubt.score) == (NAMES[old[best]], NAMES[new[best]], scores[best] / 20)
        assert doubt.first <= doubt.token < doubt.end
        word = given_labels[doubt.sentence].tokens[doubt.token].casefold()
        remaining = [
            place
            for place in remaining
            if PLACES[place][0] != doubt.sentence
            and given_labels[PLACES[place][0]].tokens[PLACES[place][1]].casefold() != word
        ]
    assert len(found) == 3 or not remaining


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), min_size=1), st.data())
def test_a_run_is_the_longest_of_its_kind(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    token = data.draw(st.integers(0, len(pairs) - 1))
    first, end = differing_run(one, other, token)
    ways = [(entity_type(a), entity_type(b)) if a != b else "same" for a, b in pairs]
    assert first <= token < end
    assert set(ways[first:end]) == {ways[token]}
    assert first == 0 or ways[first - 1] != ways[token]
    assert end == len(ways) or ways[end] != ways[token]
