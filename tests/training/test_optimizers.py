"""Learning rates rise and fall as the settings say, and each parameter is in exactly one optimizer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.training.small import small_corpus, small_recipe
from trustag.models.building import fresh_network
from trustag.models.numbered import label_set
from trustag.recipes.settings import TrainingSettings
from trustag.results import unwatched
from trustag.training.optimizers import build_optimizers, rate_factor, set_rates


@given(st.floats(0, 0.9), st.integers(1, 200))
def test_the_rate_rises_to_its_height_and_falls_but_never_to_nothing(warmup: float, steps: int) -> None:
    settings = TrainingSettings(warmup=warmup)
    factors = [rate_factor(settings, step, steps) for step in range(steps)]
    assert all(0 < factor <= 1 for factor in factors)
    top = factors.index(max(factors))
    assert factors[: top + 1] == sorted(factors[: top + 1])
    assert factors[top:] == sorted(factors[top:], reverse=True)


def test_a_constant_schedule_stays() -> None:
    settings = TrainingSettings(warmup=0.0, schedule="constant")
    assert {rate_factor(settings, step, 5) for step in range(5)} == {1.0}


@pytest.mark.parametrize("kind", ["adamw", "adam", "sgd"])
@pytest.mark.parametrize("learn", ["true", "false"])
def test_every_parameter_is_optimised_once(kind: str, learn: str) -> None:
    recipe = small_recipe(f"training.optimizer={kind}", f"bilstm.vectors_learn={learn}", "bilstm.vectors_rate=0.1")
    sentences = [sentence.tokens for sentence in small_corpus().train]
    network = fresh_network(sentences, None, label_set(["PER"]), recipe, unwatched)
    optimizers = build_optimizers(network, recipe)
    held = [id(weight) for optimizer in optimizers for group in optimizer.param_groups for weight in group["params"]]
    assert sorted(held) == sorted(id(weight) for weight in network.parameters())
    set_rates(optimizers, recipe.training, 0, 1)
    rates = {group["lr"] for optimizer in optimizers for group in optimizer.param_groups}
    full = recipe.training.learning_rate
    assert sorted(rates) == pytest.approx([0.1 * full, full] if learn == "true" else [full])
