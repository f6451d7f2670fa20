"""Stored features are those computed on the spot, wherever and whenever they are read."""

import pickle
from pathlib import Path

import pytest
import torch

from tests.models.test_context import LONG, ODD, SENTENCES, assert_alike
from tests.models.tiny_transformers import save_bert
from trustag.errors import InputError
from trustag.models.context import FrozenContext
from trustag.models.stored_context import StoredContext, features_file, write_features


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> FrozenContext:
    return FrozenContext.from_pretrained(str(save_bert(tmp_path_factory.mktemp("stored") / "bert", 64)), (1, 2))


@pytest.fixture
def stored(context: FrozenContext, tmp_path: Path) -> StoredContext:
    context.save(tmp_path)
    write_features(tmp_path, 0, SENTENCES, tmp_path)
    write_features(tmp_path, 1, [ODD, LONG], tmp_path)
    return StoredContext(tmp_path)


def test_stored_features_are_those_computed_on_the_spot(context: FrozenContext, stored: StoredContext) -> None:
    asked = [ODD, SENTENCES[1], LONG, SENTENCES[0], SENTENCES[1]]
    for found, expected in zip(stored.rows(asked), context.rows(asked), strict=True):
        assert_alike(found, expected)
    assert stored.width == context.width
    assert "_context" not in vars(stored), "the transformer was loaded for nothing"
    new = ("never", "stored")
    found, known = stored.rows([new, SENTENCES[0]])
    assert_alike(found, context.rows([new])[0])
    assert torch.equal(known, stored.rows([SENTENCES[0]])[0])


def test_a_stored_context_travels_as_the_name_of_its_folder(stored: StoredContext) -> None:
    expected = stored.rows([LONG])[0]
    travelling = pickle.dumps(stored)
    assert len(travelling) < 1000
    assert torch.equal(pickle.loads(travelling).rows([LONG])[0], expected)


def test_broken_features_are_named(stored: StoredContext) -> None:
    file = stored.folder / "features-000001.safetensors"
    file.write_bytes(file.read_bytes()[:50])
    with pytest.raises(InputError, match="features-000001.safetensors: broken features"):
        stored.rows(SENTENCES)


def test_a_saved_context_needs_nothing_else(stored: StoredContext, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    stored.save(folder)
    assert not features_file(folder, 0).exists(), "features belong to the run, not to the model"
    write_features(folder, 0, [("Ada",)], folder)
    assert torch.equal(StoredContext(folder).rows([("Ada",)])[0], stored.rows([("Ada",)])[0])
