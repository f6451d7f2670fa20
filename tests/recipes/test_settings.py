"""The schema of settings is the recipe ``fast``; every setting is explained, and switches for few are marked."""

from itertools import chain

import pytest

from trustag.methods.table import METHODS, all_settings, find_method, load_recipe
from trustag.recipes.loading import Setting, settings_of
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
