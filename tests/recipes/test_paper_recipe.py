"""The paper's recipe is the published protocol, number by number; recipes differ from it only where they say so."""

from typing import Any

import pytest

from trustag.errors import InputError
from trustag.methods.table import load_recipe

PUBLISHED: dict[str, dict[str, object]] = {
    "model": {"encoder": "bilstm", "head": "crf", "transition_init": "random", "constraints": "none"},
    "bilstm": {
        "characters": 25,
        "character_hidden": 25,
        "hidden": 100,
        "words": 100,
        "dropout": 0.5,
        "singletons": 0.0,
        "min_count": 1,
        "finetune_vectors": True,
        "vectors_rate": 1.0,
        "zero_digits": True,
    },
    "training": {
        "epochs": 30,
        "least_steps": 0,
        "batch_size": 10,
        "batches": "fixed",
        "loss": "sum",
        "optimizer": "sgd",
        "learning_rate": 0.01,
        "weight_decay": 1e-8,
        "warmup": 0.0,
        "schedule": "constant",
        "clip": 0.0,
        "average": 0.0,
        "stopping": "dev",
        "patience": 30,
        "evaluator": "conlleval",
    },
    "method": {
        "name": "confidence",
        "scoring": "local",
        "ema_decay": 0.0,
        "ramp_epochs": 10,
        "calibration": True,
        "sentence_initial_words": "visible",
        "truncated_entities": "visible",
        "negatives_per_name": 0,
    },
    "method.rates": {
        "source": "searched",
        "rates_per": "none",
        "grid": {"negative": [0.0, 0.2, 0.01], "positive": [0.0, 0.2, 0.01], "pairs": False},
    },
    "method.rounds": {
        "count": 16,
        "folds": 2,
        "fold_epochs": 30,
        "fold_finetune_vectors": True,
        "reannotate": "outside",
        "relabel": "hard",
    },
    "method.parity": {
        "scoring_pass": "training",
        "untrained_labels": False,
        "ranking": "batch",
        "schedule": "stepped",
        "rounding": "floor",
        "part_score": "sum",
        "part_outside": True,
        "later_rates": "fixed",
        "later_negative": 0.005,
        "later_positive": 0.15,
        "reshuffle": 2,
        "final_confidence": False,
        "kept_round": "best",
    },
}


def section(recipe: str, name: str, *changes: str) -> dict[str, Any]:
    """Return a table of a recipe by its dotted name."""
    values = load_recipe(recipe, changes).model_dump()
    for part in name.split("."):
        values = values[part]
    return values


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_recipe_is_the_published_protocol(name: str) -> None:
    values = section("paper", name)
    assert {key: values[key] for key in PUBLISHED[name]} == PUBLISHED[name]


def test_calibration_can_be_turned_off() -> None:
    assert section("paper", "method", "method.calibration=false")["calibration"] is False


@pytest.mark.parametrize("wrong", ["method.calibration=maybe", "method.calibration=0"])
def test_a_switch_is_true_or_false_and_nothing_else(wrong: str) -> None:
    with pytest.raises(InputError, match="method.calibration"):
        load_recipe("paper", [wrong])


def test_with_a_transformer_the_protocol_is_that_of_the_text() -> None:
    recipe = load_recipe("paper-bert")
    training, transformer = recipe.training, recipe.transformer
    assert (recipe.model.encoder, transformer.dropout, training.optimizer) == ("transformer", 0.2, "adam")
    assert training.learning_rate * transformer.rate == pytest.approx(3e-5)
    bert, bilstm = section("paper-bert", "method"), section("paper", "method")
    for method in (bert, bilstm):
        del method["ramp_epochs"], method["rounds"]["count"], method["rounds"]["fold_epochs"]
    assert bert == bilstm
