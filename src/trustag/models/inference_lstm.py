"""A bidirectional LSTM that only predicts: the recurrence over gate inputs that are already known.

What a word adds to the gates depends on the word alone, so at prediction time it is looked up rather than multiplied
out again. :class:`trustag.models.lstm.PackedBiLSTM` is the readable version and the oracle in the tests.

The batched loop computes tanh(x) as 2·sigmoid(2x) - 1, which in torch costs a third, and keeps cells doubled.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from trustag.models.lstm import PackedBiLSTM
from trustag.models.packing import Packing


@dataclass(frozen=True, slots=True)
class InferenceLSTM:
    """The weights of a layer, ready to predict with; they are copies, so later training does not reach them.

    Tensors are (directions, from, to) with gates in the order input, forget, output, candidate.
    """

    input_weights: Tensor
    bias: Tensor
    recurrent: Tensor

    @property
    def hidden(self) -> int:
        """The width of the state of one direction."""
        return self.recurrent.shape[1]

    def gate_inputs(self, rows: Tensor) -> Tensor:
        """Return what each row of features adds to the gates of either direction, (directions, rows, gates)."""
        return torch.baddbmm(self.bias.unsqueeze(1), rows.expand(2, -1, -1), self.input_weights)

    def states(self, gate_inputs: Tensor, numbers: Tensor, packing: Packing) -> Tensor:
        """Return the states of packed sequences, (directions, rows, hidden); the second direction is mirrored.

        ``numbers`` says for each packed row which of the ``gate_inputs`` it has.
        """
        steps = list(packing.running)
        numbers_mirrored = numbers.index_select(0, packing.mirrored).split_with_sizes(steps)
        memory = gate_inputs.new_empty(2 * steps[0] * gate_inputs.shape[2])
        states = gate_inputs.new_empty(2, packing.rows, self.hidden)
        cells = gate_inputs.new_zeros(2, steps[0], self.hidden)
        before, minus_one = cells, gate_inputs.new_tensor(-1.0)
        doubled = self.recurrent.clone()
        doubled[..., 3 * self.hidden :] *= 2
        for step, (state, forwards, backwards) in enumerate(
            zip(states.split_with_sizes(steps, 1), numbers.split_with_sizes(steps), numbers_mirrored, strict=True)
        ):
            running = steps[step]
            # Fetched step by step, so that a step's gates are still at hand when they are needed.
            gates = memory[: 2 * running * gate_inputs.shape[2]].view(2, running, -1)
            torch.index_select(gate_inputs[0], 0, forwards, out=gates[0])
            torch.index_select(gate_inputs[1], 0, backwards, out=gates[1])
            inward, forget, outward, candidate = gates.view(2, running, 4, -1).unbind(2)
            candidate.mul_(2)
            if step:
                gates.baddbmm_(before[:, :running], doubled)
            gates.sigmoid_()
            cell = cells[:, :running]
            cell.mul_(forget).sub_(inward, alpha=2).addcmul_(inward, candidate, value=4)
            torch.sigmoid(cell, out=state)
            before = torch.add(minus_one, state, alpha=2, out=state).mul_(outward)
        return states

    def states_alone(self, gate_inputs: Tensor, numbers: list[int]) -> npt.NDArray[np.float32]:
        """Return the states of a single sequence, (directions, rows, hidden); the second direction is mirrored.

        The same arithmetic in numpy, which takes half as long to begin each of the many small steps.
        """
        rows, hidden = len(numbers), self.hidden
        recurrent, table = self.recurrent.numpy(), gate_inputs.numpy()
        # Gates before directions: then each gate of both directions is one stretch of memory.
        inputs = np.empty((rows, 4, 2, hidden), dtype=np.float32)
        inputs[:, :, 0] = table[0].take(numbers, axis=0).reshape(rows, 4, hidden)
        inputs[:, :, 1] = table[1].take(numbers[::-1], axis=0).reshape(rows, 4, hidden)
        states = np.empty((rows, 2, hidden), dtype=np.float32)
        product = np.zeros((2, 1, 4 * hidden), dtype=np.float32)
        by_gate = product.reshape(2, 4, hidden).swapaxes(0, 1)
        gates = np.empty((4, 2, hidden), dtype=np.float32)
        inward, forget, outward, candidate = gates
        sigmoids = torch.from_numpy(gates[:3])
        cell, squashed = np.zeros((2, 2, hidden), dtype=np.float32)
        for step, state, state_rows in zip(inputs, states, states[:, :, None], strict=True):
            np.add(by_gate, step, gates)
            torch.sigmoid(sigmoids, out=sigmoids)
            np.tanh(candidate, candidate)
            np.multiply(candidate, inward, candidate)
            np.multiply(cell, forget, cell)
            np.add(cell, candidate, cell)
            np.tanh(cell, squashed)
            np.multiply(squashed, outward, state)
            np.matmul(state_rows, recurrent, product)
        return states.swapaxes(0, 1)


def inference_lstm(lstm: PackedBiLSTM) -> InferenceLSTM:
    """Return the weights of ``lstm`` as prediction wants them."""
    inward, forget, candidate, outward = torch.arange(4 * lstm.hidden).chunk(4)
    order = torch.cat([inward, forget, outward, candidate])
    weights = (lstm.input_weights, lstm.bias, lstm.recurrent_weights)
    return InferenceLSTM(*(part.detach().index_select(-1, order) for part in weights))
