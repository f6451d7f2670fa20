"""Recipes of the first version: every setting is kept, renamed or gone, and what was left out has its old default."""

import json
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from trustag.errors import InputError
from trustag.methods.table import all_settings, load_recipe
from trustag.recipes.first_form import is_first_form, renamed, upgraded
from trustag.recipes.settings import Recipe

OLD: dict[str, Any] = json.loads(Path(__file__).with_name("first_form_settings.json").read_text(encoding="utf-8"))
"""Every setting of the first version with its default."""
NEW = {setting.name for method, found in all_settings() if method in {"", "confidence"} for setting in found}
GONE = {
    "bilstm.word_dropout": 0.1,
    "bilstm.case_fallback": False,
    "bilstm.fold_digits": False,
    "training.momentum": 0.9,
    "confidence.prior": 1.0,
    "confidence.token_loss": 0.5,
    "rates.margin": 2.0,
    "rounds.hide": "names",
    "rounds.members": 3,
}
"""Settings that no longer exist, each with a value that did something."""
OTHER_DEFAULTS = {"model.chain": "crf", "confidence.common_words": "visible", "confidence.cut_names": "visible"}
"""Defaults of the first version whose value has another name today."""
GRID = "method.rates.grid"
VALUES = [
    ("model.chain", False, "softmax"),
    ("model.chain_start", "drawn", "random"),
    ("confidence.passes", "clean", "without dropout"),
    ("confidence.common_words", "doubted", "as O"),
    ("confidence.cut_names", "doubted", "hidden"),
    ("confidence.cut_names", "judged", "auto"),
]
"""Settings whose values have other names today."""
SAME_VALUES = [
    ("data.on_illegal", "error"),
    ("model.constraints", "none"),
    ("bilstm.context_layers", [3, 5]),
    ("bilstm.vectors_learn", True),
    ("training.epochs", 5),
    ("training.device", "cpu"),
    ("confidence.memory", 0.25),
    ("confidence.tellings", 4),
    ("confidence.rounding", "floor"),
    ("rates.source", "oracle"),
    ("rates.apart", "type"),
    ("rates.later", "measured"),
    ("rounds.count", 3),
    ("rounds.fold_vectors_learn", True),
    ("rounds.report", "last"),
]


