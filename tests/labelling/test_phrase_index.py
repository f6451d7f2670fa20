"""The trie finds what a naive search finds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.labelling import phrase_index
from trustag.labelling.phrase_index import NameToIndex, PhraseIndex, compile_phrases
from trustag.labelling.word_pieces import pieces_of_form

WORDS = ["a", "B", "c.", "a-b", "D", "é", "x.y"]
PHRASES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)


def pieces(text: str) -> list[str]:
    return [piece.casefold() for piece in pieces_of_form(text)]


@given(st.lists(PHRASES, max_size=12), st.lists(st.sampled_from([*WORDS, "q", "-", "b", "a-"]), max_size=12))
def test_every_stretch_of_tokens_that_is_a_name_is_found(forms: list[str], tokens: list[str]) -> None:
    index = PhraseIndex(compile_phrases(NameToIndex(form, n, 0, 1.0) for n, form in enumerate(forms)))
    expected = {}
    for start in range(len(tokens)):
        for end in range(start + 1, len(tokens) + 1):
            wanted = pieces(" ".join(tokens[start:end]))
            numbers = {n for n, form in enumerate(forms) if pieces(form) == wanted}
            if numbers:
                expected[start, end] = numbers
    for _ in range(2):  # the second time, everything is remembered
        found = {
            (start, end): {entry.list_number for entry in index.entries(node)}
            for start, end, node in index.walk(tokens)
        }
        assert found == expected
    assert len(index) == len(forms)


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phrase_index, "_MOST_REMEMBERED", 3)
    index = PhraseIndex(compile_phrases([NameToIndex("a b c d e f", 0, 0, 1.0)]))
    for _ in range(3):
        assert [found[:2] for found in index.walk([*"xabcdefaby"])] == [(1, 7)]


def test_an_empty_index_finds_nothing() -> None:
    index = PhraseIndex(compile_phrases([]))
    assert index.walk(["a", "b"]) == []
    assert index.arrays.bytes >= 0
