"""What a knowledge base says of names: the types of the items that are called so, in the shape of Wikidata.

Items have labels and aliases, and are instances (P31) of classes or of subclasses (P279) of them. A map of classes to
types says which classes count. Every answer is kept on disk, so that a second run asks nothing.
"""

import json
import sqlite3
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import blake2b
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.labelling.sparql import Endpoint, in_pages, quoted

SOURCE: Final = "kb"
_PREFIXES: Final = """PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <http://www.wikidata.org/prop/direct/>
"""
_QUERY: Final = """SELECT DISTINCT ?form ?item ?class WHERE {{
  VALUES ?form {{ {forms} }}
  VALUES ?class {{ {classes} }}
  ?item rdfs:label|skos:altLabel ?form .
  ?item wdt:P31/wdt:P279* ?class .
}} ORDER BY ?form ?item ?class"""


class KnownTypes(NamedTuple):
    """The types of a name, each with the number of items that are called so and have it."""

    counts: Mapping[str, int]

    @property
    def only(self) -> str | None:
        """The type, if there is one only."""
        return next(iter(self.counts)) if len(self.counts) == 1 else None


@dataclass(frozen=True, slots=True)
class Asking:
    """How names are asked: the language of their labels, names in a request, and rows in a page of the answer."""

    language: str = "en"
    batch: int = 50
    page: int = 1000


class KnowledgeBase:
    """Looks names up, each once: answers are kept in the file ``cache``."""

    def __init__(self, endpoint: Endpoint, classes: Mapping[str, str], asking: Asking, cache: Path) -> None:
        self._endpoint = endpoint
        self._classes = dict(classes)
        self._asking = asking
        self._cache = cache
        self._known: dict[str, KnownTypes] = {}
        with closing(self._opened()) as answers, answers:
            answers.execute("CREATE TABLE IF NOT EXISTS answers (form TEXT PRIMARY KEY, counts TEXT NOT NULL)")

    def types_of(self, forms: Iterable[str]) -> dict[str, KnownTypes]:
        """Return what is known of ``forms``; names that the knowledge base does not have are left out."""
        wanted = list(dict.fromkeys(forms))
        new = [form for form in wanted if form not in self._known]
        if new:
            with closing(self._opened()) as answers:
                self._known.update(_stored(answers, new))
                unasked = iter([form for form in new if form not in self._known])
                while batch := list(islice(unasked, self._asking.batch)):
                    found = self._asked(batch)
                    with answers:
                        rows = [(form, json.dumps(found[form].counts)) for form in batch]
                        answers.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?)", rows)
                    self._known.update(found)
        return {form: self._known[form] for form in wanted if self._known[form].counts}

    def _asked(self, batch: Sequence[str]) -> dict[str, KnownTypes]:
        forms = " ".join(f"{quoted(form)}@{self._asking.language}" for form in batch)
        classes = " ".join(f"wd:{name}" for name in sorted(self._classes))
        query = _PREFIXES + _QUERY.format(forms=forms, classes=classes)
        items: dict[str, dict[str, set[str]]] = {form: {} for form in batch}
        for row in in_pages(self._endpoint, query, self._asking.page):
            kind = self._classes.get(row.get("class", "").rpartition("/")[2])
            if kind is not None and row.get("form") in items:
                items[row["form"]].setdefault(kind, set()).add(row.get("item", ""))
        return {form: KnownTypes({kind: len(found) for kind, found in kinds.items()}) for form, kinds in items.items()}

    def _opened(self) -> sqlite3.Connection:
        try:
            self._cache.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(self._cache, timeout=60)
            connection.execute("PRAGMA user_version")
        except (OSError, sqlite3.Error) as error:
            finding = f"answers cannot be kept there ({error})"
            raise InputError(finding, where=self._cache, remedy="remove the file, or set TRUSTAG_CACHE") from None
        return connection


def cache_name(location: str, language: str, classes: Mapping[str, str]) -> str:
    """Return the name of the file with the answers of a knowledge base for one language and map of classes."""
    facts = json.dumps([location, language, sorted(classes.items())])
    return f"{blake2b(facts.encode(), digest_size=12).hexdigest()}.sqlite"


def read_classes(path: Path | None) -> dict[str, str]:
    """Return the types of classes in a TOML file, or those that are shipped for Wikidata."""
    if path is None:
        text = resources.files("trustag.labelling").joinpath("wikidata_classes.toml").read_text(encoding="utf-8")
    else:
        text = InputFile(path).text()
    try:
        values: dict[str, Any] = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=path, remedy="mend the file") from None
    classes = {name: kind for kind, names in values.items() for name in _names(kind, names, path)}
    if not classes:
        raise InputError("names no class", where=path, remedy='write lines such as PER = ["Q5"]')
    return classes


def _names(kind: str, names: object, path: Path | None) -> Iterator[str]:
    if not isinstance(names, list):
        raise InputError(f"{kind} is no list of classes", where=path, remedy='write lines such as PER = ["Q5"]')
    for name in names:
        if not isinstance(name, str) or not name.isalnum():
            raise InputError(f"{name!r} is no class", where=path, remedy="classes are written as Q5")
        yield name


def _stored(answers: sqlite3.Connection, forms: Sequence[str]) -> Iterator[tuple[str, KnownTypes]]:
    for form in forms:
        row = answers.execute("SELECT counts FROM answers WHERE form = ?", (form,)).fetchone()
        if row is not None:
            yield form, KnownTypes(json.loads(row[0]))
