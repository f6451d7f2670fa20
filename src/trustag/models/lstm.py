"""A bidirectional LSTM over packed sequences with an analytic gradient.

torch's own LSTM multiplies small matrices step by step in the backward pass too, and differentiates each gate by
itself. Here both directions run in one loop over the steps, the loop holds only what truly depends on the step before,
and weights are differentiated by one large product at the end. ``torch.nn.LSTM`` is the oracle in the tests.
"""

import math
from typing import Any

import torch
from torch import Tensor, nn

from trustag.models.packing import Packing


class PackedBiLSTM(nn.Module):
    """One layer, two directions: rows of ``inputs`` features in, rows of twice ``hidden`` features out."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        bound = 1 / math.sqrt(hidden)
        self.input_weights = nn.Parameter(torch.empty(inputs, 8 * hidden).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.empty(8 * hidden).uniform_(-bound, bound))
        self.recurrent_weights = nn.Parameter(torch.empty(2, hidden, 4 * hidden).uniform_(-bound, bound))

    def forward(self, rows: Tensor, packing: Packing) -> Tensor:
        """Return the hidden states of both directions, (rows, 2 * hidden), in the packed order of ``rows``."""
        gates = torch.addmm(self.bias, rows, self.input_weights)
        states: Tensor = _BiLSTM.apply(gates, self.recurrent_weights, packing)  # type: ignore[no-untyped-call]
        return states


class _BiLSTM(torch.autograd.Function):
    """The recurrence from projected inputs to hidden states; gates are ordered input, forget, candidate, output."""

    @staticmethod
    def forward(ctx: Any, projected: Tensor, recurrent: Tensor, packing: Packing) -> Tensor:
        hidden, rows = recurrent.shape[1], packing.rows
        gates = projected.new_empty(2, rows, 4 * hidden)
        gates[0] = projected[:, : 4 * hidden]
        torch.index_select(projected[:, 4 * hidden :], 0, packing.mirrored, out=gates[1])
        cells = projected.new_empty(2, rows, hidden)
        squashed = torch.empty_like(cells)
        states = torch.empty_like(cells)
        previous = 0
        for step, running in enumerate(packing.running):
            start, end = packing.offsets[step], packing.offsets[step] + running
            gate, cell = gates[:, start:end], cells[:, start:end]
            if step:
                gate.baddbmm_(states[:, previous : previous + running], recurrent)
            inward, forget, candidate, outward = gate.view(2, running, 4, hidden).unbind(2)
            gate[:, :, : 2 * hidden].sigmoid_()
            candidate.tanh_()
            outward.sigmoid_()
            torch.mul(inward, candidate, out=cell)
            if step:
                cell.addcmul_(forget, cells[:, previous : previous + running])
            torch.tanh(cell, out=squashed[:, start:end])
            torch.mul(outward, squashed[:, start:end], out=states[:, start:end])
            previous = start
        ctx.save_for_backward(recurrent, gates, cells, squashed, states)
        ctx.packing = packing
        return torch.cat([states[0], states[1].index_select(0, packing.mirrored)], dim=1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, None]:
        recurrent, gates, cells, squashed, states = ctx.saved_tensors
        packing: Packing = ctx.packing
        hidden, rows = recurrent.shape[1], packing.rows
        (by_output,) = gradients
        by_state = torch.stack([by_output[:, :hidden], by_output[:, hidden:].index_select(0, packing.mirrored)])
        slopes, cell_slope = _slopes(gates, cells, squashed, packing)
        forget = gates[:, :, hidden : 2 * hidden]
        by_gate = torch.empty_like(gates)
        by_cell = gates.new_empty(2, rows, hidden)
        transposed = recurrent.transpose(1, 2)
        steps = len(packing.running)
        for step in range(steps - 1, -1, -1):
            start, running = packing.offsets[step], packing.running[step]
            end = start + running
            state, cell = by_state[:, start:end], by_cell[:, start:end]
            torch.mul(state, cell_slope[:, start:end], out=cell)
            if step + 1 < steps:
                later, still = end, packing.running[step + 1]
                cell[:, :still].addcmul_(by_cell[:, later : later + still], forget[:, later : later + still])
            gate, slope = by_gate[:, start:end].view(2, running, 4, hidden), slopes[:, start:end]
            torch.mul(cell.unsqueeze(2), slope[:, :, :3], out=gate[:, :, :3])
            torch.mul(state, slope[:, :, 3], out=gate[:, :, 3])
            if step:
                before = packing.offsets[step - 1]
                by_state[:, before : before + running].baddbmm_(by_gate[:, start:end], transposed)
        by_recurrent = _by_recurrent(states, by_gate, packing)
        by_projected = torch.cat([by_gate[0], by_gate[1].index_select(0, packing.mirrored)], dim=1)
        return by_projected, by_recurrent, None


def _slopes(gates: Tensor, cells: Tensor, squashed: Tensor, packing: Packing) -> tuple[Tensor, Tensor]:
    """Return, for every row at once, how cell and state change with each gate, and how the state does with the cell."""
    two, rows, wide = gates.shape
    hidden = wide // 4
    inward, forget, candidate, outward = gates.view(two, rows, 4, hidden).unbind(2)
    slopes = gates.new_empty(two, rows, 4, hidden)
    into_inward, into_forget, into_candidate, into_outward = slopes.unbind(2)
    torch.mul(inward, candidate, out=into_inward)
    torch.sub(inward, into_inward * candidate, out=into_candidate)
    into_inward.addcmul_(into_inward, inward, value=-1)
    first = packing.running[0]
    into_forget[:, :first] = 0
    torch.mul(forget[:, first:], 1 - forget[:, first:], out=into_forget[:, first:])
    into_forget[:, first:].mul_(cells.index_select(1, packing.previous))
    state = outward * squashed
    torch.sub(state, state * outward, out=into_outward)
    cell_slope = outward - state * squashed
    return slopes, cell_slope


def _by_recurrent(states: Tensor, by_gate: Tensor, packing: Packing) -> Tensor:
    first = packing.running[0]
    before = states.index_select(1, packing.previous)
    return torch.bmm(before.transpose(1, 2), by_gate[:, first:])
