"""What labelling knows of the words of a language; each language is a TOML file in the package."""

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Final

_FOLDER: Final = "trustag.labelling"


@dataclass(frozen=True, slots=True)
class LanguageWords:
    """Words of a language: those that are never names alone, and those that stand inside names in small letters."""

    stop: frozenset[str]
    inner: frozenset[str]


def known_languages() -> list[str]:
    """Return the codes of the languages whose words are known."""
    folder = resources.files(_FOLDER).joinpath("languages")
    return sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml"))


@lru_cache(maxsize=16)
def words_of(language: str) -> LanguageWords | None:
    """Return the words of a language, or ``None`` if they are not known."""
    if language not in known_languages():
        return None
    text = resources.files(_FOLDER).joinpath("languages", f"{language}.toml").read_text(encoding="utf-8")
    values = tomllib.loads(text)["words"]
    return LanguageWords(frozenset(values["stop"].split()), frozenset(values["inner"].split()))
