"""A frozen transformer as ONNX operations, traced by torch: pieces in, the features of every token out."""

import tempfile
import warnings
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import torch
from onnx import compose
from torch import Tensor, nn

from trustag.errors import InputError
from trustag.export.nodes import FLOAT, FLOAT16, INT64, OPSET, Nodes, value
from trustag.models.context import FrozenContext

PREFIX: Final = "context_"
_TRIAL: Final = 5
_LARGEST: Final = float(np.finfo(np.float16).max)


class _HiddenLayers(nn.Module):
    """Chosen hidden layers of a transformer side by side."""

    def __init__(self, transformer: nn.Module, layers: tuple[int, ...]) -> None:
        super().__init__()
        self.transformer = transformer
        self.layers = layers

    def forward(self, pieces: Tensor, attended: Tensor) -> Tensor:
        """Return (rows, pieces, width of all layers)."""
        found = self.transformer(input_ids=pieces, attention_mask=attended, output_hidden_states=True)
        return torch.cat([found.hidden_states[layer] for layer in self.layers], dim=-1)


def context_features(nodes: Nodes, context: FrozenContext, words: str) -> str:
    """Add the transformer and return its features of the tokens in ``words``, (sentences, tokens, width).

    As when the model was trained they are the means over the pieces of a word, rounded to half precision.
    """
    traced = compose.add_prefix(_traced(context), PREFIX)
    nodes.nodes.extend(traced.graph.node)
    nodes.constants.extend(traced.graph.initializer)
    pooled = nodes.add("Gather", _flat(nodes, f"{PREFIX}states"), f"{PREFIX}pooled", axis=0)
    count = nodes.add("Size", words)
    tokens = nodes.add("Unsqueeze", f"{PREFIX}bags", nodes.constant([1]))
    sums = nodes.add("ScatterND", _zeros(nodes, count, pooled), tokens, pooled, reduction="add")
    ones = nodes.add("Expand", nodes.constant(np.ones(1, np.float32)), nodes.add("Shape", tokens))
    sizes = nodes.add("ScatterND", _zeros(nodes, count, ones), tokens, ones, reduction="add")
    means = nodes.add("Div", sums, nodes.add("Max", sizes, nodes.constant(np.ones(1, np.float32))))
    layers = len(context.config.layers)
    if context.config.mix == "mean" and layers > 1:
        apart = nodes.add("Reshape", means, nodes.constant([0, layers, context.width]))
        means = nodes.add("ReduceMean", apart, axes=[1], keepdims=0)
    bounds = [nodes.constant(np.array(bound, np.float32)) for bound in (-_LARGEST, _LARGEST)]
    clipped = nodes.add("Clip", means, *bounds)
    rounded = nodes.add("Cast", nodes.add("Cast", clipped, to=FLOAT16), to=FLOAT)
    shape = nodes.add("Concat", nodes.add("Shape", words), nodes.constant([context.width]), axis=0)
    return nodes.add("Reshape", rounded, shape)


def context_inputs() -> list[onnx.ValueInfoProto]:
    """Return the inputs of the transformer: rows of pieces, which of them stand for tokens, and for which."""
    rows = ("rows", "pieces")
    return [
        value(f"{PREFIX}pieces", INT64, rows),
        value(f"{PREFIX}attended", INT64, rows),
        value(f"{PREFIX}pooled", INT64, ("chosen",)),
        value(f"{PREFIX}bags", INT64, ("chosen",)),
    ]


def _flat(nodes: Nodes, states: str) -> str:
    shape = nodes.add("Shape", states)
    width = nodes.add("Slice", shape, nodes.constant([2]), nodes.constant([3]))
    return nodes.add("Reshape", states, nodes.add("Concat", nodes.constant([-1]), width, axis=0))


def _zeros(nodes: Nodes, count: str, like: str) -> str:
    """Return zeros for so many tokens, as wide as ``like``."""
    width = nodes.add("Slice", nodes.add("Shape", like), nodes.constant([1]), nodes.constant([2]))
    rows = nodes.add("Unsqueeze", count, nodes.constant([0]))
    shape = nodes.add("Concat", rows, width, axis=0)
    return nodes.add("Expand", nodes.constant(np.zeros(1, np.float32)), shape)


def _traced(context: FrozenContext) -> onnx.ModelProto:
    """Return the transformer as a model with the inputs ``pieces`` and ``attended`` and the output ``states``."""
    if context.config.specials.padding is None:
        finding = "the context's features change with padding, so sentences could not be read together"
        raise InputError(finding, remedy="choose another encoder for --context")
    network = _HiddenLayers(context.transformer, context.config.layers).eval()
    pieces = torch.full((2, _TRIAL), context.config.specials.unknown)
    attended = torch.ones_like(pieces)
    attended[1, _TRIAL // 2 :] = 0
    axes = {name: {0: "rows", 1: "pieces"} for name in ("pieces", "attended", "states")}
    with tempfile.TemporaryDirectory() as place, warnings.catch_warnings(), torch.no_grad():
        # The exporter that traces is on its way out; the other needs a further package and says more on the screen.
        warnings.simplefilter("ignore")
        file = Path(place) / "transformer.onnx"
        torch.onnx.export(
            network,
            (pieces, attended),
            file,
            input_names=["pieces", "attended"],
            output_names=["states"],
            dynamic_axes=axes,
            opset_version=OPSET,
            dynamo=False,
        )
        return onnx.load(file)
