"""Names are unique, constants keep their shape, and weights in whole numbers come close to what they were."""

import numpy as np
import onnxruntime
import pytest

from trustag.export.nodes import FLOAT, Nodes, model_of, value


def result(nodes: Nodes, name: str, shape: tuple[int, ...]) -> np.ndarray:
    nodes.named(name, "result")
    model = model_of(nodes.graph("test", [], [value("result", FLOAT, shape)]))
    found = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    array: np.ndarray = found.run(None, {})[0]
    return array


@pytest.mark.parametrize("shape", [(), (3,), (2, 3, 4)])
def test_constants_keep_their_shape_and_order(shape: tuple[int, ...]) -> None:
    values = np.asarray(np.random.default_rng(1).normal(size=shape), np.float32)
    nodes = Nodes("")
    total = nodes.add("Add", nodes.constant(values.T), nodes.constant(values.T))
    np.testing.assert_array_equal(result(nodes, total, shape[::-1]), 2 * values.T)


def test_weights_in_whole_numbers_are_off_by_half_a_step_at_most() -> None:
    values = np.random.default_rng(1).normal(size=(2, 5, 3)).astype(np.float32) * np.array([1, 100, 0], np.float32)
    nodes = Nodes("", whole_numbers=True)
    found = result(nodes, nodes.weights(values), values.shape)
    steps = np.abs(values).max((0, 1)) / 127
    assert (np.abs(found - values) <= steps * 0.5001).all()
    assert (found != values).any()
    nodes = Nodes("")
    np.testing.assert_array_equal(result(nodes, nodes.weights(values), values.shape), values)
