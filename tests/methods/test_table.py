"""Methods by name: those of the package, and those that a user brings along."""

import json
from pathlib import Path

import pytest

from tests.methods import own_method
from tests.training.run_files import models_and_metrics
from tests.training.small import small_corpus, small_recipe
from trustag.crossfit.settings import RoundSettings
from trustag.errors import InputError
from trustag.methods.base import Method
from trustag.methods.confidence.settings import ConfidenceSettings
from trustag.methods.table import METHODS, all_settings, choose_method, find_method, load_recipe
from trustag.models.saving import load_model
from trustag.pipeline import Destination, train
from trustag.recipes.settings import Recipe

OWN = "tests.methods.own_method:METHOD"


def test_every_module_of_the_room_is_a_method() -> None:
    folder = Path(__file__).parents[2] / "src" / "trustag" / "methods"
    modules = {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}
    assert set(METHODS) == {name.replace("_", "-") for name in modules - {"__init__", "base", "table"}}
    for name in METHODS:
        found = find_method(name)
        assert isinstance(found, Method)
        assert found.summary.endswith(".")


def test_a_method_of_the_user_s_is_loaded_by_its_path() -> None:
    assert find_method(OWN) is own_method.METHOD
    chosen = choose_method(Recipe(method={"name": OWN, "least": 3}))
    assert chosen.name == OWN
    assert isinstance(chosen.settings, own_method.FrequentLabelSettings)
    assert chosen.settings.least == 3


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("confidense", "no method called 'confidense'; did you mean 'confidence'"),
        ("nothing-like-it", r"no method called 'nothing-like-it'; known: autoner, bilstm-crf, .*package.module:NAME"),
        ("tests.methods.own_method:NOTHING", "is no method"),
        ("tests.methods.own_method:ABSENT", "cannot load the method"),
        ("tests.methods.absent:METHOD", "cannot load the method"),
    ],
)
def test_what_is_no_method_is_refused(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        find_method(name)


def test_settings_are_checked_by_the_method_and_errors_name_them_in_full() -> None:
    with pytest.raises(InputError, match=r"there is no setting 'method.leest'; did you mean 'method.least'"):
        choose_method(Recipe(method={"name": OWN, "leest": 3}))
    with pytest.raises(InputError, match=r"method.least = 0"):
        choose_method(Recipe(method={"name": OWN, "least": 0}))
    with pytest.raises(InputError, match=r"'method.rounds.fold'; did you mean 'method.rounds.folds'"):
        choose_method(Recipe(method={"name": OWN, "rounds": {"fold": 3}}))


def test_a_recipe_names_every_setting_of_its_method() -> None:
    recipe = load_recipe("fast", ["method.least=5"], OWN)
    assert {name: value for name, value in recipe.method.items() if name != "rounds"} == {
        "name": OWN,
        "scoring": "local",
        "least": 5,
    }
    assert set(recipe.method["rounds"]) == set(RoundSettings.model_fields)
    assert choose_method(recipe).settings == own_method.FrequentLabelSettings(least=5)


def test_another_method_keeps_the_settings_that_it_shares_with_that_of_the_recipe() -> None:
    paper = load_recipe("paper")
    own = load_recipe("paper", (), OWN)
    assert own.training == paper.training
    assert own.method["scoring"] == "local"
    assert own.method["rounds"]["count"] == 16
    assert own.method["rounds"] == paper.method["rounds"]
    assert "rates" not in own.method
    self_training = load_recipe("paper", (), "self-training")
    assert self_training.method["rounds"] == paper.method["rounds"]
    shared = {"scoring_pass", "untrained_labels", "reshuffle", "kept_round", "kept_model", "starts"}
    assert set(self_training.method["parity"]) == {*shared, "fold_labels"}
    assert {name: self_training.method["parity"][name] for name in shared} == {
        name: paper.method["parity"][name] for name in shared
    }
    # The same method again is the recipe as it is.
    assert load_recipe("paper", (), "confidence") == paper


def test_changes_come_after_the_choice_of_the_method() -> None:
    recipe = load_recipe("paper", ["method.rounds.count=3"], "self-training")
    assert recipe.method["rounds"]["count"] == 3
    with pytest.raises(InputError, match="there is no setting 'method.calibration'"):
        load_recipe("paper", ["method.calibration=false"], "self-training")


def test_without_a_recipe_the_one_called_like_the_method_is_taken_or_the_default() -> None:
    assert load_recipe(method="cbl").method["name"] == "cbl"
    assert load_recipe(method="cbl") == load_recipe("cbl")
    assert load_recipe(method="bilstm-crf").training == load_recipe("fast").training
    settings = choose_method(load_recipe()).settings
    assert settings == ConfidenceSettings()


def test_all_settings_are_listed_under_their_methods() -> None:
    found = {heading: [setting.name for setting in settings] for heading, settings in all_settings()}
    assert list(found) == ["", *METHODS]
    assert "training.epochs" in found[""]
    assert found["bilstm-crf"] == []
    assert {"method.scoring", "method.rounds.folds", "method.parity.reshuffle"} <= set(found["self-training"])
    assert "method.rates.source" in found["confidence"]
    assert "method.rates.source" not in found["self-training"]


def test_a_method_of_the_user_s_is_trained_like_one_of_the_package(tmp_path: Path) -> None:
    recipe = small_recipe("training.epochs=1", "method.least=2", method=OWN)
    result = train(small_corpus(), recipe, Destination(tmp_path / "run", keep_jobs=True))
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert manifest["method"] == result.method == OWN
    rare = (tmp_path / "run" / "rare.jsonl").read_text().splitlines()
    assert manifest["rare"] == len(rare) > 0
    assert manifest["tables"] == ["rare"]
    assert load_model(tmp_path / "run").labels.types
    # Resumed, nothing is done again; with --overwrite its own table goes as well.
    expected = models_and_metrics(tmp_path / "run")
    train(small_corpus(), recipe, Destination(tmp_path / "run", resume=True, keep_jobs=True))
    assert models_and_metrics(tmp_path / "run") == expected
    train(small_corpus(), small_recipe("training.epochs=1"), Destination(tmp_path / "run", overwrite=True))
    assert not (tmp_path / "run" / "rare.jsonl").exists()


def test_a_method_may_refuse_a_task_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no label is that frequent"):
        train(small_corpus(), small_recipe("method.least=1000", method=OWN), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
