"""Looking words up: closest form first."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trustag.vectors.word_vectors import DEFAULT_LOOKUP, Lookup, WordVectors, concatenate_vectors

WORDS = st.text(st.sampled_from("aAbBßİ019١"), min_size=1, max_size=4)


def vectors_of(words: list[str]) -> WordVectors:
    return WordVectors("made up", tuple(words), np.zeros((len(words), 2), np.float32), len(words))


@given(WORDS, st.booleans(), st.booleans(), st.lists(WORDS, unique=True, max_size=6))
def test_the_closest_form_that_has_a_row_is_found(word: str, case: bool, digits: bool, entries: list[str]) -> None:
    folded = re.sub(r"\d", "0", word)
    tried = [word, *([word.lower()] if case else []), *([folded] if digits else [])]
    tried += [folded.lower()] if case and digits else []
    expected = next((entries.index(form) for form in tried if form in entries), None)
    assert vectors_of(entries).find(word, Lookup(case_fallback=case, fold_digits=digits)) == expected


@given(st.lists(WORDS, max_size=5), st.booleans(), st.booleans())
def test_all_forms_are_exactly_those_that_can_be_found(words: list[str], case: bool, digits: bool) -> None:
    lookup = Lookup(case, digits)
    forms = lookup.all_forms(words)
    assert forms == {form for word in words for _, form in lookup.forms(word)}
    assert forms.issuperset(words)


def test_the_form_that_was_found_is_reported() -> None:
    vectors = vectors_of(["the", "0000", "b-00", "The"])
    assert vectors.find_manner("The") == ("exact", 3)
    assert vectors.find_manner("THE") == ("lower-case", 0)
    assert vectors.find_manner("1996") == ("digits folded", 1)
    assert vectors.find_manner("B-52") == ("lower-case, digits folded", 2)
    assert vectors.find_manner("cat") is None
    assert (len(vectors), vectors.width) == (4, 2)


@given(st.lists(WORDS, unique=True, max_size=5), st.lists(WORDS, unique=True, max_size=5), WORDS)
def test_a_word_has_the_values_of_both_side_by_side(first: list[str], second: list[str], word: str) -> None:
    parts = [
        WordVectors(name, tuple(words), np.arange(1, 1 + width * len(words), dtype=np.float32).reshape(-1, width), 7)
        for name, words, width in (("a", first, 2), ("b", second, 3))
    ]
    both = concatenate_vectors(parts)
    assert (both.name, both.width, both.rows_read) == ("a+b", 5, 14)
    assert set(both.words) == {*first, *second}
    row = both.find(word)
    if row is not None:
        entry = both.words[row]
        halves = both.matrix[row, :2], both.matrix[row, 2:]
        for part, half in zip(parts, halves, strict=True):
            found = part.find(entry, DEFAULT_LOOKUP)
            assert half.tolist() == ([0.0] * part.width if found is None else part.matrix[found].tolist())
