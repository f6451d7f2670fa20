"""Doubt shared among the places where a word has the same label, against doing it by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.issues.ranking import from_log_odds, log_odds
from trustag.issues.same_words import shared_doubt

LABELLED = st.tuples(
    st.floats(0.001, 0.999), st.sampled_from(["Bonn", "BONN", "bonn", "Berliner", "Berlin", "a"]), st.integers(-1, 2)
)


@given(st.lists(LABELLED, min_size=1, max_size=12))
def test_half_of_the_evidence_is_that_of_the_word_with_the_same_label(labelled: list[tuple[float, str, int]]) -> None:
    wrong, words, labels = (np.array(column) for column in zip(*labelled, strict=True))
    odds = log_odds(wrong)
    expected = odds.copy()
    for place, (word, label) in enumerate(zip(words, labels, strict=True)):
        if label > 0 or word[0].isupper():
            alike = [
                odds[other]
                for other in range(len(words))
                if words[other].lower()[:6] == word.lower()[:6]
                and labels[other] == label
                and (label > 0 or words[other][0].isupper())
            ]
            expected[place] = (odds[place] + np.mean(alike)) / 2
    assert shared_doubt(wrong, words.tolist(), labels) == pytest.approx(from_log_odds(expected))


def test_words_that_are_no_names_and_labels_alone_keep_their_own_doubt() -> None:
    wrong = np.array([0.9, 0.1, 0.7])
    assert shared_doubt(wrong, ["the", "the", "Rome"], np.zeros(3, np.int64)) == pytest.approx(wrong)


def test_nothing_is_certain_and_an_empty_corpus_has_no_doubt() -> None:
    shared = shared_doubt(np.array([1.0, 0.0]), ["Bonn", "Bonn"], np.array([1, 1]))
    assert ((shared > 0) & (shared < 1)).all()
    assert len(shared_doubt(np.array([]), [], np.array([], np.int64))) == 0
