"""A model with random weights that finds entities everywhere, and the same in memory to compare with."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import torch

import trustag
from tests.training.small import small_corpus, small_network, small_recipe, small_spec
from trustag.models.prediction import Predictor
from trustag.models.saving import save_model
from trustag.text.label_sets import LabelSet

TEXTS = [sentence.text for sentence in small_corpus().test]
TOKENS = [list(sentence.tokens) for sentence in small_corpus().test]


def write_model(folder: Path, seed: int = 1, types: tuple[str, ...] = ("PER", "LOC")) -> Path:
    """Write a model into ``folder`` and return it."""
    recipe, labels = small_recipe(), LabelSet.of(types)
    network = small_network(labels, [*TOKENS, ["Ünï", "😀"]], recipe)
    torch.manual_seed(seed)
    with torch.no_grad():
        for weight in network.parameters():
            weight.uniform_(-1, 1)
    save_model(network, small_spec(recipe), folder)
    return folder


@cache
def loaded(folder: Path) -> Predictor:
    """Return the model in a folder."""
    return trustag.load(folder)


def expected(folder: Path, *texts: str | Sequence[str]) -> list[list[dict[str, Any]]]:
    """Return the entities of texts as the model finds them in this process."""
    found = loaded(folder).predict(texts)
    content: list[list[dict[str, Any]]] = json.loads(msgspec.json.encode(found))
    return content


def same(found: Sequence[dict[str, Any]], wanted: Sequence[dict[str, Any]]) -> bool:
    """Return whether entities are equal, and their scores but for rounding, which differs between batches."""

    def bare(entities: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**entity, "score": 0} for entity in entities]

    pairs = zip(found, wanted, strict=True) if len(found) == len(wanted) else ()
    return bare(found) == bare(wanted) and all(abs(one["score"] - other["score"]) < 1e-4 for one, other in pairs)
