"""The schema of settings is the recipe ``fast``; every setting is explained, and switches for few are marked."""

from collections.abc import Iterator, Mapping
from itertools import chain

import pytest

from trustag.errors import InputError
from trustag.methods.table import METHODS, all_settings, find_method, load_recipe
from trustag.recipes.loading import Setting, settings_of
from trustag.recipes.sections import Section
from trustag.recipes.settings import DEFAULT_METHOD, Recipe

GROUPS = dict(all_settings())
EVERY = list(chain.from_iterable(GROUPS.values()))


def test_the_default_recipe_is_the_defaults_of_the_schema() -> None:
    recipe = load_recipe("fast")
    own = {"name": DEFAULT_METHOD, **find_method(DEFAULT_METHOD).Settings().model_dump(mode="json")}
    assert recipe.model_dump() == {**Recipe().model_dump(), "method": own}


@pytest.mark.parametrize("setting", EVERY, ids=lambda setting: setting.name)
def test_a_setting_says_what_it_is(setting: Setting) -> None:
    assert setting.description
    assert setting.kind
    assert "  " not in setting.description


def test_settings_are_listed_by_method() -> None:
    assert set(GROUPS) == {"", *METHODS}
    assert {setting.name.partition(".")[0] for setting in GROUPS[""]} == set(Recipe.model_fields) - {"method"}
    for name in METHODS:
        assert all(setting.name.startswith("method.") for setting in GROUPS[name])
    assert GROUPS["bilstm-crf"] == []


def test_switches_that_repeat_the_published_code_are_for_few() -> None:
    parity = [setting for setting in EVERY if setting.name.startswith("method.parity.")]
    assert parity
    assert all(setting.advanced for setting in parity)
    assert not any(setting.advanced for setting in EVERY if setting.name in {"training.epochs", "method.rounds.count"})


def test_the_listed_default_is_the_one_of_the_recipe() -> None:
    values = load_recipe("fast").model_dump()
    for setting in settings_of(Recipe):
        section, _, key = setting.name.partition(".")
        assert values[section][key] == setting.default


def numbers(schema: object) -> Iterator[Mapping[str, object]]:
    """Yield what a JSON schema says of every number in it."""
    if isinstance(schema, Mapping):
        if schema.get("type") in {"integer", "number"}:
            yield schema
        for part in schema.values():
            yield from numbers(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from numbers(part)


@pytest.mark.parametrize("section", [Recipe, *(find_method(name).Settings for name in METHODS)])
def test_every_number_has_bounds(section: type[Section]) -> None:
    for number in numbers(section.model_json_schema()):
        assert number.keys() & {"minimum", "exclusiveMinimum"}, number
        assert number.keys() & {"maximum", "exclusiveMaximum"}, number


@pytest.mark.parametrize("number", ["inf", "nan", "1e400", "1000000000000"])
@pytest.mark.parametrize("name", ["training.learning_rate", "training.clip", "training.epochs", "bilstm.hidden"])
def test_no_number_is_beyond_all_bounds(name: str, number: str) -> None:
    with pytest.raises(InputError, match=f"fast: {name} = "):
        load_recipe("fast", [f"{name}={number}"])


def test_bounds_that_nothing_comes_near_are_not_listed() -> None:
    kinds = {setting.name: setting.kind for setting in EVERY}
    assert kinds["training.epochs"] == "whole number >= 1"
    assert kinds["bilstm.dropout"] == "number >= 0, < 1"
