"""Transformer encoders from settings, and what of them is kept in a model folder."""

from pathlib import Path

import pytest
import torch
from torch import nn

from tests.models.tiny_transformers import save_bert
from tests.training.small import small_recipe, small_spec
from trustag.errors import InputError
from trustag.models.encoder_kinds import StoredEncoder
from trustag.models.transformer import TransformerEncoder
from trustag.models.transformer_building import TRANSFORMER
from trustag.notes import unwatched
from trustag.recipes.network_settings import NetworkSettings
from trustag.vectors.word_vectors import Lookup

SENTENCES = [("Ann", "met", "Zoë"), ("Ann", "slept")]


def build(folder: Path, *changes: str) -> TransformerEncoder:
    spec = small_spec(small_recipe("model.encoder=transformer", f"transformer.name='{folder}'", *changes))
    encoder = TRANSFORMER.build(SENTENCES, spec, unwatched)
    assert isinstance(encoder, TransformerEncoder)
    return encoder.eval()


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_bert(tmp_path_factory.mktemp("building") / "bert")


def test_a_transformer_must_be_named() -> None:
    with pytest.raises(InputError, match="no transformer was named"):
        TRANSFORMER.build(SENTENCES, small_spec(small_recipe("model.encoder=transformer")), unwatched)


@torch.no_grad()
def test_the_settings_are_those_of_the_recipe(bert: Path) -> None:
    first, mean = build(bert), build(bert, "transformer.pooling=mean", "transformer.layer=1")
    assert first.width == mean.width == 16
    assert not torch.equal(first(first.collate(SENTENCES)), mean(mean.collate(SENTENCES)))
    beside = build(bert, "transformer.character_hidden=3")
    assert beside.width == 16 + 2 * 3
    assert list(beside.config["alphabet"]) == sorted(set("AnnmetZoëslept"))


@torch.no_grad()
def test_an_encoder_is_the_same_after_it_was_stored(bert: Path, tmp_path: Path) -> None:
    encoder = build(bert, "transformer.character_hidden=3")
    facts = TRANSFORMER.save(encoder, tmp_path)
    again = TRANSFORMER.load(StoredEncoder(tmp_path, facts, NetworkSettings(), Lookup(), None)).eval()
    again.load_state_dict(encoder.state_dict(), assign=True)
    assert torch.equal(again(again.collate(SENTENCES)), encoder(encoder.collate(SENTENCES)))  # type: ignore[operator]


def test_only_its_own_kind_is_stored(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no transformer encoder"):
        TRANSFORMER.save(nn.Linear(1, 1), tmp_path)
