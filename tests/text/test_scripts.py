"""Scripts without spaces between words are told by their characters, and nothing else is taken for one."""

import unicodedata

import pytest

from trustag.text.scripts import is_unspaced, unspaced_script

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
