"""The packed BiLSTM against torch's own, in values and in gradients."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from trustag.models.lstm import Fixed, PackedBiLSTM
from trustag.models.packing import Packing, pack

lengths_longest_first = st.lists(st.integers(1, 8), min_size=1, max_size=6).map(lambda found: sorted(found)[::-1])


def torch_twin(ours: PackedBiLSTM) -> nn.LSTM:
    """Return torch's LSTM with the same weights."""
    hidden = ours.hidden
    twin = nn.LSTM(ours.input_weights.shape[1], hidden, bidirectional=True).double()
    with torch.no_grad():
        for direction, suffix in enumerate(("", "_reverse")):
            getattr(twin, f"weight_ih_l0{suffix}").copy_(ours.input_weights[direction].T)
            getattr(twin, f"weight_hh_l0{suffix}").copy_(ours.recurrent_weights[direction].T)
            getattr(twin, f"bias_ih_l0{suffix}").copy_(ours.bias[direction])
            getattr(twin, f"bias_hh_l0{suffix}").zero_()
    return twin


def run_twin(twin: nn.LSTM, rows: Tensor, packing: Packing) -> Tensor:
    states: PackedSequence = twin(PackedSequence(rows, torch.tensor(packing.running)))[0]
    return states.data


@settings(max_examples=40)
@given(lengths_longest_first, st.integers(1, 5), st.integers(1, 5), st.integers(0, 1000))
def test_values_and_gradients_equal_torch(lengths: list[int], inputs: int, hidden: int, seed: int) -> None:
    torch.manual_seed(seed)
    packing = pack(lengths)
    ours = PackedBiLSTM(inputs, hidden).double()
    twin = torch_twin(ours)
    rows = torch.randn(packing.rows, inputs, dtype=torch.float64, requires_grad=True)
    twin_rows = rows.detach().clone().requires_grad_()
    by_state = torch.randn(packing.rows, 2 * hidden, dtype=torch.float64)

    states, twin_states = ours(rows, packing), run_twin(twin, twin_rows, packing)
    torch.testing.assert_close(states, twin_states)
    torch.autograd.backward([states, twin_states], [by_state, by_state])

    torch.testing.assert_close(rows.grad, twin_rows.grad)
    for direction, suffix in enumerate(("", "_reverse")):
        assert ours.input_weights.grad is not None
        assert ours.recurrent_weights.grad is not None
        assert ours.bias.grad is not None
        by_input, by_recurrent, by_bias = (
            getattr(twin, f"{name}_l0{suffix}").grad for name in ("weight_ih", "weight_hh", "bias_ih")
        )
        torch.testing.assert_close(ours.input_weights.grad[direction], by_input.T)
        torch.testing.assert_close(ours.recurrent_weights.grad[direction], by_recurrent.T)
        torch.testing.assert_close(ours.bias.grad[direction], by_bias)


@settings(max_examples=20)
@given(lengths_longest_first, st.integers(0, 1000))
def test_last_states_equal_those_torch_ends_in(lengths: list[int], seed: int) -> None:
    torch.manual_seed(seed)
    packing = pack(lengths)
    ours = PackedBiLSTM(3, 2).double()
    rows = torch.randn(packing.rows, 3, dtype=torch.float64, requires_grad=True)
    _, (final, _) = torch_twin(ours)(PackedSequence(rows, torch.tensor(packing.running)))
    torch.testing.assert_close(ours.last_states(rows, packing), torch.cat([*final], dim=1))


@pytest.mark.parametrize("method", ["forward", "last_states"])
def test_gradients_equal_finite_differences(method: str) -> None:
    packing = pack([4, 2, 2, 1])
    layer = PackedBiLSTM(3, 2).double()
    rows = torch.randn(packing.rows, 3, dtype=torch.float64, requires_grad=True)
    names = dict(layer.named_parameters())

    def states(rows: Tensor, *parameters: Tensor) -> Tensor:
        given = dict(zip(names, parameters, strict=True))
        with torch.nn.utils.stateless._reparametrize_module(layer, given):
            found: Tensor = getattr(layer, method)(rows, packing)
        return found

    assert torch.autograd.gradcheck(states, (rows, *names.values()))


