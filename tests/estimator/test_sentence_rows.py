"""Rows of tokens and labels: taken from any iterables, checked with the index in the message, kept whole by numpy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import sentences
from trustag.errors import InputError
from trustag.estimator.sentence_rows import Rows, label_rows, sentence_rows, token_rows
from trustag.text.sentences import Sentence


@given(st.lists(st.lists(st.integers(), max_size=3), max_size=4))
def test_numpy_keeps_every_row_whole_whatever_its_length(rows: list[list[int]]) -> None:
    column = np.asarray(Rows(rows))
    assert column.shape == (len(rows),)
    assert column.dtype == object
    assert column.tolist() == rows
    assert all(kept is row for kept, row in zip(column, rows, strict=True))


@given(st.lists(sentences(min_size=0), max_size=4))
def test_sentences_are_built_from_iterators_and_know_their_index(corpus: list[Sentence]) -> None:
    gold = [sentence.gold or (None,) * len(sentence) for sentence in corpus]
    found = sentence_rows((iter(own.tokens) for own in corpus), (iter(own.labels) for own in corpus), gold)
    assert [(own.tokens, own.labels, own.gold) for own in found] == [
        (own.tokens, own.labels, labels) for own, labels in zip(corpus, gold, strict=True)
    ]
    assert [str(own.source) for own in found] == [f"X[{index}]" for index in range(len(corpus))]


@pytest.mark.parametrize("mark", [None, "-", "?", "None"])
def test_marks_for_unknown_labels_are_read(mark: str | None) -> None:
    assert label_rows([["O", mark]], [("a", "b")]) == [("O", None)]
    assert label_rows(np.array([["B-PER"]]), [("a",)]) == [("B-PER",)]


@pytest.mark.parametrize(
    ("rows", "where"), [("text", "X:"), ([["a"], "text"], r"X\[1\]"), ([["a", 3]], r"X\[0\]"), ([4], r"X\[0\]")]
)
def test_tokens_that_are_no_lists_of_strings_are_refused_by_index(rows: list[list[str]], where: str) -> None:
    with pytest.raises(InputError, match=f"^{where}"):
        token_rows(rows)


@pytest.mark.parametrize(
    ("labels", "where"),
    [
        (None, "y:"),
        ([], "y:"),
        ([["O"], ["O"]], r"y\[1\]"),
        ([["O"], "OO"], r"y\[1\]"),
        ([["O"], ["O", 1]], r"y\[1\]"),
        ([["1PER"], ["O", "O"]], r"y\[0\]"),
        ([["B-PER"], ["PER", "O"]], r"y\[1\]"),
    ],
)
def test_labels_that_do_not_fit_are_refused_by_index(labels: list[list[str | None]] | None, where: str) -> None:
    with pytest.raises(InputError, match=f"^{where}"):
        label_rows(labels, [("a",), ("b", "c")])
