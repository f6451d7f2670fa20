"""A graph runs the same in a copy, and one that cannot be read is refused by name."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from trustag.errors import InputError
from trustag.export.nodes import FLOAT, Nodes, model_of, value
from trustag.export.sessions import GraphSession


def test_a_graph_and_its_copy_compute_what_is_asked_for(tmp_path: Path) -> None:
    nodes = Nodes("")
    nodes.named(nodes.add("Mul", "x", nodes.constant(np.full(1, 2, np.float32))), "doubled")
    nodes.named(nodes.add("Neg", "x"), "negative")
    shape = ("rows",)
    outputs = [value("doubled", FLOAT, shape), value("negative", FLOAT, shape)]
    path = tmp_path / "graph.onnx"
    path.write_bytes(model_of(nodes.graph("both", [value("x", FLOAT, shape)], outputs)).SerializeToString())
    session = GraphSession(path)
    for own in (session, pickle.loads(pickle.dumps(session))):
        negative, doubled = own.run(["negative", "doubled"], {"x": np.array([1, 2], np.float32)})
        assert negative.tolist() == [-1, -2]
        assert doubled.tolist() == [2, 4]


def test_what_is_no_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "graph.onnx").write_bytes(b"not a graph")
    with pytest.raises(InputError, match="not a usable graph") as refused:
        GraphSession(tmp_path / "graph.onnx")
    assert refused.value.where == tmp_path / "graph.onnx"
