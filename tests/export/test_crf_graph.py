"""Best labels, messages and marginals of the graph are those of ``trustag.crf``, whatever is forbidden."""

from typing import Any

import numpy as np
import numpy.typing as npt
import onnxruntime
import pytest
import torch

from trustag.crf import Chain, constrain, legal_transitions, log_partition, token_marginals, viterbi_decode
from trustag.export import crf_graph
from trustag.export.crf_graph import ChainScores
from trustag.export.nodes import BOOL, DOUBLE, FLOAT, INT64, Nodes, model_of, value
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER", "LOC"])
LENGTHS = [1, 4, 9, 2, 9]


def chain(scale: float) -> Chain:
    torch.manual_seed(2)
    free = Chain(*(torch.randn(shape) * scale for shape in ((len(LABELS), len(LABELS)), len(LABELS), len(LABELS))))
    return constrain(free, legal_transitions(LABELS.labels, LABELS.scheme))


def computed(scores: torch.Tensor, own: Chain, *, bounded: bool) -> list[npt.NDArray[Any]]:
    nodes = Nodes("")
    parts = ChainScores(*(part.double().numpy() for part in (own.transitions, own.start, own.end)))
    steps = crf_graph.steps_of(nodes, "scores", "running")
    nodes.named(crf_graph.best_labels(nodes, steps, parts), "labels")
    found = crf_graph.messages(nodes, steps, parts, bounded=bounded)
    nodes.named(found.log_partition, "total")
    nodes.named(crf_graph.marginals(nodes, found), "marginals")
    shape = ("tokens", "sentences", len(LABELS))
    outputs = [
        value("labels", INT64, shape[:2]),
        value("total", DOUBLE, ("sentences",)),
        value("marginals", FLOAT, ("sentences", "tokens", len(LABELS))),
    ]
    inputs = [value("scores", DOUBLE, shape), value("running", BOOL, shape[:2])]
    model = model_of(nodes.graph("crf", inputs, outputs))
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    running = np.arange(scores.shape[1])[:, None] < np.array(LENGTHS)
    by_token = np.ascontiguousarray(scores.double().numpy().transpose(1, 0, 2))
    return list(session.run(None, {"scores": by_token, "running": running}))


@pytest.mark.parametrize("bounded", [True, False])
@pytest.mark.parametrize("scale", [1.0, 8.0])
@pytest.mark.parametrize("tokens", [9, 1])
def test_the_graph_says_what_the_crf_says(tokens: int, scale: float, bounded: bool) -> None:
    own = chain(scale)
    scores = torch.randn(len(LENGTHS), tokens, len(LABELS)) * scale
    mask = torch.arange(tokens) < torch.tensor(LENGTHS)[:, None]
    labels, total, marginals = computed(scores, own, bounded=bounded)
    expected = viterbi_decode(scores, own, mask).labels
    assert labels.T[mask.numpy()].tolist() == expected[mask].tolist()
    np.testing.assert_allclose(total, log_partition(scores, own, mask), rtol=1e-5)
    np.testing.assert_allclose(marginals[mask.numpy()], token_marginals(scores, own, mask)[mask], atol=1e-5)


def test_scores_that_no_double_holds_as_weights_need_log_sums() -> None:
    own = chain(1.0)
    torch.manual_seed(5)
    scores = torch.randn(len(LENGTHS), 9, len(LABELS)) * 2000
    mask = torch.arange(9) < torch.tensor(LENGTHS)[:, None]
    _, total, marginals = computed(scores, own, bounded=False)
    np.testing.assert_allclose(total, log_partition(scores, own, mask), rtol=1e-5)
    np.testing.assert_allclose(marginals[mask.numpy()], token_marginals(scores, own, mask)[mask], atol=1e-5)
