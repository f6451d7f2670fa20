"""Read how to label from a TOML file and from options, and build what labels by it."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from trustag.errors import InputError
from trustag.files.inputs import InputFile
from trustag.labelling.compiled_cache import gazetteer_of
from trustag.labelling.gazetteers import Gazetteer
from trustag.labelling.labeller import Labeller
from trustag.labelling.language_words import known_languages, words_of
from trustag.labelling.list_sources import locate_lists
from trustag.labelling.settings import LabellingSettings
from trustag.notes import Note, Watch
from trustag.recipes.loading import checked


def read_settings(path: Path | None, changes: dict[str, Any], lists: Sequence[str] = ()) -> LabellingSettings:
    """Return the settings in the TOML file at ``path``, if there is one, with ``changes`` and further ``lists``.

    Paths in the file are relative to it. A list is named as ``PATH`` or ``TYPE=PATH``.
    """
    values: dict[str, Any] = {} if path is None else _read(path)
    if path is not None:
        for one in values.get("gazetteer", ()):
            if isinstance(one, dict) and isinstance(one.get("path"), str):
                one["path"] = _relative_to(path, one["path"])
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
        watch(Note("info", "stop words", detail))
    lists = locate_lists(settings.gazetteer, words.stop if words is not None else frozenset())
    if not lists:
        raise InputError("there is nothing to label by", remedy="name lists with --gazetteer, or a --config")
    return Labeller(settings, Gazetteer(gazetteer_of(lists, watch), settings.ambiguous))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(InputFile(path).text())
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=path, remedy="mend the file") from None


def _relative_to(path: Path, named: str) -> str:
    return named if named.startswith("builtin:") else str(path.parent / named)
