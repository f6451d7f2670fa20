"""The loop over steps gives the states of torch's own LSTM, in both directions and for any lengths."""

import numpy as np
import onnxruntime
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from trustag.export import lstm_graph
from trustag.export.lstm_graph import LSTMWeights
from trustag.export.nodes import FLOAT, INT64, Nodes, model_of, value

HIDDEN, WIDTH, LENGTHS = 3, 4, [5, 1, 3]


def weights_of(lstm: nn.LSTM) -> LSTMWeights:
    order = torch.cat([torch.arange(4 * HIDDEN).chunk(4)[gate] for gate in (0, 1, 3, 2)])
    parts: dict[str, list[np.ndarray]] = {"weight_ih": [], "bias": [], "weight_hh": []}
    for suffix in ("_l0", "_l0_reverse"):
        found = {name: getattr(lstm, name + suffix).detach()[order] for name in ("weight_ih", "weight_hh")}
        bias = (getattr(lstm, "bias_ih" + suffix) + getattr(lstm, "bias_hh" + suffix)).detach()[order]
        parts["weight_ih"].append(found["weight_ih"].T.numpy())
        parts["weight_hh"].append(found["weight_hh"].T.numpy())
        parts["bias"].append(bias.numpy())
    return LSTMWeights(*(np.stack(parts[name]) for name in ("weight_ih", "bias", "weight_hh")))


def test_states_and_last_states_are_those_of_torch() -> None:
    torch.manual_seed(1)
    lstm = nn.LSTM(WIDTH, HIDDEN, bidirectional=True)
    weights, rows = weights_of(lstm), torch.randn(6, WIDTH)
    numbers = torch.randint(6, (max(LENGTHS), len(LENGTHS)))
    nodes = Nodes("")
    table = lstm_graph.gate_rows(nodes, "rows", weights)
    states = lstm_graph.states(nodes, table, "numbers", "lengths", weights.recurrent)
    own = [nodes.add("Gather", states, nodes.constant(np.array(direction)), axis=1) for direction in (0, 1)]
    nodes.named(nodes.add("Concat", own[0], lstm_graph.mirrored(nodes, own[1], "lengths"), axis=2), "states")
    nodes.named(lstm_graph.last_states(nodes, table, "numbers", "lengths", weights.recurrent), "last")
    inputs = [
        value("rows", FLOAT, ("words", WIDTH)),
        value("numbers", INT64, ("steps", "sequences")),
        value("lengths", INT64, ("sequences",)),
    ]
    outputs = [
        value("states", FLOAT, ("steps", "sequences", 2 * HIDDEN)),
        value("last", FLOAT, ("sequences", 2 * HIDDEN)),
    ]
    model = model_of(nodes.graph("lstm", inputs, outputs)).SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    given = {"rows": rows.numpy(), "numbers": numbers.numpy(), "lengths": np.array(LENGTHS)}
    found, last = session.run(None, given)
    packed = pack_padded_sequence(rows[numbers], torch.tensor(LENGTHS), enforce_sorted=False)
    with torch.no_grad():
        output, (final, _) = lstm(packed)
    expected = pad_packed_sequence(output)[0].numpy()
    mask = np.arange(max(LENGTHS))[:, None] < np.array(LENGTHS)
    np.testing.assert_allclose(found[mask], expected[mask], atol=1e-6)
    np.testing.assert_allclose(last, torch.cat([final[0], final[1]], dim=1), atol=1e-6)
