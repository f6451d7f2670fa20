"""Bidirectional LSTMs as ONNX operations: a loop over the steps in which both directions run side by side.

The rows of the second direction are mirrored, so that padding comes last in both. What an input adds to the gates is
looked up inside the loop, since it depends on the word or the character alone.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import onnx

from trustag.export.nodes import BOOL, FLOAT, INT64, Nodes, value

Weights = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class LSTMWeights:
    """A layer: (directions, from, to) with gates in the order input, forget, output, candidate."""

    inputs: Weights
    bias: Weights
    recurrent: Weights

    @property
    def hidden(self) -> int:
        """The width of the state of one direction."""
        return int(self.recurrent.shape[1])


def gate_rows(nodes: Nodes, features: str, weights: LSTMWeights) -> str:
    """Return what each row of ``features`` adds to the gates, (rows, both directions one after the other)."""
    product = nodes.add("MatMul", features, nodes.weights(np.concatenate(list(weights.inputs), axis=1)))
    return nodes.add("Add", product, nodes.constant(weights.bias.reshape(-1)))


def states(nodes: Nodes, table: str, numbers: str, lengths: str, recurrent: Weights, beside: str = "") -> str:
    """Return the states of sequences, (steps, directions, sequences, hidden); the second direction is mirrored.

    ``table`` has what :func:`gate_rows` returns, ``numbers`` (steps, sequences) its row at each step; ``beside``
    (steps, sequences, both directions) is added to it.
    """
    both = _mirrored_beside(nodes, numbers, lengths)
    rows = nodes.add("Add", nodes.add("Mul", both, nodes.constant([2])), nodes.constant(np.array([[[0], [1]]])))
    steps = [rows]
    if beside:
        steps.append(_beside_by_direction(nodes, beside, lengths, recurrent.shape[1]))
    zero = _zero_states(nodes, numbers, recurrent.shape[1])
    body = _body(nodes, recurrent, _by_direction(nodes, table, recurrent.shape[1]), last_only=False, added=bool(beside))
    return nodes.scan(body, [zero, zero], steps)[2]


def last_states(nodes: Nodes, table: str, numbers: str, lengths: str, recurrent: Weights) -> str:
    """Return the state that each direction ends in, (sequences, both directions one after the other)."""
    both = _mirrored_beside(nodes, numbers, lengths)
    rows = nodes.add("Add", nodes.add("Mul", both, nodes.constant([2])), nodes.constant(np.array([[[0], [1]]])))
    going_on = nodes.add("Unsqueeze", running(nodes, numbers, lengths), nodes.constant([1, 3]))
    zero = _zero_states(nodes, numbers, recurrent.shape[1])
    body = _body(nodes, recurrent, _by_direction(nodes, table, recurrent.shape[1]), last_only=True)
    last = nodes.scan(body, [zero, zero], [rows, going_on])[0]
    by_sequence = nodes.add("Transpose", last, perm=[1, 0, 2])
    return nodes.add("Reshape", by_sequence, nodes.constant([0, 2 * recurrent.shape[1]]))


def running(nodes: Nodes, numbers: str, lengths: str) -> str:
    """Return which sequences have an element at each step, (steps, sequences)."""
    shape = nodes.add("Shape", numbers)
    steps = nodes.add("Gather", shape, nodes.constant(np.array(0)))
    place = nodes.add("Range", nodes.constant(np.array(0)), steps, nodes.constant(np.array(1)))
    return nodes.add("Less", nodes.add("Unsqueeze", place, nodes.constant([1])), lengths)


def mirrored(nodes: Nodes, sequences: str, lengths: str) -> str:
    """Return ``sequences`` (steps, sequences, ...) with the elements of each in reverse order, padding left last."""
    return nodes.add("ReverseSequence", sequences, lengths, batch_axis=1, time_axis=0)


def _mirrored_beside(nodes: Nodes, numbers: str, lengths: str) -> str:
    """Return (steps, directions, sequences)."""
    second = nodes.constant([1])
    parts = [nodes.add("Unsqueeze", part, second) for part in (numbers, mirrored(nodes, numbers, lengths))]
    return nodes.add("Concat", *parts, axis=1)


def _beside_by_direction(nodes: Nodes, beside: str, lengths: str, hidden: int) -> str:
    """Return (steps, directions, sequences, gates of one direction)."""
    onwards, backwards = nodes.add_several("Split", [beside, nodes.constant([4 * hidden, 4 * hidden])], 2, axis=2)
    second = nodes.constant([1])
    parts = [nodes.add("Unsqueeze", part, second) for part in (onwards, mirrored(nodes, backwards, lengths))]
    return nodes.add("Concat", *parts, axis=1)


def _by_direction(nodes: Nodes, table: str, hidden: int) -> str:
    """Return the table with a row of its own for each direction: row 2n forwards, row 2n + 1 backwards."""
    return nodes.add("Reshape", table, nodes.constant([-1, 4 * hidden]))


def _zero_states(nodes: Nodes, numbers: str, hidden: int) -> str:
    count = nodes.add("Slice", nodes.add("Shape", numbers), nodes.constant([1]), nodes.constant([2]))
    shape = nodes.add("Concat", nodes.constant([2]), count, nodes.constant([hidden]), axis=0)
    return nodes.add("Expand", nodes.constant(np.zeros(1, np.float32)), shape)


def _body(outer: Nodes, recurrent: Weights, table: str, *, last_only: bool, added: bool = False) -> onnx.GraphProto:
    """Return one step: gates from the table and the state before, then the new cell and state."""
    weights = outer.weights(recurrent)
    hidden = int(recurrent.shape[1])
    nodes = Nodes(f"step_{table}_")
    gates = nodes.add("Gather", table, "rows")
    if added:
        gates = nodes.add("Add", gates, "beside")
    gates = nodes.add("Add", nodes.add("MatMul", "before", weights), gates)
    opened, candidate = nodes.add_several("Split", [gates, nodes.constant([3 * hidden, hidden])], 2, axis=-1)
    thirds = nodes.constant([hidden] * 3)
    inward, forget, outward = nodes.add_several("Split", [nodes.add("Sigmoid", opened), thirds], 3, axis=-1)
    kept = nodes.add("Mul", forget, "cell_before")
    new = nodes.add("Mul", inward, nodes.add("Tanh", candidate))
    cell = nodes.add("Add", kept, new)
    state = nodes.add("Mul", outward, nodes.add("Tanh", cell))
    if last_only:
        state = nodes.add("Where", "running", state, "before")
    shape = (2, "sequences", hidden)
    inputs = [value("before", FLOAT, shape), value("cell_before", FLOAT, shape), value("rows", INT64, (2, "sequences"))]
    if added:
        inputs.append(value("beside", FLOAT, (2, "sequences", 4 * hidden)))
    if last_only:
        inputs.append(value("running", BOOL, (1, "sequences", 1)))
    nodes.named(state, f"{table}_state")
    outputs = [value(f"{table}_state", FLOAT, shape), value(cell, FLOAT, shape)]
    if not last_only:
        nodes.named(state, f"{table}_given")
        outputs.append(value(f"{table}_given", FLOAT, shape))
    return nodes.graph("step", inputs, outputs)