def nested(settings: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, value in settings.items():
        section, _, key = name.partition(".")
        values.setdefault(section, {})[key] = value
    return values


def load(tmp_path: Path, values: dict[str, Any]) -> Recipe:
    path = tmp_path / "recipe.toml"
    path.write_text(tomli_w.dumps(values))
    return load_recipe(str(path))


def value_of(recipe: Recipe, name: str) -> Any:
    found: Any = recipe.model_dump()
    for part in name.split("."):
        found = found[part]
    return list(found) if isinstance(found, tuple) else found


def today(name: str) -> str:
    return renamed(name) or name


@pytest.mark.parametrize("name", OLD)
def test_every_setting_is_kept_renamed_or_gone(name: str) -> None:
    if name in GONE:
        assert renamed(name) is None
        assert name not in NEW
    else:
        assert today(name) in NEW
        assert (renamed(name) is None) == (name in NEW)


def test_a_recipe_with_everything_written_out_loads_as_one_with_nothing(tmp_path: Path) -> None:
    assert load(tmp_path, nested(OLD)) == load(tmp_path, {"rounds": {}})


@pytest.mark.parametrize("name", sorted(OLD.keys() - GONE.keys()))
def test_what_was_left_out_has_the_default_it_had(name: str, tmp_path: Path) -> None:
    if today(name) == GRID:
        return
    found = value_of(load(tmp_path, {"rounds": {}}), today(name))
    assert found == OTHER_DEFAULTS.get(name, OLD[name])


@pytest.mark.parametrize(("name", "value", "now"), [*VALUES, *((name, value, value) for name, value in SAME_VALUES)])
def test_what_was_set_is_set(name: str, value: object, now: object, tmp_path: Path) -> None:
    assert value_of(load(tmp_path, nested({"rounds.folds": 2, name: value})), today(name)) == now


@pytest.mark.parametrize(
    ("rates", "grid"),
    [
        ({}, {"negative": [0.0, 0.2, 0.01], "positive": [0.0, 0.2, 0.01], "pairs": False}),
        (
            {"search": "full", "search_from": 0.1, "search_to": 0.3, "search_step": 0.05},
            {"negative": [0.1, 0.3, 0.05], "positive": [0.1, 0.3, 0.05], "pairs": True},
        ),
        (
            {"search_positive_to": 0.6, "search_positive_step": 0.1},
            {"negative": [0.0, 0.2, 0.01], "positive": [0.0, 0.6, 0.1], "pairs": False},
        ),
    ],
)
def test_the_grid_of_a_search_is_one_setting(rates: dict[str, Any], grid: dict[str, Any], tmp_path: Path) -> None:
    assert value_of(load(tmp_path, {"rates": rates}), GRID) == grid


def test_the_method_was_told_by_the_number_of_rounds(tmp_path: Path) -> None:
    assert load(tmp_path, {"rounds": {"count": 0}}).method == {"name": "bilstm-crf"}
    assert load(tmp_path, {"rounds": {"count": 2}}).method["name"] == "confidence"


@pytest.mark.parametrize("name", GONE)
def test_a_setting_that_is_gone_is_ignored_where_it_did_nothing(name: str, tmp_path: Path) -> None:
    plain = nested({"rounds.folds": 2})
    assert load(tmp_path, nested({"rounds.folds": 2, name: OLD[name]})) == load(tmp_path, plain)


@pytest.mark.parametrize(("name", "value"), GONE.items())
def test_a_setting_that_is_gone_is_refused_where_it_did_something(name: str, value: object, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, nested({name: value}))
    assert str(caught.value) == f"the setting {name} = {value!r} no longer exists; leave it out; the result will differ"


@pytest.mark.parametrize(("name", "value"), GONE.items())
def test_what_is_trained_already_is_read_without_a_setting_that_is_gone(name: str, value: object) -> None:
    assert upgraded(nested({name: value}), to_train=False) == upgraded(nested({name: OLD[name]}))


@pytest.mark.parametrize("name", sorted(name for name in OLD if renamed(name)))
def test_the_command_line_is_told_the_new_name(name: str) -> None:
    with pytest.raises(InputError) as caught:
        load_recipe("fast", [f"{name}={OLD[name]}"])
    assert str(caught.value) == f"the setting {name!r} is now called {renamed(name)!r}; use the new name"


@pytest.mark.parametrize("name", GONE)
def test_the_command_line_is_told_that_a_setting_is_gone(name: str) -> None:
    with pytest.raises(InputError) as caught:
        load_recipe("fast", [f"{name}={GONE[name]}"])
    section = name.partition(".")[0]
    named = name if section in Recipe.model_fields else section
    assert str(caught.value).startswith(f"fast: there is no setting {named!r}")


@pytest.mark.parametrize("values", [{}, {"training": {"epochs": 3}}, {"method": {"name": "bilstm-crf"}}])
def test_a_recipe_of_today_stays_as_it_is(values: dict[str, Any]) -> None:
    assert not is_first_form(values)
    assert upgraded(values) == values


def test_upgrading_twice_is_upgrading_once() -> None:
    once = upgraded(nested(OLD))
    assert not is_first_form(once)
    assert upgraded(once) == once


BROKEN = [
    {"training": 3},
    {"rounds": 3},
    {"rounds": {"count": [1]}},
    {"rounds": {"count": {"a": 1}}},
    {"model": {"chain": 3}},
    {"rates": {"search_to": "high"}},
]


@pytest.mark.parametrize("values", BROKEN)
def test_a_broken_recipe_is_one_line(values: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, values)
    assert "\n" not in str(caught.value)
