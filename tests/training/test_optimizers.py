"""Rates rise and fall as the settings say, each parameter is in exactly one optimizer, and moves as torch has it."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.training.small import small_corpus, small_network, small_recipe
from trustag.recipes.settings import TrainingSettings
from trustag.text.label_sets import LabelSet
from trustag.training.optimizers import build_optimizers, clip_gradients, rate_factor, set_rates
from trustag.training.row_wise import RowWiseAdam


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
    beside = torch.nn.Parameter(torch.ones(2, 2))
    optimizers = build_optimizers(network, recipe.network, recipe.training, [beside])
    held = [id(weight) for optimizer in optimizers for group in optimizer.param_groups for weight in group["params"]]
    assert sorted(held) == sorted(id(weight) for weight in (*network.parameters(), beside))
    (own,) = [group for group in optimizers[0].param_groups if any(weight is beside for weight in group["params"])]
    assert own["weight_decay"] == 0
    set_rates(optimizers, recipe.training, 0, 1)
    rates = {group["lr"] for optimizer in optimizers for group in optimizer.param_groups}
    full = recipe.training.learning_rate
    assert sorted(rates) == pytest.approx([0.1 * full, full] if learn == "true" else [full])


@settings(max_examples=20)
@given(st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=8), min_size=1, max_size=6), st.integers(0, 1000))
def test_rows_move_as_with_torch_and_others_stay(steps: list[list[int]], seed: int) -> None:
    torch.manual_seed(seed)
    ours = torch.nn.Parameter(torch.randn(7, 3, dtype=torch.float64))
    theirs = torch.nn.Parameter(ours.detach().clone())
    before = ours.detach().clone()
    optimizers: tuple[torch.optim.Optimizer, ...] = (
        RowWiseAdam([ours], lr=0.1),
        torch.optim.SparseAdam([theirs], lr=0.1),
    )
    for rows in steps:
        gradient = torch.sparse_coo_tensor(
            torch.tensor([rows]), torch.randn(len(rows), 3, dtype=torch.float64), (7, 3), check_invariants=True
        )
        for table, optimizer in zip((ours, theirs), optimizers, strict=True):
            table.grad = gradient.clone()
            optimizer.step()
    torch.testing.assert_close(ours, theirs)
    for key, value in optimizers[1].state[theirs].items():
        torch.testing.assert_close(optimizers[0].state[ours][key], value)
    untouched = sorted(set(range(7)).difference(*steps))
    assert torch.equal(ours[untouched], before[untouched])


def test_a_table_without_gradient_stays_and_a_closure_is_refused() -> None:
    table = torch.nn.Parameter(torch.ones(2, 2))
    optimizer = RowWiseAdam([table])
    optimizer.step()
    assert table.detach().eq(1).all()
    with pytest.raises(TypeError, match="no use"):
        optimizer.step(lambda: 0.0)


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
