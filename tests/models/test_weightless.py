"""A network without weights has the shapes of a real one, and building it loads nothing that costs a second."""

import subprocess
import sys
from pathlib import Path

import torch
from torch import nn

from tests.training.small import small_corpus, small_network, small_recipe, small_spec
from trustag.models.saving import save_model
from trustag.models.weightless import weightless
from trustag.text.label_sets import LabelSet

VARIANTS = [
    (),
    ("bilstm.finetune_vectors=false", "model.transition_init='random'"),
    ("model.head='softmax'", "model.constraints='training'"),
]


def test_there_are_shapes_only() -> None:
    with weightless():
        layers = [nn.Embedding(1 << 40, 1 << 10), nn.Linear(1 << 20, 1 << 20)]
    assert [layer.weight.shape for layer in layers] == [(1 << 40, 1 << 10), (1 << 20, 1 << 20)]
    assert all(layer.weight.is_meta for layer in layers)


def test_afterwards_weights_are_drawn_again() -> None:
    with weightless():
        pass
    torch.manual_seed(1)
    first = nn.Linear(3, 3).weight
    torch.manual_seed(1)
    expected = torch.empty(3, 3).uniform_(-(3**-0.5), 3**-0.5)
    assert torch.allclose(first, expected)


def test_predicting_never_loads_the_compiler_of_torch(tmp_path: Path) -> None:
    labels, sentences = LabelSet.of(["PER"]), [sentence.tokens for sentence in small_corpus().test]
    for number, changes in enumerate(VARIANTS):
        recipe = small_recipe(*changes)
        save_model(small_network(labels, sentences, recipe), small_spec(recipe), tmp_path / str(number))
    script = """
import sys
from trustag.export.model_loading import load
for folder in sys.argv[1:]:
    load(folder).predict("Ann Smith moved to New York.")
print([name for name in ("torch._dynamo", "sympy", "transformers") if name in sys.modules])
"""
    folders = [str(tmp_path / str(number)) for number in range(len(VARIANTS))]
    done = subprocess.run([sys.executable, "-c", script, *folders], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
