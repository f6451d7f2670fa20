"""What labelling knows of a language: words, and the rules that are shipped; each language is a TOML file here."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any, Final

_PACKAGE: Final = "trustag.labelling"
_FOLDER: Final = "languages"


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Words of a language, in small letters.

    ``stop`` are never names alone; ``inner`` stand inside names; ``never`` are capitalised but no names; ``titles``
    stand before names and are no part of them; ``peoples`` are nationalities, religions and languages.
    """

    stop: frozenset[str] = frozenset()
    inner: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()
    titles: frozenset[str] = frozenset()
    peoples: frozenset[str] = frozenset()
    first_names: frozenset[str] = frozenset()


NO_WORDS: Final = LanguageWords()


def known_languages() -> list[str]:
    """Return the codes of the languages whose words are known."""
    folder = resources.files(_PACKAGE).joinpath(_FOLDER)
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


@lru_cache(maxsize=16)
def words_of(language: str) -> LanguageWords | None:
    """Return the words of a language, or ``None`` if they are not known."""
    if language not in known_languages():
        return None
    values = language_values(language)["words"]
    return LanguageWords(**{name: frozenset(text.split()) for name, text in values.items()})


def language_values(language: str) -> dict[str, Any]:
    """Return the contents of the file of a known language."""
    return tomllib.loads(language_text(language))


def language_text(language: str) -> str:
    """Return the text of the file of a known language."""
    return resources.files(_PACKAGE).joinpath(_FOLDER, f"{language}.toml").read_text(encoding="utf-8")
