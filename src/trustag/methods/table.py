"""The methods there are, by name, and how a recipe's ``[method]`` table becomes a method with checked settings."""

import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import trustag.methods
from trustag.errors import InputError
from trustag.recipes.loading import (
    Setting,
    apply_changes,
    build_recipe,
    checked,
    read_values,
    settings_of,
    shipped_recipes,
)
from trustag.recipes.named_parts import load_part
from trustag.recipes.sections import Section
from trustag.recipes.settings import DEFAULT_METHOD, Recipe

if TYPE_CHECKING:
    from trustag.methods.base import Method

DEFAULT_RECIPE: Final = "fast"
_NO_METHODS: Final = {"base", "table"}
_VALUE: Final = "METHOD"

METHODS: Final[Mapping[str, str]] = {
    module.name.replace("_", "-"): f"{trustag.methods.__name__}.{module.name}:{_VALUE}"
    for module in pkgutil.iter_modules(trustag.methods.__path__)
    if module.name not in _NO_METHODS
}
"""Where the method of each name is found: every module of this room but this one and the interface."""


@dataclass(frozen=True, slots=True)
class ChosenMethod:
    """A method and its settings."""

    name: str
    method: "Method[Any]"
    settings: Section


def find_method(name: str) -> "Method[Any]":
    """Return the method called ``name``: one of ours, or ``package.module:NAME`` for one of the user's."""
    found = load_part(name, METHODS, "method")
    from trustag.methods.base import Method  # noqa: PLC0415 - torch takes a second to load

    if not isinstance(found, Method):
        raise InputError(f"{name!r} is no method", remedy="see trustag.methods.base.Method")
    return found


def choose_method(recipe: Recipe, where: str = "recipe") -> ChosenMethod:
    """Return the method that ``recipe`` names, with its settings checked."""
    values = dict(recipe.method)
    name = values.pop("name", DEFAULT_METHOD)
    method = find_method(str(name))
    return ChosenMethod(str(name), method, checked(method.Settings, values, where, prefix="method."))


def load_recipe(name: str | None = None, changes: Sequence[str] = (), method: str | None = None) -> Recipe:
    """Return a recipe with ``section.key=value`` changes, every setting of its method written out.

    ``name`` is a shipped recipe or a TOML file; without one it is the recipe called like the ``method``, or ``fast``. A
    ``method`` other than the recipe's own keeps those settings of its ``[method]`` table that it has too.
    """
    known = shipped_recipes()
    recipe = name or (method if method in known else DEFAULT_RECIPE)
    values = read_values(recipe)
    own = values.setdefault("method", {})
    if method is not None and method != own.setdefault("name", DEFAULT_METHOD):
        values["method"] = {"name": method, **_shared(own, find_method(method).Settings)}
    apply_changes(values, changes)
    built = build_recipe(values, where=recipe)
    return with_all_settings(built, choose_method(built, where=recipe))


def with_all_settings(recipe: Recipe, chosen: ChosenMethod) -> Recipe:
    """Return ``recipe`` with every setting of its method written out."""
    # Arrays as TOML reads them, so that a recipe equals itself after it was written and read.
    whole = {"name": chosen.name, **chosen.settings.model_dump(mode="json")}
    return build_recipe({**recipe.model_dump(), "method": whole}, where="recipe")


def all_settings() -> Iterator[tuple[str, list[Setting]]]:
    """Yield the settings that all methods share, and those of each method, under a heading."""
    yield "", list(settings_of(Recipe))
    for name in METHODS:
        yield name, list(settings_of(find_method(name).Settings, "method."))


def _shared(values: Mapping[str, Any], settings: type[Section]) -> dict[str, Any]:
    """Return the values that ``settings`` has a place for, tables inside tables as well."""
    found: dict[str, Any] = {}
    for key, value in values.items():
        field = settings.model_fields.get(key)
        if field is None:
            continue
        inner = field.annotation
        is_section = isinstance(inner, type) and issubclass(inner, Section)
        found[key] = _shared(value, inner) if is_section and isinstance(value, Mapping) else value  # type: ignore[arg-type]
    return found