@pytest.mark.parametrize("learning", ["rows", "input_weights", "bias", "recurrent_weights"])
def test_gradients_do_not_depend_on_what_else_learns(learning: str) -> None:
    packing = pack([5, 3, 1])
    layer = PackedBiLSTM(4, 3).double()
    tensors = {"rows": torch.randn(packing.rows, 4, dtype=torch.float64), **dict(layer.named_parameters())}

    def gradient(*learners: str) -> Tensor | None:
        for name, tensor in tensors.items():
            tensor.requires_grad_(name in learners)
            tensor.grad = None
        torch.autograd.backward(layer(tensors["rows"], packing).square().sum())
        return tensors[learning].grad

    alone, together = gradient(learning), gradient(*tensors)
    assert alone is not None
    assert together is not None
    torch.testing.assert_close(alone, together)
    assert [name for name, tensor in tensors.items() if tensor.grad is None] == []
    gradient(learning)
    assert [name for name, tensor in tensors.items() if tensor.grad is not None] == [learning]


def test_nothing_changes_without_gradients() -> None:
    packing = pack([4, 4, 2])
    layer, rows = PackedBiLSTM(3, 5), torch.randn(10, 3)
    with torch.inference_mode():
        quietly = layer(rows, packing)
    assert torch.equal(quietly, layer(rows, packing))
    assert not quietly.requires_grad


def test_inputs_and_their_gradients_are_left_alone() -> None:
    packing = pack([3, 2])
    layer, rows, by_state = PackedBiLSTM(3, 2), torch.randn(5, 3, requires_grad=True), torch.randn(5, 4)
    before, by_state_before = rows.detach().clone(), by_state.clone()
    states = layer(rows, packing)
    first = torch.autograd.grad(states, rows, by_state, retain_graph=True)[0]
    second = torch.autograd.grad(states, rows, by_state)[0]
    assert torch.equal(first, second)
    assert torch.equal(rows, before)
    assert torch.equal(by_state, by_state_before)


def test_a_sequence_does_not_feel_its_neighbours() -> None:
    layer = PackedBiLSTM(3, 4).double()
    long, short = (torch.randn(length, 3, dtype=torch.float64) for length in (5, 2))
    together = pack([5, 2])
    rows = torch.cat([long, short])[together.indices]
    states = layer(rows, together)
    for i, alone in enumerate((long, short)):
        mine = states[(together.sequence == i).nonzero()[:, 0]]
        torch.testing.assert_close(mine, layer(alone, pack([len(alone)])))


@pytest.mark.parametrize("size", [1e2, 1e4, 1e30])
def test_saturated_gates_stay_finite(size: float) -> None:
    packing = pack([6, 3])
    layer = PackedBiLSTM(3, 4)
    rows = (size * torch.randn(9, 3)).requires_grad_()
    states = layer(rows, packing)
    torch.autograd.backward(states.sum())
    assert states.abs().max() <= 1
    for tensor in (rows, *layer.parameters()):
        assert tensor.grad is not None
        assert tensor.grad.isfinite().all()


def test_single_precision_is_close_to_double() -> None:
    packing = pack([40, 40, 25, 3])
    layer, rows = PackedBiLSTM(20, 30), torch.randn(108, 20)
    double = PackedBiLSTM(20, 30).double()
    double.load_state_dict(layer.state_dict())
    exact = torch_twin(double)
    torch.testing.assert_close(
        layer(rows, packing).double(), run_twin(exact, rows.double(), packing), atol=2e-6, rtol=0
    )


@settings(max_examples=30)
@given(lengths_longest_first, st.integers(0, 4), st.sets(st.integers(0, 47)), st.integers(0, 1000))
def test_a_fixed_part_has_no_gradient_and_changes_no_other(
    lengths: list[int], columns: int, learning: set[int], seed: int
) -> None:
    torch.manual_seed(seed)
    packing = pack(lengths)
    some = torch.tensor(sorted(row for row in learning if row < packing.rows), dtype=torch.long)
    layer = PackedBiLSTM(4, 3).double()
    rows = torch.randn(packing.rows, 4, dtype=torch.float64, requires_grad=True)
    learners = (rows, *layer.parameters())
    states, partly = layer(rows, packing), layer(rows, packing, Fixed(columns, some))
    assert torch.equal(states, partly)
    by_state = torch.randn_like(states)
    by_rows, *by_weights = torch.autograd.grad(states, learners, by_state)
    partly_by_rows, *same_by_weights = torch.autograd.grad(partly, learners, by_state)
    expected = by_rows.clone()
    expected[:, :columns] = 0
    expected[some] = by_rows[some]
    torch.testing.assert_close(partly_by_rows, expected)
    torch.testing.assert_close(same_by_weights, by_weights)
