"""Tokenizers: nothing visible is lost or counted twice, and each follows its stated rule."""

import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from trustag.errors import InputError, MissingExtraError
from trustag.files import tokenizers
from trustag.files.tokenizers import (
    TOKENIZERS,
    cut_at_whitespace,
    cut_by_regex,
    cut_by_spacy,
    cut_characters,
    tokenizer_named,
)
from trustag.text.scripts import unspaced_script

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("王小明住在 北京", ["王", "小", "明", "住", "在", "北", "京"]),
        ("在2026年iPhone手机", ["在", "2026", "年", "iPhone", "手", "机"]),
        ("トヨタ、です。", ["ト", "ヨ", "タ", "、", "で", "す", "。"]),
        ("ก่าน", ["ก่", "า", "น"]),
        ("서울에서 살다", ["서울에서", "살다"]),
        ("नई दिल्ली", ["नई", "दिल्ली"]),
        ("Zu\u0308rich U.S.", ["Zu\u0308rich", "U", ".", "S", "."]),
    ],
)
def test_characters_rule_by_example(text: str, expected: list[str]) -> None:
    assert words(text, "characters") == expected


@given(TEXTS)
def test_characters_are_the_tokens_of_regex_where_every_script_has_spaces(text: str) -> None:
    assume(unspaced_script(text) is None)
    assert words(text, "characters") == words(text)


@given(st.text("ab 王京です。กา่1", max_size=20))
def test_characters_are_regex_tokens_cut_further(text: str) -> None:
    borders = {border for offset in cut_characters(text) for border in offset}
    assert borders >= {border for offset in cut_by_regex(text) for border in offset}


def test_names_lead_to_tokenizers() -> None:
    assert tokenizer_named("auto") is cut_characters
    assert tokenizer_named("characters") is cut_characters
    assert tokenizer_named("regex") is cut_by_regex
    assert tokenizer_named("whitespace") is cut_at_whitespace
    assert tokenizer_named("spacy") is cut_by_spacy


def test_spacy_keeps_its_own_rules() -> None:
    assert words("Hello,  world! ", "spacy") == ["Hello", ",", "world", "!"]


def test_a_missing_spacy_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizers._spacy_pipeline.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(MissingExtraError, match=r"the spacy tokenizer needs .* pip install 'trustag\[spacy\]'"):
        cut_by_spacy("a")


def pairs(text: str) -> list[str]:
    return [text[place : place + 2] for place in range(0, len(text), 2)]


def shouted(text: str) -> list[str]:
    return text.upper().split()


def first_word(text: str) -> list[str]:
    return text.split()[:1]


def test_a_function_of_the_user_makes_tokens() -> None:
    cut = tokenizer_named("tests.files.test_tokenizers:pairs")
    assert [("王小明住在"[start:end]) for start, end in cut("王小明住在")] == ["王小", "明住", "在"]
    assert cut("a  b") == [(0, 1), (3, 4)]


@pytest.mark.parametrize(
    ("function", "finding"), [("shouted", "'ANN' is not next in the text"), ("first_word", "'slept' is in no word")]
)
def test_a_function_that_changes_or_loses_words_is_refused(function: str, finding: str) -> None:
    with pytest.raises(InputError, match=rf"^tests.files.test_tokenizers:{function}: {finding}; use a tokenizer"):
        tokenizer_named(f"tests.files.test_tokenizers:{function}")("Ann slept")


def test_a_language_of_spacy_has_its_own_rules() -> None:
    text = "Don't go!"
    assert [text[start:end] for start, end in tokenizer_named("spacy:en")(text)] == ["Do", "n't", "go", "!"]


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("jiebba", "unknown tokenizer 'jiebba'; choose auto, regex, characters, whitespace, spacy, spacy:NAME or"),
        ("no_such_module:cut", "cannot load the tokenizer no_such_module:cut (No module named 'no_such_module')"),
        ("json:cut", "cannot load the tokenizer json:cut (module 'json' has no attribute 'cut')"),
        ("spacy:zz", "spaCy cannot load 'zz' ("),
        ("spacy:no_such_pipeline", "spaCy cannot load 'no_such_pipeline' ("),
    ],
)
def test_a_tokenizer_that_cannot_be_had_is_one_line(name: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        tokenizer_named(name)
    assert str(caught.value).startswith(complaint)
    assert "\n" not in str(caught.value)
