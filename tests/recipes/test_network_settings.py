"""Settings of networks: every name stands for a part that exists, and numbers are bounded."""

from typing import Any

import pytest
from pydantic import ValidationError

from trustag.models.encoder_kinds import EncoderKind
from trustag.models.heads import HeadKind
from trustag.recipes.named_parts import load_part
from trustag.recipes.network_settings import ENCODERS, HEADS, ModelSettings, NetworkSettings


@pytest.mark.parametrize("name", ENCODERS)
def test_every_encoder_can_be_loaded(name: str) -> None:
    assert isinstance(load_part(name, ENCODERS, "encoder"), EncoderKind)


@pytest.mark.parametrize("name", HEADS)
def test_every_head_can_be_loaded(name: str) -> None:
    assert isinstance(load_part(name, HEADS, "head"), HeadKind)


@pytest.mark.parametrize("name", [*ENCODERS, "my_parts:ENCODER"])
def test_parts_are_named_or_ones_own(name: str) -> None:
    assert ModelSettings(encoder=name).encoder == name


@pytest.mark.parametrize(
    "settings",
    [
        {"model": {"encoder": "lstm"}},
        {"model": {"head": "crff"}},
        {"bilstm": {"dropout": 1.0}},
        {"bilstm": {"hidden": 0}},
        {"bilstm": {"vectors_rate": 0.0}},
        {"bilstm": {"context_mix": "median"}},
        {"transformer": {"rate": float("inf")}},
        {"transformer": {"layers": 3}},
    ],
)
def test_what_no_network_can_be_made_of_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        NetworkSettings(**settings)
