"""Tokenizers: nothing visible is lost or counted twice, and each follows its stated rule."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.errors import MissingExtraError
from trustag.files import tokenizers
from trustag.files.tokenizers import (
    TOKENIZERS,
    cut_at_whitespace,
    cut_by_regex,
    cut_by_spacy,
    tokenizer_named,
)

_CHARACTERS = st.characters(exclude_categories=["Cs"])
TEXTS = st.text(_CHARACTERS | st.sampled_from(" \t\r\n\u00a0\u200b\u200c\u200d\u0301\u093fab_1.'-"), max_size=40)


def words(text: str, name: str = "regex") -> list[str]:
    return [text[start:end] for start, end in TOKENIZERS[name](text)]


@pytest.mark.parametrize("name", TOKENIZERS)
@given(text=TEXTS)
def test_every_visible_character_is_in_exactly_one_token(name: str, text: str) -> None:
    owners = [0] * len(text)
    before = 0
    for start, end in TOKENIZERS[name](text):
        assert before <= start < end <= len(text)
        before = end
        for position in range(start, end):
            owners[position] += 1
    assert owners == [0 if character.isspace() else 1 for character in text]


@given(TEXTS)
def test_whitespace_tokens_are_what_split_finds(text: str) -> None:
    assert words(text, "whitespace") == text.split()


@given(TEXTS)
def test_regex_never_splits_adjacent_letters(text: str) -> None:
    borders = {end for _, end in cut_by_regex(text)}
    for position in range(1, len(text)):
        left, right = text[position - 1], text[position]
        if unicodedata.category(right)[0] == "M" and not left.isspace():
            assert position not in borders
        if left.isalnum() and right.isalnum():
            assert position not in borders


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n", []),
        ("U.S. state_of-the art", ["U", ".", "S", ".", "state_of", "-", "the", "art"]),
        ("don't", ["don", "'", "t"]),
        ("Zu\u0308rich", ["Zu\u0308rich"]),
        ("नई दिल्ली", ["नई", "दिल्ली"]),
        ("\u0645\u06cc\u200c\u062e\u0648\u0631\u0645", ["\u0645\u06cc\u200c\u062e\u0648\u0631\u0645"]),
        ("!\u0301a", ["!\u0301", "a"]),
        ("\u0301a", ["\u0301", "a"]),
        ("_\u0301a", ["_\u0301a"]),
        ("東京 3km²", ["東京", "3km²"]),
        ("👍🏽", ["👍", "🏽"]),
    ],
)
def test_regex_rule_by_example(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_names_lead_to_tokenizers() -> None:
    assert tokenizer_named("auto") is cut_by_regex
    assert tokenizer_named("regex") is cut_by_regex
    assert tokenizer_named("whitespace") is cut_at_whitespace
    assert tokenizer_named("spacy") is cut_by_spacy


def test_spacy_keeps_its_own_rules() -> None:
    assert words("Hello,  world! ", "spacy") == ["Hello", ",", "world", "!"]


def test_a_missing_spacy_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizers._spacy_tokenizer.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"the spacy tokenizer needs .* pip install 'trustag\[spacy\]'"):
        cut_by_spacy("a")
