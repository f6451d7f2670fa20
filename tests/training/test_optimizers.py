"""Learning rates rise and fall as the settings say, and each parameter is in exactly one optimizer."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.training.small import small_corpus, small_network, small_recipe
from trustag.recipes.settings import TrainingSettings
from trustag.text.label_sets import LabelSet
from trustag.training.optimizers import build_optimizers, clip_gradients, rate_factor, set_rates


@given(st.floats(0, 0.9), st.integers(1, 200))
def test_the_rate_rises_to_its_height_and_falls_but_never_to_nothing(warmup: float, steps: int) -> None:
    chosen = TrainingSettings(warmup=warmup)
    factors = [rate_factor(chosen, step, steps) for step in range(steps)]
    assert all(0 < factor <= 1 for factor in factors)
    top = factors.index(max(factors))
    assert factors[: top + 1] == sorted(factors[: top + 1])
    assert factors[top:] == sorted(factors[top:], reverse=True)


def test_a_constant_schedule_stays() -> None:
    chosen = TrainingSettings(warmup=0.0, schedule="constant")
    assert {rate_factor(chosen, step, 5) for step in range(5)} == {1.0}


@pytest.mark.parametrize("kind", ["adamw", "adam", "sgd"])
@pytest.mark.parametrize("learn", ["true", "false"])
def test_every_parameter_is_optimised_once(kind: str, learn: str) -> None:
    recipe = small_recipe(f"training.optimizer={kind}", f"bilstm.finetune_vectors={learn}", "bilstm.vectors_rate=0.1")
    sentences = [sentence.tokens for sentence in small_corpus().train]
    network = small_network(LabelSet.of(["PER"]), sentences, recipe)
    beside = torch.nn.Parameter(torch.zeros(2, 2))
    optimizers = build_optimizers([network], recipe.network, recipe.training, [beside])
    held = [id(weight) for optimizer in optimizers for group in optimizer.param_groups for weight in group["params"]]
    assert sorted(held) == sorted(id(weight) for weight in (*network.parameters(), beside))
    set_rates(optimizers, recipe.training, 0, 1)
    (own,) = [group for group in optimizers[0].param_groups if group["params"][0] is beside]
    assert own["weight_decay"] == 0
    rates = {group["lr"] for optimizer in optimizers for group in optimizer.param_groups}
    full = recipe.training.learning_rate
    assert sorted(rates) == pytest.approx([0.1 * full, full] if learn == "true" else [full])


def test_a_peer_has_the_learning_rates_of_the_network() -> None:
    recipe = small_recipe("bilstm.vectors_rate=0.1", "training.weight_decay=0.02")
    sentences = [sentence.tokens for sentence in small_corpus().train]
    networks = [small_network(LabelSet.of(["PER"]), sentences, recipe) for _ in range(2)]
    optimizers = build_optimizers(networks, recipe.network, recipe.training)
    found = {
        id(weight): (group["full_rate"], group.get("weight_decay"))
        for optimizer in optimizers
        for group in optimizer.param_groups
        for weight in group["params"]
    }
    one, other = ({name: found.pop(id(weight)) for name, weight in network.named_parameters()} for network in networks)
    assert one == other
    assert not found
    assert one["encoder.table.rows"][0] == pytest.approx(0.1 * one["head.projection.weight"][0])
    assert {decay for name, (_, decay) in one.items() if name.endswith("weight")} == {0.02}


@given(st.floats(1e-3, 1e3), st.integers(0, 1000))
def test_gradients_are_clipped_as_by_torch(largest: float, seed: int) -> None:
    torch.manual_seed(seed)
    shapes = [(3, 4), (5,), (2, 2, 2)]
    weights = [torch.nn.Parameter(torch.zeros(shape)) for shape in shapes]
    twins = [torch.nn.Parameter(torch.zeros(shape)) for shape in shapes]
    for weight, twin in zip(weights, twins, strict=True):
        weight.grad = 10 * torch.randn(weight.shape)
        twin.grad = weight.grad.clone()
    without = torch.nn.Parameter(torch.zeros(3))
    clip_gradients(torch.optim.SGD([{"params": weights[:2]}, {"params": [weights[2], without]}], lr=1.0), largest)
    torch.nn.utils.clip_grad_norm_(twins, largest)
    for weight, twin in zip(weights, twins, strict=True):
        torch.testing.assert_close(weight.grad, twin.grad)
    assert without.grad is None
