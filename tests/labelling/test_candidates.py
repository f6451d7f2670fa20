"""Candidates: what is capitalised where that says something, and the parts that may stand alone."""

import pytest

from trustag.labelling.candidates import (
    CapitalsTagger,
    CommonWords,
    candidates,
    could_be_name,
    is_shouted,
    sentence_starts,
    without_punctuation,
)
from trustag.labelling.language_words import NO_WORDS, words_of

WORDS = words_of("en") or NO_WORDS


def found(text: str, *, runs_only: bool = False) -> list[str]:
    tokens = text.split()
    (marked,) = CapitalsTagger(WORDS).names([tuple(map(without_punctuation, tokens))])
    return [" ".join(tokens[c.start : c.end]) for c in candidates(tokens, marked, WORDS) if c.is_run or not runs_only]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He met German Chancellor Helmut Kohl in Bonn .", ["German", "Helmut Kohl", "Bonn"]),
        ("the University of Oslo agreed", ["University", "University of Oslo", "Oslo"]),
        ("we saw Ann and Bob on Monday", ["Ann", "Bob"]),
        ("by A. Agarwal, J. Babb, and others", ["A. Agarwal,", "J. Babb,"]),
        ("the Foo (Bar) of Baz", ["Foo", "(Bar)", "Baz"]),
        ("nothing here", []),
    ],
)
def test_runs_and_parts(text: str, expected: list[str]) -> None:
    assert [one for one in found(text) if one != "German Chancellor Helmut Kohl"] == sorted(
        expected, key=lambda one: (text.index(one), text.index(one) + len(one))
    )


def test_a_word_at_the_start_counts_unless_the_document_writes_it_in_small_letters() -> None:
    document = [["Sheep", "eat"], ["Kohl", "eats"], ["the", "sheep", "The"]]
    marks = CapitalsTagger(WORDS).names(document)
    assert marks == [[False, False], [True, False], [False, False, False]]


def test_sentences_in_capitals_say_nothing() -> None:
    assert is_shouted(["JAPAN", "GET", "LUCKY", "WIN"])
    assert not is_shouted(["Japan", "beat", "CHINA"])
    assert found("JAPAN GET LUCKY WIN") == []


def test_days_stop_words_and_abbreviations() -> None:
    words = ["Monday", "The", "US", "IT", "Oslo", "May", "oslo", "3M"]
    assert [word for word in words if could_be_name(word, WORDS)] == ["US", "IT", "Oslo"]


def test_starts_of_sentences() -> None:
    tokens = ["1.", '"', "The", "end", ":", "A", "b", ".", "C"]
    assert [token for token, starts in zip(tokens, sentence_starts(tokens), strict=True) if starts] == [
        "1.",
        '"',
        "The",
        "A",
        "C",
    ]


def test_common_words_are_those_of_the_language_and_of_the_document() -> None:
    common = CommonWords.of([["The", "cat", "Oslo"]], frozenset({"dog"}))
    assert [word in common for word in ["cat", "dog", "oslo", "the"]] == [True, True, False, False]
