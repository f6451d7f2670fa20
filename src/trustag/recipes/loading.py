"""Put a recipe together: a shipped one or a TOML file, then single values on top, each checked with a hint."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from trustag.errors import InputError
from trustag.recipes.settings import Recipe


class Setting(NamedTuple):
    """One setting as a user meets it: its dotted name, its default, the values it takes, and what it does."""

    name: str
    default: object
    kind: str
    description: str


def shipped_recipes() -> dict[str, str]:
    """Return the recipes that come with the package, by name, each with its first comment line."""
    found = {}
    for entry in sorted(resources.files("trustag.recipes").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            first_line = entry.read_text(encoding="utf-8").partition("\n")[0]
            found[entry.name.removesuffix(".toml")] = first_line.removeprefix("#").strip()
    return found


def load_recipe(name: str = "fast", changes: Sequence[str] = ()) -> Recipe:
    """Return the recipe called ``name`` (shipped, or a path to a TOML file) with ``section.key=value`` changes.

    Whoever names a number of epochs gets that many: the least number of steps is then off unless it is named too.
    """
    values = _parse(_read(name), where=name)
    named = {_apply(values, change) for change in changes}
    if "training.epochs" in named and "training.least_steps" not in named:
        values["training"]["least_steps"] = 0
    return build_recipe(values, where=name)


def build_recipe(values: Mapping[str, Any], where: str) -> Recipe:
    """Return the checked recipe of nested ``values``; a wrong one is an error that says what would be right."""
    try:
        return Recipe.model_validate(values)
    except ValidationError as error:
        raise _as_input_error(error, where) from None


def settings() -> Iterator[Setting]:
    """Yield every setting there is."""
    for section_name, section in Recipe.model_fields.items():
        section_type: type[BaseModel] = section.annotation  # type: ignore[assignment]
        for key, field in section_type.model_fields.items():
            kind = _kind(section_type.model_json_schema()["properties"][key])
            yield Setting(f"{section_name}.{key}", field.default, kind, field.description or "")


def _read(name: str) -> str:
    if name in shipped_recipes():
        return resources.files("trustag.recipes").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    path = Path(name)
    if not path.is_file():
        known = ", ".join(shipped_recipes())
        raise InputError(f"no recipe called {name!r} and no such file", remedy=f"shipped recipes: {known}")
    return path.read_text(encoding="utf-8")


def _parse(text: str, where: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {error}", where=where, remedy="mend the file") from None


def _apply(values: dict[str, Any], change: str) -> str:
    """Set one ``section.key=value`` and return its name; values are TOML, and bare words are taken as strings."""
    name, equals, text = change.partition("=")
    section, dot, key = name.strip().partition(".")
    if not (equals and dot and key):
        raise InputError(
            f"--set {change!r} is not of the form section.key=value", remedy="for example training.epochs=4"
        )
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    values.setdefault(section, {})[key] = value
    return name.strip()


def _as_input_error(error: ValidationError, where: str) -> InputError:
    first = error.errors()[0]
    name = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = [setting.name for setting in settings()] + list(Recipe.model_fields)
        close = difflib.get_close_matches(name, known, n=1)
        remedy = f"did you mean {close[0]!r}?" if close else "trustag recipes lists every setting"
        return InputError(f"there is no setting {name!r}", where=where, remedy=remedy)
    return InputError(f"{name} = {first['input']!r}: {first['msg'].lower()}", where=where, remedy="see trustag recipes")


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    kind = {"number": "number", "integer": "whole number", "boolean": "true | false", "array": "whole numbers"}.get(
        schema.get("type", ""), "text"
    )
    limits = [f"{sign} {schema[key]:g}" for key, sign in _LIMITS.items() if key in schema]
    return f"{kind} {', '.join(limits)}".strip()


_LIMITS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
