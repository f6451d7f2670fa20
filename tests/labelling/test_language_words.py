"""Words of languages."""

import pytest

from trustag.labelling.language_words import known_languages, words_of


@pytest.mark.parametrize("language", known_languages())
def test_words_are_in_small_letters_and_no_name_is_among_them(language: str) -> None:
    words = words_of(language)
    assert words is not None
    assert len(words.stop) > 100
    assert all(word == word.lower() for word in words.stop | words.inner)


def test_languages() -> None:
    assert known_languages() == ["de", "en", "es", "nl"]
    assert words_of("xx") is None
