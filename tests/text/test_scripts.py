"""Scripts without spaces between words are told by their characters, and nothing else is taken for one."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trustag.text.scripts import in_words, is_unspaced, unspaced_script

# The first words of the names that Unicode gives the letters of these scripts.
NAMES = (
    "CJK UNIFIED",
    "HIRAGANA LETTER",
    "KATAKANA LETTER",
    "HALFWIDTH KATAKANA LETTER",
    "THAI",
    "LAO LETTER",
    "KHMER LETTER",
    "MYANMAR LETTER",
    "BOPOMOFO LETTER",
)


def test_letters_of_these_scripts_are_told_and_letters_of_all_others_are_not() -> None:
    every = [character for character in map(chr, range(0x30000)) if unicodedata.category(character)[0] == "L"]
    for character in every:
        name = unicodedata.name(character, "")
        if name.startswith(NAMES):
            assert is_unspaced(character), name
        if name.startswith(("LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC", "DEVANAGARI", "HANGUL", "FULLWIDTH L")):
            assert not is_unspaced(character), name


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("北京", "Chinese"),
        ("東京です", "Japanese"),
        ("กรุงเทพ", "Thai"),
        ("Seoul 서울 Ａ", None),
        ("", None),
        ("a。b", None),
    ],
)
def test_a_text_has_the_script_of_its_letters(text: str, script: str | None) -> None:
    assert unspaced_script(text) == script


@given(st.lists(st.text("abcdé.,1", min_size=1)))
def test_words_of_other_scripts_have_spaces_between_them(words: list[str]) -> None:
    assert in_words(words) == " ".join(words)


@pytest.mark.parametrize("text", ["安娜住在巴黎。她在上海工作。", "「東京」は、大きい。", "กรุงเทพ"])
def test_characters_of_these_scripts_have_none(text: str) -> None:
    assert in_words(list(text)) == text
