"""A linear-chain CRF as ONNX operations: Viterbi, and forward and backward messages, in double precision.

Every loop runs over the tokens from the second to one past the last, so that a sentence of one token is no exception;
where a sentence has ended, its state stays as it is.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import onnx

from trustag.export.nodes import BOOL, DOUBLE, FLOAT, INT64, Nodes, value

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class ChainScores:
    """Transitions (labels, labels), starts and ends (labels,); minus infinity forbids."""

    transitions: Scores
    start: Scores
    end: Scores

    def at(self, temperature: float) -> "ChainScores":
        """Return the scores divided by ``temperature``."""
        return ChainScores(self.transitions / temperature, self.start / temperature, self.end / temperature)


class Steps(NamedTuple):
    """The tokens after the first and one past the last: their scores, and where sentences still run."""

    first: str
    scores: str
    running: str


class MessageNames(NamedTuple):
    """Log-sums over label sequences up to each token and from it, (tokens, sentences, labels), and over all."""

    forward: str
    backward: str
    log_partition: str


def steps_of(nodes: Nodes, scores: str, running: str) -> Steps:
    """Return the steps of scores (tokens, sentences, labels); ``running`` is (tokens, sentences)."""
    first = nodes.add("Gather", scores, nodes.constant(np.array(0)), axis=0)
    nothing = nodes.add("Mul", nodes.add("Unsqueeze", first, nodes.constant([0])), nodes.constant(np.zeros(1)))
    ends = (nodes.constant([1]), nodes.constant([2**62]), nodes.constant([0]))
    further = nodes.add("Concat", nodes.add("Slice", scores, *ends), nothing, axis=0)
    as_numbers = nodes.add("Cast", running, to=INT64)
    row = nodes.add("Slice", as_numbers, nodes.constant([0]), nodes.constant([1]), nodes.constant([0]))
    over = nodes.add("Mul", row, nodes.constant([0]))
    still = nodes.add("Concat", nodes.add("Slice", as_numbers, *ends), over, axis=0)
    open_ = nodes.add("Unsqueeze", nodes.add("Cast", still, to=BOOL), nodes.constant([2]))
    return Steps(first, further, open_)


def best_labels(nodes: Nodes, steps: Steps, chain: ChainScores) -> str:
    """Return the label of each token on the best path, (tokens, sentences); in the padding the last one again."""
    begun = nodes.add("Add", steps.first, nodes.constant(chain.start))
    last, pointers = nodes.scan(_best_step(chain), [begun], [steps.scores, steps.running])
    final = nodes.add("ArgMax", nodes.add("Add", last, nodes.constant(chain.end)), axis=1, keepdims=1)
    _, path = nodes.scan(
        _back_step(len(chain.start)), [final], [pointers], scan_input_directions=[1], scan_output_directions=[1]
    )
    return nodes.add("Squeeze", path, nodes.constant([2]))


def messages(nodes: Nodes, steps: Steps, chain: ChainScores, *, bounded: bool) -> MessageNames:
    """Return the messages of every sentence; with ``bounded`` scores they are sums of products instead of log-sums."""
    begun = nodes.add("Add", steps.first, nodes.constant(chain.start))
    last, forward = nodes.scan(
        _forward_step(chain.transitions, bounded=bounded), [begun], [steps.scores, steps.running]
    )
    end = nodes.add("Expand", nodes.constant(chain.end), nodes.add("Shape", begun))
    _, backward = nodes.scan(
        _backward_step(chain.transitions, bounded=bounded),
        [end],
        [steps.scores, steps.running],
        scan_input_directions=[1, 1],
        scan_output_directions=[1],
    )
    total = nodes.add("ReduceLogSumExp", nodes.add("Add", last, nodes.constant(chain.end)), axes=[1], keepdims=0)
    return MessageNames(forward, backward, total)


def marginals(nodes: Nodes, found: MessageNames) -> str:
    """Return the probability of each label at each token, (sentences, tokens, labels)."""
    together = nodes.add("Add", found.forward, found.backward)
    total = nodes.add("Unsqueeze", found.log_partition, nodes.constant([1]))
    probability = nodes.add("Exp", nodes.add("Sub", together, total))
    return nodes.add("Transpose", nodes.add("Cast", probability, to=FLOAT), perm=[1, 0, 2])


def _best_step(chain: ChainScores) -> onnx.GraphProto:
    labels = len(chain.start)
    nodes = Nodes("best_")
    arriving = nodes.add(
        "Add", nodes.add("Unsqueeze", "before", nodes.constant([2])), nodes.constant(chain.transitions[None])
    )
    best = nodes.add("Add", "scores", nodes.add("ReduceMax", arriving, axes=[1], keepdims=0))
    came_from = nodes.add("ArgMax", arriving, axis=1, keepdims=0)
    nodes.named(nodes.add("Where", "running", best, "before"), "best")
    nodes.named(nodes.add("Where", "running", came_from, nodes.constant(np.arange(labels)[None])), "pointers")
    return nodes.graph(
        "best_step",
        _inputs(labels),
        [value("best", DOUBLE, ("sentences", labels)), value("pointers", INT64, ("sentences", labels))],
    )


def _back_step(labels: int) -> onnx.GraphProto:
    nodes = Nodes("back_")
    label = nodes.add("GatherElements", "pointers", "after", axis=1)
    nodes.named(label, "label")
    nodes.named(label, "given")
    shape = ("sentences", 1)
    return nodes.graph(
        "back_step",
        [value("after", INT64, shape), value("pointers", INT64, ("sentences", labels))],
        [value("label", INT64, shape), value("given", INT64, shape)],
    )


def _forward_step(transitions: Scores, *, bounded: bool) -> onnx.GraphProto:
    nodes = Nodes("forward_")
    sums = _log_sums(nodes, "before", transitions, bounded=bounded)
    nodes.named(nodes.add("Where", "running", nodes.add("Add", sums, "scores"), "before"), "sums")
    nodes.named("before", "given")
    return _message_graph("forward_step", nodes, len(transitions))


def _backward_step(transitions: Scores, *, bounded: bool) -> onnx.GraphProto:
    nodes = Nodes("backward_")
    sums = _log_sums(nodes, nodes.add("Add", "before", "scores"), transitions.T, bounded=bounded)
    nodes.named(nodes.add("Where", "running", sums, "before"), "sums")
    nodes.named("sums", "given")
    return _message_graph("backward_step", nodes, len(transitions))


def _message_graph(name: str, nodes: Nodes, labels: int) -> onnx.GraphProto:
    shape = ("sentences", labels)
    return nodes.graph(name, _inputs(labels), [value("sums", DOUBLE, shape), value("given", DOUBLE, shape)])


def _log_sums(nodes: Nodes, scores: str, transitions: Scores, *, bounded: bool) -> str:
    """Return the log-sum over the labels before, for each label after."""
    if not bounded:
        arriving = nodes.add(
            "Add", nodes.add("Unsqueeze", scores, nodes.constant([1])), nodes.constant(transitions.T[None])
        )
        return nodes.add("ReduceLogSumExp", arriving, axes=[2], keepdims=0)
    largest = nodes.add("ReduceMax", scores, axes=[1], keepdims=1)
    weights = nodes.add("Exp", nodes.add("Sub", scores, largest))
    sums = nodes.add("MatMul", weights, nodes.constant(np.exp(transitions)))
    return nodes.add("Add", nodes.add("Log", sums), largest)


def _inputs(labels: int) -> list[onnx.ValueInfoProto]:
    return [
        value("before", DOUBLE, ("sentences", labels)),
        value("scores", DOUBLE, ("sentences", labels)),
        value("running", BOOL, ("sentences", 1)),
    ]
