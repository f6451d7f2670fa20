"""What is exported, what is refused, and what whole numbers cost."""

from pathlib import Path

import numpy as np
import onnx
import pytest
from safetensors.numpy import load_file

from tests.export.models import MODELS, random_network
from tests.models.random_network import WORDS
from trustag.errors import InputError
from trustag.export.exported_tagger import ExportedTagger
from trustag.export.writing import export_model
from trustag.models.tagger import Tagger

SENTENCES = [tuple(WORDS), *[(word,) for word in WORDS]]


def test_the_folder_holds_one_graph_with_dynamic_shapes(folders: dict[str, Path]) -> None:
    assert sorted(file.name for file in folders["usual"].iterdir()) == [
        "export.json",
        "model.onnx",
        "tables.safetensors",
    ]
    graph = onnx.load(folders["usual"] / "model.onnx").graph
    shapes = {value.name: [d.dim_param for d in value.type.tensor_type.shape.dim] for value in graph.input}
    assert shapes["words"] == ["sentences", "tokens"]
    assert {"labels", "logits", "marginals", "log_partition"} <= {value.name for value in graph.output}


def test_whole_numbers_are_smaller_and_close(folders: dict[str, Path], tmp_path: Path) -> None:
    export_model(MODELS["usual"], tmp_path / "small", "int8")
    words = [load_file(place / "tables.safetensors")["words"] for place in (folders["usual"], tmp_path / "small")]
    assert words[1].nbytes * 4 == words[0].nbytes
    exact, rounded = (list(ExportedTagger(p).marginals(SENTENCES)) for p in (folders["usual"], tmp_path / "small"))
    difference = max(float(np.abs(one - other).max()) for one, other in zip(exact, rounded, strict=True))
    assert 1e-6 < difference < 0.5


def test_a_folder_that_exists_is_left_alone(folders: dict[str, Path]) -> None:
    before = (folders["hot"] / "model.onnx").read_bytes()
    with pytest.raises(InputError, match="exists"):
        export_model(MODELS["usual"], folders["hot"])
    assert (folders["hot"] / "model.onnx").read_bytes() == before


def test_networks_of_another_make_are_refused(tmp_path: Path) -> None:
    network = random_network()
    network.encoder.__class__ = type("Own", (type(network.encoder),), {"forward": lambda self, inputs: inputs})
    with pytest.raises(InputError, match="BiLSTM encoder"):
        export_model(Tagger(network), tmp_path / "new")
    assert not (tmp_path / "new").exists()
