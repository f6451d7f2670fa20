"""Recipes cannot be misspelt, and every shipped one is sound."""

from pathlib import Path

import pytest
import tomli_w

from trustag.errors import InputError
from trustag.methods.table import load_recipe
from trustag.recipes.loading import shipped_recipes


@pytest.mark.parametrize(
    ("name", "encoder"),
    [("fast", "bilstm"), ("paper", "bilstm"), ("transformer", "transformer"), ("paper-bert", "transformer")],
)
def test_shipped_recipes_load_and_say_what_they_are(name: str, encoder: str) -> None:
    assert shipped_recipes()[name]
    assert load_recipe(name).model.encoder == encoder


def test_a_resolved_recipe_is_a_recipe(tmp_path: Path) -> None:
    recipe = load_recipe("paper", ["training.seed=7", "bilstm.vectors=some file.txt"])
    path = tmp_path / "recipe.toml"
    path.write_text(tomli_w.dumps(recipe.model_dump()))
    assert load_recipe(str(path)) == recipe


@pytest.mark.parametrize(
    ("written", "numbers"),
    [("3,5", (3, 5)), ("3", (3,)), ("'3, -1'", (3, -1)), ("[0, 2]", (0, 2)), ("", ()), ("[]", ())],
)
def test_several_numbers_are_written_in_any_way(written: str, numbers: tuple[int, ...], tmp_path: Path) -> None:
    recipe = load_recipe("fast", [f"bilstm.context_layers={written}"])
    assert recipe.bilstm.context_layers == numbers
    path = tmp_path / "recipe.toml"
    path.write_text(tomli_w.dumps(recipe.model_dump()))
    assert load_recipe(str(path)) == recipe


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("bilstm.context_layers=3,last", "fast: bilstm.context_layers = '3,last': input should be a valid tuple"),
        ("bilstm.context_layers=[1.5]", "fast: bilstm.context_layers.0 = 1.5: input should be a valid integer"),
        ("training.epoch=3", "fast: there is no setting 'training.epoch'; did you mean 'training.epochs'?"),
        ("trainin.epochs=3", "fast: there is no setting 'trainin'; did you mean 'training'?"),
        (
            "training.epochs=many",
            "fast: training.epochs = 'many': input should be a valid integer; see trustag recipes",
        ),
        ("training.epochs=0", "fast: training.epochs = 0: input should be greater than or equal to 1"),
        ("bilstm.dropout=1.0", "fast: bilstm.dropout = 1.0: input should be less than 1"),
        (
            "model.encoder=gru",
            "fast: model.encoder = 'gru': input should be 'bilstm', 'transformer' or your own as package.module:name",
        ),
        (
            "model.head=my heads:HEAD",
            "fast: model.head = 'my heads:HEAD': input should be 'crf', 'softmax' or your own as package.module:name",
        ),
        ("epochs=3", "--set 'epochs=3' is not of the form section.key=value; for example training.epochs=4"),
        ("training.epochs", "--set 'training.epochs' is not of the form section.key=value"),
    ],
)
def test_wrong_settings_are_one_line_with_a_hint(change: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_recipe("fast", [change])
    assert str(caught.value).startswith(message)


def test_unknown_recipes_and_broken_files_are_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no recipe called 'fats' and no such file; shipped recipes: .*fast"):
        load_recipe("fats")
    broken = tmp_path / "broken.toml"
    broken.write_text("[training\n")
    with pytest.raises(InputError, match="not valid TOML"):
        load_recipe(str(broken))


def test_a_named_number_of_epochs_is_taken_as_it_is() -> None:
    assert load_recipe("fast").training.least_steps > 0
    assert load_recipe("fast", ["training.epochs=3"]).training.least_steps == 0
    both = load_recipe("fast", ["training.least_steps=50", "training.epochs=3"])
    assert (both.training.epochs, both.training.least_steps) == (3, 50)


def test_the_method_can_be_chosen_beside_the_recipe() -> None:
    paper = load_recipe("paper", method="self-training")
    assert (paper.method["name"], paper.method["rounds"]["count"]) == ("self-training", 16)
    assert "rates" not in paper.method
    assert load_recipe("paper", method="bilstm-crf").method == {"name": "bilstm-crf"}
    assert load_recipe(method="bilstm-crf").training == load_recipe("fast").training


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("confidance", "no method called 'confidance'; did you mean 'confidence'?"),
        ("x", "no method called 'x'; known: autoner, bilstm-crf, "),
        ("trustag.nothing:METHOD", "cannot load the method 'trustag.nothing:METHOD' (No module named"),
        ("trustag.errors:InputError", "'trustag.errors:InputError' is no method; see trustag.methods.base.Method"),
    ],
)
def test_an_unknown_method_is_one_line(name: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        load_recipe("fast", method=name)
    assert str(caught.value).startswith(message)


def test_settings_of_another_method_are_refused_by_their_full_name() -> None:
    with pytest.raises(InputError, match="fast: there is no setting 'method.rates'"):
        load_recipe("fast", ["method.rates.source=given"], "self-training")
    with pytest.raises(InputError, match="'method.rounds.cuont'; did you mean 'method.rounds.count'?"):
        load_recipe("fast", ["method.rounds.cuont=2"])
