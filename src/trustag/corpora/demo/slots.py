"""What can fill each slot of a template: entities with their type, or numbers."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from trustag.corpora.demo import locations, organisations, others, people
from trustag.seeded_random import SeededRandom

_HELD_OUT_EVERY: Final = 4
_COMPOUNDS: Final = 72
_PEOPLE: Final = 400

NUMBERS: Final = {
    "digit": range(10),
    "goals": range(5),
    "small": range(2, 13),
    "day": range(10, 29),
    "latemonth": range(10, 13),
    "hour": range(8, 22),
    "minute": range(10, 60),
    "two": range(13, 100),
    "big": range(100, 1000, 10),
    "age": range(19, 85),
    "longago": range(1920, 1990),
    "year": range(1950, 2025),
    "nextyear": range(2027, 2041),
    "order": range(10000, 100000),
}


class Names(NamedTuple):
    """What can fill an entity slot: its type, names for all splits, and names held out from training."""

    type: str
    common: tuple[str, ...]
    held_out: tuple[str, ...]


def entity_slots(rng: SeededRandom) -> dict[str, Names]:
    """Return the names for every entity slot, in random order."""
    full_names = _combined(people.FIRST_NAMES, people.LAST_NAMES, rng)[:_PEOPLE]
    lists: dict[str, tuple[str, Sequence[str]]] = {
        "person": ("PER", [f"{first} {last}" for first, last in full_names]),
        "short": ("PER", [f"{first[0]}. {last}" for first, last in full_names]),
        "first": ("PER", people.FIRST_NAMES),
        "last": ("PER", people.LAST_NAMES),
        "city": ("LOC", locations.CITIES),
        "country": ("LOC", locations.COUNTRIES),
        "region": ("LOC", locations.REGIONS),
        "landscape": ("LOC", locations.LANDSCAPES),
        "district": ("LOC", locations.DISTRICTS),
        "street": ("LOC", locations.STREETS),
        "sight": ("LOC", _compounds(locations.SIGHTS, locations.CITIES, rng)),
        "stadium": ("LOC", _compounds(locations.STADIUMS, locations.CITIES, rng)),
        "company": ("ORG", organisations.COMPANIES),
        "firm": ("ORG", _compounds(organisations.FAMILY_FIRMS, people.LAST_NAMES, rng)),
        "agency": ("ORG", organisations.AGENCIES),
        "ministry": ("ORG", organisations.MINISTRIES),
        "club": ("ORG", organisations.CLUBS),
        "cityclub": ("ORG", locations.CITIES),
        "paper": ("ORG", organisations.PAPERS),
        "centralbank": ("ORG", _compounds(["Bank of {}"], locations.COUNTRIES, rng)),
        "citybody": ("ORG", _compounds(organisations.CITY_BODIES, locations.CITIES, rng)),
        "thecitybody": ("ORG", _compounds(organisations.ARTICLE_CITY_BODIES, locations.CITIES, rng)),
        "countrybody": ("ORG", _compounds(organisations.COUNTRY_BODIES, locations.COUNTRIES, rng)),
        "thecountrybody": ("ORG", _compounds(organisations.ARTICLE_COUNTRY_BODIES, locations.COUNTRIES, rng)),
        "nationality": ("MISC", others.NATIONALITIES),
        "people": ("MISC", others.PEOPLES),
        "language": ("MISC", others.LANGUAGES),
        "cup": ("MISC", others.CUPS),
        "fair": ("MISC", others.FAIRS),
        "device": ("MISC", others.DEVICES),
        "software": ("MISC", others.SOFTWARE),
        "work": ("MISC", others.WORKS),
        "law": ("MISC", others.LAWS),
    }
    return {slot: _divided(kind, rng.shuffled(names)) for slot, (kind, names) in lists.items()}


def _divided(kind: str, names: Sequence[str]) -> Names:
    common = tuple(name for index, name in enumerate(names) if index % _HELD_OUT_EVERY)
    return Names(kind, common, tuple(names[::_HELD_OUT_EVERY]))


def _compounds(patterns: Sequence[str], parts: Sequence[str], rng: SeededRandom) -> list[str]:
    return [pattern.format(part) for pattern, part in _combined(patterns, parts, rng)[:_COMPOUNDS]]


def _combined(left: Sequence[str], right: Sequence[str], rng: SeededRandom) -> list[tuple[str, str]]:
    return rng.shuffled((one, other) for one in left for other in right)
