"""Read how to label from a TOML file and from options, and build what labels by it."""

import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.labelling.candidates import bare
from trustag.labelling.compiled_cache import gazetteer_of
from trustag.labelling.drafts import KnowledgeSource
from trustag.labelling.gazetteers import Gazetteer
from trustag.labelling.knowledge_base import Asking, KnowledgeBase, cache_name, read_classes
from trustag.labelling.labeller import Labeller
from trustag.labelling.language_words import NO_WORDS, LanguageWords, known_languages, words_of
from trustag.labelling.list_sources import NAMES, LocatedList, locate_lists, read_list
from trustag.labelling.local_store import LocalStore, is_dump, store_of_dump
from trustag.labelling.rule_files import read_rules
from trustag.labelling.settings import LabellingSettings
from trustag.labelling.sparql import Endpoint, HttpEndpoint
from trustag.labelling.taggers import tagger_named
from trustag.notes import Note, Watch
from trustag.recipes.loading import checked
from trustag.vectors.cache import cache_folder


def read_settings(path: Path | None, changes: dict[str, Any], lists: Sequence[str] = ()) -> LabellingSettings:
    """Return the settings in the TOML file at ``path``, if there is one, with ``changes`` and further ``lists``.

    Paths in the file are relative to it. A list is named as ``PATH`` or ``TYPE=PATH``.
    """
    values: dict[str, Any] = {} if path is None else _read(path)
    if path is not None:
        for one in values.get("gazetteer", ()):
            if isinstance(one, dict) and isinstance(one.get("path"), str):
                one["path"] = _relative_to(path, one["path"])
        base = values.get("knowledge_base")
        if isinstance(base, dict):
            named = {key: base[key] for key in ("location", "classes") if isinstance(base.get(key), str)}
            base.update({key: str(path.parent / text) for key, text in named.items() if "://" not in text})
    values.update({name: value for name, value in changes.items() if value is not None})
    if lists:
        values["gazetteer"] = [*values.get("gazetteer", ()), *map(list_option, lists)]
    return checked(LabellingSettings, values, where=str(path) if path is not None else "options")


def list_option(text: str) -> dict[str, str]:
    """Return the settings of a list that is named as ``PATH`` or ``TYPE=PATH``.

    >>> list_option("LOC=places.txt")
    {'path': 'places.txt', 'type': 'LOC'}
    """
    kind, equals, path = text.partition("=")
    if equals and not Path(text).exists():
        return {"path": path, "type": kind}
    return {"path": text}


def build_labeller(settings: LabellingSettings, watch: Watch) -> Labeller:
    """Return what labels by ``settings``; lists are compiled where they have not been before."""
    words = words_of(settings.language)
    if words is None:
        detail = f"none are known for {settings.language!r}, only for {', '.join(known_languages())}"
        watch(Note("info", "words of the language", detail))
        words = NO_WORDS
    if not settings.gazetteer and not settings.rules and settings.knowledge_base is None:
        remedy = "name lists with --gazetteer, rules with --rules, a knowledge base with --kb, or a --config"
        raise InputError("there is nothing to label by", remedy=remedy)
    if settings.candidates == "none" and settings.knowledge_base is not None:
        remedy = "choose what finds candidates, for example --candidates capitals"
        raise InputError("a knowledge base is asked for candidates, but nothing finds candidates", remedy=remedy)
    if settings.rules and settings.candidates == "none":
        remedy = "choose what finds candidates, for example --candidates capitals"
        raise InputError("rules say what candidates are, but nothing finds candidates", remedy=remedy)
    lists = locate_lists(settings.gazetteer, words.stop, settings.language)
    gazetteer = Gazetteer(gazetteer_of(tuple(one for one in lists if one.role == NAMES), watch), settings.ambiguous)
    rules = read_rules(settings.rules, _words_of_rules(lists, words), settings.without_rules)
    tagger = tagger_named(settings.candidates, settings.language, words)
    return Labeller(settings, gazetteer, tagger, rules, words, _knowledge(settings))


def _knowledge(settings: LabellingSettings) -> KnowledgeSource | None:
    named = settings.knowledge_base
    if named is None:
        return None
    classes = read_classes(Path(named.classes) if named.classes is not None else None)
    asking = Asking(settings.language, named.batch, named.page)
    endpoint: Endpoint
    if "://" in named.location:
        location = named.location
        endpoint = HttpEndpoint(location, named.timeout, named.retries, named.per_second)
    else:
        folder = store_of_dump(Path(named.location)) if is_dump(Path(named.location)) else Path(named.location)
        changed = max((path.stat().st_mtime_ns for path in folder.glob("*")), default=0)
        location = f"{folder.resolve()} {changed}"
        endpoint = LocalStore(folder)
    cache = cache_folder(os.environ) / "knowledge-answers" / cache_name(location, settings.language, classes)
    return KnowledgeSource(
        KnowledgeBase(endpoint, classes, asking, cache), named.ambiguous, frozenset(classes.values())
    )


def _words_of_rules(lists: Sequence[LocatedList], words: LanguageWords) -> dict[str, frozenset[tuple[str, ...]]]:
    """Return the words of lists that rules use, by role; several lists may have one role."""
    found: dict[str, set[tuple[str, ...]]] = {
        "peoples": {(word,) for word in words.peoples},
        "titles": {(word,) for word in words.titles},
        "first-names": {(word,) for word in words.first_names},
    }
    no_names = words.stop | words.titles | words.peoples | words.never
    for one in lists:
        if one.role != NAMES:
            named = (name.text.split() for name in read_list(one).forms)
            forms = (tuple(map(bare, words)) for words in named if len("".join(words)) >= one.options.minimum_length)
            kept = {form for form in forms if len(form) > 1 or form[0] not in no_names}
            found.setdefault(one.role, set()).update(kept)
    return {role: frozenset(forms) for role, forms in found.items()}


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(InputFile(path).text())
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=path, remedy="mend the file") from None


def _relative_to(path: Path, named: str) -> str:
    return named if named.partition(":")[0] == "builtin" else str(path.parent / named)
