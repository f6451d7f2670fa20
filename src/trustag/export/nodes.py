"""A small builder for ONNX graphs: operations are added one after the other, and constants where they are used."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

OPSET: Final = 17
IR_VERSION: Final = 8
FLOAT16, FLOAT, DOUBLE = TensorProto.FLOAT16, TensorProto.FLOAT, TensorProto.DOUBLE
INT64, BOOL = TensorProto.INT64, TensorProto.BOOL

_LARGEST: Final = 127.0

Shape = Sequence[str | int]
Array = npt.NDArray[Any]


@dataclass
class Nodes:
    """The operations of a graph; values are known by their names, which are unique within ``prefix``.

    With ``whole_numbers`` weights are kept in eight bits, with a scale for each column.
    """

    prefix: str
    whole_numbers: bool = False
    nodes: list[onnx.NodeProto] = field(default_factory=list)
    constants: list[onnx.TensorProto] = field(default_factory=list)

    def add(self, operation: str, *inputs: str, **attributes: Any) -> str:
        """Add an operation with one output and return its name."""
        return self.add_several(operation, inputs, 1, **attributes)[0]

    def add_several(self, operation: str, inputs: Sequence[str], outputs: int, **attributes: Any) -> list[str]:
        """Add an operation with several outputs and return their names."""
        first = len(self.nodes)
        names = [f"{self.prefix}{operation}_{first}_{number}" for number in range(outputs)]
        self.nodes.append(helper.make_node(operation, list(inputs), names, **attributes))
        return names

    def constant(self, values: Array | Sequence[int]) -> str:
        """Add a constant and return its name; a list becomes whole numbers."""
        array = np.asarray(values, np.int64) if not isinstance(values, np.ndarray) else values
        name = f"{self.prefix}constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.array(array, order="C"), name))
        return name

    def weights(self, values: npt.NDArray[np.float32]) -> str:
        """Add weights and return their name."""
        if not self.whole_numbers:
            return self.constant(values)
        columns = tuple(range(values.ndim - 1))
        scales = (np.maximum(np.abs(values).max(columns), np.finfo(np.float32).tiny) / _LARGEST).astype(np.float32)
        rounded = self.constant(np.rint(values / scales).astype(np.int8))
        # Not DequantizeLinear, which onnxruntime would compute anew whenever the graph runs.
        return self.add("Mul", self.add("Cast", rounded, to=FLOAT), self.constant(scales))

    def named(self, value: str, name: str) -> None:
        """Give a value a name of its own, as an output of the graph needs."""
        self.nodes.append(helper.make_node("Identity", [value], [name]))

    def scan(self, body: onnx.GraphProto, states: Sequence[str], steps: Sequence[str], **attributes: Any) -> list[str]:
        """Run ``body`` over the first axis of ``steps`` and return the last states, then what every step gave."""
        inputs = [*states, *steps]
        return self.add_several("Scan", inputs, len(body.output), body=body, num_scan_inputs=len(steps), **attributes)

    def graph(
        self, name: str, inputs: Sequence[onnx.ValueInfoProto], outputs: Sequence[onnx.ValueInfoProto]
    ) -> onnx.GraphProto:
        """Return the graph of all operations."""
        return helper.make_graph(self.nodes, name, list(inputs), list(outputs), self.constants)


def value(name: str, kind: int, shape: Shape) -> onnx.ValueInfoProto:
    """Return the description of an input or output."""
    return helper.make_tensor_value_info(name, kind, list(shape))


def model_of(graph: onnx.GraphProto) -> onnx.ModelProto:
    """Return a checked model around ``graph``."""
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION, producer_name="trustag"
    )
    onnx.checker.check_model(model)
    return model
