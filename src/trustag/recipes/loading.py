"""Recipes as nested values: read from a shipped or a TOML file, changed one by one, checked with a hint."""

import difflib
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from trustag.errors import InputError
from trustag.recipes.first_form import renamed, upgraded
from trustag.recipes.sections import MOST, Section, is_advanced
from trustag.recipes.settings import Recipe

Checked = TypeVar("Checked", bound=BaseModel)


class Setting(NamedTuple):
    """One setting as a user meets it: dotted name, default, the values it takes, what it does, and for whom it is."""

    name: str
    default: object
    kind: str
    description: str
    advanced: bool = False


def shipped_recipes() -> dict[str, str]:
    """Return the recipes that come with the package, by name, each with its first comment line."""
    found = {}
    for entry in sorted(resources.files("trustag.recipes").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".toml"):
            first_line = entry.read_text(encoding="utf-8").partition("\n")[0]
            found[entry.name.removesuffix(".toml")] = first_line.removeprefix("#").strip()
    return found


def read_values(name: str, *, to_train: bool = True) -> dict[str, Any]:
    """Return the nested values of the recipe called ``name`` (shipped, or a path to a TOML file), in today's form.

    Settings that no longer exist are refused unless the recipe only says how something was trained.
    """
    return upgraded(_parse(_read(name), where=name), to_train=to_train)


def apply_changes(values: dict[str, Any], changes: Sequence[str]) -> None:
    """Set every ``section.key=value`` of ``changes`` in ``values``.

    Whoever names a number of epochs gets that many: the least number of steps is then off unless it is named too.
    """
    named = {_apply(values, change) for change in changes}
    if "training.epochs" in named and "training.least_steps" not in named:
        values["training"]["least_steps"] = 0


def build_recipe(values: Mapping[str, Any], where: str) -> Recipe:
    """Return the checked recipe of nested ``values``; a wrong one is an error that says what would be right."""
    return checked(Recipe, values, where)


def checked(kind: type[Checked], values: Mapping[str, Any], where: str, prefix: str = "") -> Checked:
    """Return the section of ``values``; ``prefix`` is its dotted name, for errors that name the full setting."""
    try:
        return kind.model_validate(dict(values))
    except ValidationError as error:
        raise _as_input_error(error, where, kind, prefix) from None


def settings_of(section: type[BaseModel], prefix: str = "") -> Iterator[Setting]:
    """Yield every setting of a section and of the sections inside it, by its dotted name."""
    properties = section.model_json_schema()["properties"]
    for key, field in section.model_fields.items():
        name, inner = f"{prefix}{key}", field.annotation
        if isinstance(inner, type) and issubclass(inner, Section):
            yield from settings_of(inner, f"{name}.")
        elif inner != dict[str, Any]:
            default = field.get_default(call_default_factory=True)
            default = default.model_dump(mode="json") if isinstance(default, BaseModel) else default
            yield Setting(name, default, _kind(properties[key]), field.description or "", is_advanced(field))


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
    *sections, key = name.strip().split(".")
    if not (equals and sections and key):
        raise InputError(
            f"--set {change!r} is not of the form section.key=value", remedy="for example training.epochs=4"
        )
    new_name = renamed(name.strip())
    if new_name is not None:
        raise InputError(f"the setting {name.strip()!r} is now called {new_name!r}", remedy="use the new name")
    try:
        value = tomllib.loads(f"value = {text.strip()}")["value"]
    except tomllib.TOMLDecodeError:
        value = text.strip()
    for section in sections:
        values = values.setdefault(section, {})
        if not isinstance(values, dict):
            raise InputError(f"there is no setting {name.strip()!r}", remedy="trustag recipes lists every setting")
    values[key] = value
    return name.strip()


def _as_input_error(error: ValidationError, where: str, kind: type[BaseModel], prefix: str) -> InputError:
    first = error.errors()[0]
    name = prefix + ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = [setting.name for setting in settings_of(kind, prefix)]
        known += [f"{prefix}{key}" for key in kind.model_fields]
        close = difflib.get_close_matches(name, known, n=1)
        remedy = f"did you mean {close[0]!r}?" if close else "trustag recipes lists every setting"
        return InputError(f"there is no setting {name!r}", where=where, remedy=remedy)
    return InputError(f"{name} = {first['input']!r}: {first['msg'].lower()}", where=where, remedy="see trustag recipes")


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "$ref" in schema:
        return "table"
    kind = {"number": "number", "integer": "whole number", "boolean": "true | false", "array": "whole numbers"}.get(
        schema.get("type", ""), "text"
    )
    # A bound that no sensible value comes near would only be read as advice.
    limits = [f"{sign} {schema[key]:g}" for key, sign in _LIMITS.items() if abs(schema.get(key, MOST)) < MOST]
    return f"{kind} {', '.join(limits)}".strip()


_LIMITS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
