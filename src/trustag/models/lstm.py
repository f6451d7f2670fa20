"""A bidirectional LSTM over packed sequences with an analytic gradient.

torch's own LSTM multiplies small matrices step by step in the backward pass too, and differentiates each gate by
itself. Here both directions run in one loop over the steps, the loop holds only what truly depends on the step before,
and weights are differentiated by one large product at the end. ``torch.nn.LSTM`` is the oracle in the tests.

Inside, tanh(x) is computed as 2·sigmoid(2x) - 1, which costs a third, so candidates and cells are kept at twice their
size where a sigmoid is to follow. Tensors of the recurrence are (directions, rows, features); the rows of the second
direction are mirrored, so that both run from step to step alike.
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from trustag.models.packing import Packing


@dataclass(frozen=True, slots=True)
class Fixed:
    """The part of an LSTM's inputs that does not learn: the first ``columns`` features, but for some ``learning`` rows.

    Its gradient is left zero, which saves the time of finding it.
    """

    columns: int
    learning: Tensor


class PackedBiLSTM(nn.Module):
    """One layer, two directions: rows of ``inputs`` features in, rows of twice ``hidden`` features out.

    Weights are (directions, from, to) with gates in the order input, forget, candidate, output.
    """

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        bound = 1 / math.sqrt(hidden)
        self.input_weights = nn.Parameter(torch.empty(2, inputs, 4 * hidden).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(2, 4 * hidden).uniform_(-bound, bound))
        self.recurrent_weights = nn.Parameter(torch.empty(2, hidden, 4 * hidden).uniform_(-bound, bound))

    def forward(self, rows: Tensor, packing: Packing, fixed: Fixed | None = None) -> Tensor:
        """Return the hidden states of both directions, (rows, 2 * hidden), in the packed order of ``rows``."""
        return self._run(rows, packing, fixed, last_only=False)

    def last_states(self, rows: Tensor, packing: Packing) -> Tensor:
        """Return the state that each direction ends in, (sequences, 2 * hidden)."""
        return self._run(rows, packing, None, last_only=True)

    def _run(self, rows: Tensor, packing: Packing, fixed: Fixed | None, *, last_only: bool) -> Tensor:
        weights = (self.input_weights, self.bias, self.recurrent_weights)
        states: Tensor = _BiLSTM.apply(rows, *weights, packing, fixed, last_only)  # type: ignore[no-untyped-call]
        return states


class _BiLSTM(torch.autograd.Function):
    @staticmethod
    def forward(  # noqa: PLR0913, PLR0917 - every tensor that learns is an argument of its own
        ctx: Any,
        rows: Tensor,
        input_weights: Tensor,
        bias: Tensor,
        recurrent: Tensor,
        packing: Packing,
        fixed: Fixed | None,
        last_only: bool,
    ) -> Tensor:
        both = torch.stack([rows, rows.index_select(0, packing.mirrored)])
        gates = torch.baddbmm(_doubled(bias).unsqueeze(1), both, _doubled(input_weights))
        cells, squashed, states = _run_forwards(gates, _doubled(recurrent), packing)
        ctx.save_for_backward(both, input_weights, recurrent, gates, cells, squashed, states)
        ctx.packing, ctx.fixed, ctx.last_only = packing, fixed, last_only
        if last_only:
            return states.index_select(1, packing.last).transpose(0, 1).flatten(1)
        return torch.cat([states[0], states[1].index_select(0, packing.mirrored)], dim=1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        both, input_weights, recurrent, gates, cells, squashed, states = ctx.saved_tensors
        packing: Packing = ctx.packing
        (by_output,) = gradients
        halves = by_output.chunk(2, dim=1)
        if ctx.last_only:
            by_state = torch.zeros_like(states)
            by_state.index_copy_(1, packing.last, torch.stack(halves))
        else:
            by_state = torch.stack([halves[0], halves[1].index_select(0, packing.mirrored)])
        by_gate, cell_slope = _slopes(gates, cells, squashed, states, packing)
        _run_backwards(by_state, by_gate, cell_slope, gates, recurrent, packing)
        needs_rows, needs_input, needs_bias, needs_recurrent, *_ = ctx.needs_input_grad
        by_rows = by_input = by_bias = by_recurrent = None
        if needs_rows:
            by_rows = _row_gradient(by_gate, input_weights, packing, ctx.fixed)
        if needs_input:
            by_input = torch.bmm(both.transpose(1, 2), by_gate)
        if needs_bias:
            by_bias = by_gate.sum(1)
        if needs_recurrent:
            before = states.index_select(1, packing.previous)
            by_recurrent = torch.bmm(before.transpose(1, 2), by_gate[:, packing.running[0] :])
        return by_rows, by_input, by_bias, by_recurrent, None, None, None


def _row_gradient(by_gate: Tensor, weights: Tensor, packing: Packing, fixed: Fixed | None) -> Tensor:
    """Return the gradient by the inputs, zero where they are fixed."""
    onwards, backwards = by_gate[0], by_gate[1]
    if fixed is None:
        by_rows = torch.mm(backwards, weights[1].T).index_select(0, packing.mirrored)
        return by_rows.addmm_(onwards, weights[0].T)
    some, all_rows = fixed.learning, onwards.new_zeros(len(onwards), weights.shape[1])
    upper, lower = weights.split_with_sizes([fixed.columns, weights.shape[1] - fixed.columns], 1)
    all_rows[:, fixed.columns :] = torch.mm(backwards, lower[1].T).index_select(0, packing.mirrored)
    all_rows[:, fixed.columns :].addmm_(onwards, lower[0].T)
    few = torch.mm(backwards.index_select(0, packing.mirrored.index_select(0, some)), upper[1].T)
    few.addmm_(onwards.index_select(0, some), upper[0].T)
    all_rows[:, : fixed.columns].index_copy_(0, some, few)
    return all_rows


def _doubled(weights: Tensor) -> Tensor:
    """Return ``weights`` with those into the candidate at twice their size."""
    doubled = weights.clone()
    _apart(doubled)[..., 2, :] *= 2
    return doubled


def _apart(gates: Tensor) -> Tensor:
    """Return ``gates`` with a dimension of its own for which gate it is, before the features."""
    return gates.view(*gates.shape[:-1], 4, -1)


def _run_forwards(gates: Tensor, recurrent: Tensor, packing: Packing) -> tuple[Tensor, Tensor, Tensor]:
    """Turn ``gates`` from sums of inputs into sigmoids, and return doubled cells, their tanh, and hidden states."""
    running = packing.running
    wide = gates.shape[2]
    cells = gates.new_empty(2, packing.rows, wide // 4)
    squashed, states = torch.empty_like(cells), torch.empty_like(cells)
    minus_one = gates.new_tensor(-1.0)
    parts = _apart(gates).unbind(2)
    steps = zip(
        *(whole.split_with_sizes(running, 1) for whole in (gates, *parts, cells, squashed, states)), strict=True
    )
    still = _still_running(packing)
    cells_before, states_before = (whole.split_with_sizes(still, 1)[::2] for whole in (cells, states))
    for step, (gate, inward, forget, candidate, outward, cell, squash, state) in enumerate(steps):
        if step:
            gate.baddbmm_(states_before[step - 1], recurrent)
            gate.sigmoid_()
            torch.mul(forget, cells_before[step - 1], out=cell).sub_(inward, alpha=2)
        else:
            gate.sigmoid_()
            torch.mul(inward, -2, out=cell)
        cell.addcmul_(inward, candidate, value=4)
        torch.sigmoid(cell, out=squash)
        torch.add(minus_one, squash, alpha=2, out=squash)
        torch.mul(outward, squash, out=state)
    return cells, squashed, states


def _slopes(gates: Tensor, cells: Tensor, squashed: Tensor, states: Tensor, packing: Packing) -> tuple[Tensor, Tensor]:
    """Return, for every row at once, how cell and state change with each gate, and how the state does with the cell."""
    slopes = torch.addcmul(gates, gates, gates, value=-1)
    inward, _, candidate, outward = _apart(gates).unbind(2)
    by_inward, by_forget, by_candidate, by_outward = _apart(slopes).unbind(2)
    by_inward *= 2 * candidate - 1
    by_candidate *= 4 * inward
    by_outward *= squashed
    first = packing.running[0]
    by_forget[:, :first] = 0
    by_forget[:, first:] *= cells.index_select(1, packing.previous).mul_(0.5)
    return slopes, torch.addcmul(outward, states, squashed, value=-1)


def _run_backwards(
    by_state: Tensor, slopes: Tensor, cell_slope: Tensor, gates: Tensor, recurrent: Tensor, packing: Packing
) -> None:
    """Turn ``slopes`` into the gradient by each gate, step by step from the last; ``by_state`` grows to the whole."""
    running = packing.running
    by_gate_steps = slopes.split_with_sizes(running, 1)
    apart = _apart(slopes)
    into_cell, into_state = apart[:, :, :3].split_with_sizes(running, 1), apart[:, :, 3].split_with_sizes(running, 1)
    state_steps = by_state.split_with_sizes(running, 1)
    # The gradient by the cell takes the place of its slope.
    cell_steps = cell_slope.split_with_sizes(running, 1)
    forget_steps = _apart(gates)[:, :, 1].split_with_sizes(running, 1)
    still = _still_running(packing)
    states_before, cells_before = (whole.split_with_sizes(still, 1)[::2] for whole in (by_state, cell_slope))
    backwards = recurrent.transpose(1, 2)
    for step in range(len(running) - 1, -1, -1):
        state, cell = state_steps[step], cell_steps[step]
        cell *= state
        if step + 1 < len(running):
            cells_before[step].addcmul_(cell_steps[step + 1], forget_steps[step + 1])
        into_cell[step].mul_(cell.unsqueeze(2))
        into_state[step].mul_(state)
        if step:
            states_before[step - 1].baddbmm_(by_gate_steps[step], backwards)


def _still_running(packing: Packing) -> list[int]:
    """Return, for each step, how many sequences go on after it and how many end in it."""
    return [count for now, then in pairwise((*packing.running, 0)) for count in (then, now - then)]
