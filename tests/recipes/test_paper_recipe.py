"""The paper's recipe is the published protocol, number by number; recipes differ from it only where they say so."""

import pytest

from trustag.errors import InputError
from trustag.recipes.loading import load_recipe

PUBLISHED: dict[str, dict[str, object]] = {
    "model": {"encoder": "bilstm", "chain": True, "chain_start": "drawn", "constraints": "none"},
    "bilstm": {
        "characters": 25,
        "character_hidden": 25,
        "hidden": 100,
        "words": 100,
        "dropout": 0.5,
        "word_dropout": 0.0,
        "singletons": 0.0,
        "min_count": 1,
        "vectors_learn": True,
        "vectors_rate": 1.0,
        "case_fallback": True,
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
        "momentum": 0.0,
        "weight_decay": 1e-8,
        "warmup": 0.0,
        "schedule": "constant",
        "clip": 0.0,
        "average": 0.0,
        "stopping": "dev",
        "patience": 30,
        "evaluator": "conlleval",
    },
    "confidence": {
        "scoring": "local",
        "passes": "training",
        "idle_labels": False,
        "memory": 0.0,
        "ranking": "batch",
        "schedule": "stepped",
        "ramp": 10,
        "rounding": "floor",
        "calibration": True,
        "part_score": "sum",
        "part_outside": True,
        "token_loss": 0.0,
    },
    "rates": {
        "source": "searched",
        "apart": "none",
        "margin": 1.0,
        "later": "fixed",
        "later_negative": 0.005,
        "later_positive": 0.15,
        "search": "separate",
        "search_from": 0.0,
        "search_to": 0.2,
        "search_step": 0.01,
    },
    "rounds": {
        "count": 16,
        "folds": 2,
        "members": 1,
        "fold_epochs": 30,
        "fold_vectors_learn": True,
        "reannotate": "outside",
        "relabel": "hard",
        "reshuffle": 2,
        "final_confidence": False,
        "report": "best",
    },
}


@pytest.mark.parametrize("section", PUBLISHED)
def test_the_recipe_is_the_published_protocol(section: str) -> None:
    values = getattr(load_recipe("paper"), section).model_dump()
    assert {name: values[name] for name in PUBLISHED[section]} == PUBLISHED[section]


def test_calibration_can_be_turned_off() -> None:
    assert load_recipe("paper", ["confidence.calibration=false"]).confidence.calibration is False


@pytest.mark.parametrize("wrong", ["confidence.calibration=maybe", "confidence.calibration=0"])
def test_a_switch_is_true_or_false_and_nothing_else(wrong: str) -> None:
    with pytest.raises(InputError, match="confidence.calibration"):
        load_recipe("paper", [wrong])


def test_with_a_transformer_the_protocol_is_that_of_the_text() -> None:
    recipe = load_recipe("paper-bert")
    training, transformer = recipe.training, recipe.transformer
    assert (recipe.model.encoder, transformer.dropout, training.optimizer) == ("transformer", 0.2, "adam")
    assert training.learning_rate * transformer.rate == pytest.approx(3e-5)
    plain = load_recipe("paper")
    assert recipe.confidence == plain.confidence.model_copy(update={"ramp": recipe.confidence.ramp})
    assert recipe.rates == plain.rates
    free = {"count", "fold_epochs"}
    assert recipe.rounds.model_dump(exclude=free) == plain.rounds.model_dump(exclude=free)
