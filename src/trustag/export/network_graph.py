"""The whole network as one ONNX graph: words and characters in, best labels, messages and marginals out."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import helper

from trustag.export import crf_graph, lstm_graph
from trustag.export.context_graph import context_features, context_inputs
from trustag.export.crf_graph import ChainScores
from trustag.export.lstm_graph import LSTMWeights
from trustag.export.nodes import BOOL, DOUBLE, FLOAT, INT64, Nodes, model_of, value
from trustag.models.context import FrozenContext

# What a double holds as e**x, with room to spare.
_WIDEST: Final = 600.0


@dataclass(frozen=True, slots=True)
class NetworkWeights:
    """Everything that is learned but the word vectors, and how scores become probabilities.

    ``context_inputs`` are the rows of the sentence LSTM's input weights that read the context, if there is one.
    """

    letters: npt.NDArray[np.float32]
    letter_lstm: LSTMWeights
    sentence_lstm: LSTMWeights
    projection: npt.NDArray[np.float32]
    bias: npt.NDArray[np.float32]
    chain: ChainScores
    temperature: float
    vector_width: int
    context_inputs: npt.NDArray[np.float32] | None = None


def build_model(
    weights: NetworkWeights, context: FrozenContext | None = None, *, whole_numbers: bool = False
) -> onnx.ModelProto:
    """Return the network as a model.

    Inputs: ``vectors`` (new words, width), ``letters`` (new words, longest) and ``letter_counts`` of words whose
    ``gates`` are not known yet; ``known`` (words, gates) are those of words that are; ``words`` (sentences, tokens)
    counts the known ones first, then the new ones; ``lengths`` of the sentences; pieces for the ``context`` where the
    model reads one; ``with_probabilities`` asks for messages and marginals, which are empty otherwise.

    Outputs: ``gates`` of the new words, ``labels``, ``logits``, ``marginals`` (sentences, tokens, ...), and
    ``forward``, ``backward`` (tokens, sentences, labels) and ``log_partition``.

    With ``whole_numbers`` the weights of the LSTMs are kept in eight bits.
    """
    nodes = Nodes("", whole_numbers)
    _add_new_words(nodes, weights)
    table = nodes.add("Concat", "known", "gates", axis=0)
    by_token = nodes.add("Transpose", "words", perm=[1, 0])
    features = "" if context is None else context_features(nodes, context, "words")
    logits = _logits(nodes, table, by_token, weights, features)
    nodes.named(nodes.add("Transpose", logits, perm=[1, 0, 2]), "logits")
    running = lstm_graph.running(nodes, by_token, "lengths")
    scores = nodes.add("Cast", logits, to=DOUBLE)
    labels = crf_graph.best_labels(nodes, crf_graph.steps_of(nodes, scores, running), weights.chain)
    nodes.named(nodes.add("Transpose", labels, perm=[1, 0]), "labels")
    _add_probabilities(nodes, scores, running, weights)
    return model_of(nodes.graph("trustag", _inputs(weights), _outputs(weights)))


def _add_probabilities(nodes: Nodes, scores: str, running: str, weights: NetworkWeights) -> None:
    """Add messages and marginals, empty unless they are asked for."""
    asked = Nodes("asked_")
    cooled = asked.add("Div", scores, asked.constant(np.array([weights.temperature])))
    chain = weights.chain.at(weights.temperature)
    found = crf_graph.messages(asked, crf_graph.steps_of(asked, cooled, running), chain, bounded=_is_bounded(weights))
    values = {**found._asdict(), "marginals": crf_graph.marginals(asked, found)}
    unasked = Nodes("unasked_")
    described = {found.name: found for found in _outputs(weights)}
    branches = []
    for name, result in values.items():
        kind = described[name].type.tensor_type.elem_type
        shape = [0] * (1 if name == "log_partition" else 2) + [len(weights.bias)] * (name != "log_partition")
        asked.named(result, f"asked_{name}")
        unasked.named(unasked.constant(np.zeros(shape, helper.tensor_dtype_to_np_dtype(kind))), f"unasked_{name}")
        dimensions = [f"{name}_{axis}" for axis in range(len(shape))]
        branches.append((value(f"asked_{name}", kind, dimensions), value(f"unasked_{name}", kind, dimensions)))
    nodes.nodes.append(
        helper.make_node(
            "If",
            ["with_probabilities"],
            list(values),
            then_branch=asked.graph("probabilities", [], [one for one, _ in branches]),
            else_branch=unasked.graph("no_probabilities", [], [other for _, other in branches]),
        )
    )


def _add_new_words(nodes: Nodes, weights: NetworkWeights) -> None:
    """Add ``gates``: what new words add to the gates, by their vectors and their characters; none without new words."""
    width = weights.sentence_lstm.bias.size
    some = Nodes("new_", nodes.whole_numbers)
    by_letter = some.add("Transpose", "letters", perm=[1, 0])
    table = some.constant(_letter_gates(weights))
    recurrent = weights.letter_lstm.recurrent
    spelled = lstm_graph.last_states(some, table, by_letter, "letter_counts", recurrent)
    features = some.add("Concat", "vectors", spelled, axis=1)
    some.named(lstm_graph.gate_rows(some, features, weights.sentence_lstm), "new_gates")
    none = Nodes("no_")
    none.named(none.constant(np.zeros((0, width), np.float32)), "no_gates")
    shape = ("new", width)
    count = nodes.add("Size", "letters")
    nodes.nodes.append(
        helper.make_node(
            "If",
            [nodes.add("Greater", count, nodes.constant(np.array(0)))],
            ["gates"],
            then_branch=some.graph("new_words", [], [value("new_gates", FLOAT, shape)]),
            else_branch=none.graph("no_words", [], [value("no_gates", FLOAT, shape)]),
        )
    )


def _letter_gates(weights: NetworkWeights) -> npt.NDArray[np.float32]:
    """Return what each character adds to the gates, (characters, both directions one after the other)."""
    lstm = weights.letter_lstm
    rows: npt.NDArray[np.float32] = np.concatenate(
        [weights.letters @ inputs + bias for inputs, bias in zip(lstm.inputs, lstm.bias, strict=True)], axis=1
    )
    return rows


def _logits(nodes: Nodes, table: str, by_token: str, weights: NetworkWeights, context: str) -> str:
    """Return the score of each label at each token, (tokens, sentences, labels)."""
    recurrent = weights.sentence_lstm.recurrent
    beside = ""
    if weights.context_inputs is not None:
        by_sentence = nodes.add("Transpose", context, perm=[1, 0, 2])
        both = np.concatenate(list(weights.context_inputs), axis=1)
        beside = nodes.add("MatMul", by_sentence, nodes.weights(both))
    states = lstm_graph.states(nodes, table, by_token, "lengths", recurrent, beside)
    parts = []
    for direction, half in enumerate(np.split(weights.projection, 2)):
        own = nodes.add("Gather", states, nodes.constant(np.array(direction)), axis=1)
        parts.append(nodes.add("MatMul", own, nodes.constant(half)))
    backwards = lstm_graph.mirrored(nodes, parts[1], "lengths")
    return nodes.add("Add", nodes.add("Add", parts[0], backwards), nodes.constant(weights.bias))


def _is_bounded(weights: NetworkWeights) -> bool:
    """Tell whether no label can fall so far behind another that its weight would vanish; states lie within 1."""
    chain = weights.chain
    finite = [part[np.isfinite(part)] for part in (chain.transitions, chain.start, chain.end)]
    moves = max((float(np.ptp(part)) for part in finite if part.size), default=0.0)
    largest = float((np.abs(weights.projection).sum(0) + np.abs(weights.bias)).max())
    # A label is reached from any other within three steps.
    return 3 * (2 * largest + moves) / weights.temperature < _WIDEST


def _inputs(weights: NetworkWeights) -> list[onnx.ValueInfoProto]:
    inputs = [
        value("vectors", FLOAT, ("new", weights.vector_width)),
        value("letters", INT64, ("new", "longest")),
        value("letter_counts", INT64, ("new",)),
        value("known", FLOAT, ("known_words", weights.sentence_lstm.bias.size)),
        value("words", INT64, ("sentences", "tokens")),
        value("lengths", INT64, ("sentences",)),
        value("with_probabilities", BOOL, ()),
    ]
    if weights.context_inputs is not None:
        inputs += context_inputs()
    return inputs


def _outputs(weights: NetworkWeights) -> list[onnx.ValueInfoProto]:
    labels = len(weights.bias)
    by_token = ("tokens", "sentences", labels)
    return [
        value("gates", FLOAT, ("new", weights.sentence_lstm.bias.size)),
        value("labels", INT64, ("sentences", "tokens")),
        value("logits", FLOAT, ("sentences", "tokens", labels)),
        value("marginals", FLOAT, ("sentences", "tokens", labels)),
        value("forward", DOUBLE, by_token),
        value("backward", DOUBLE, by_token),
        value("log_partition", DOUBLE, ("sentences",)),
    ]
