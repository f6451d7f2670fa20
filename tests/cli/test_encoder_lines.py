"""Facts on named encoders as text and as values."""

import json
from pathlib import Path

import pytest

from trustag.cli.encoder_lines import encoder_as_value, encoder_lines, kept_features_line
from trustag.vectors.encoder_sources import ENCODERS


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRUSTAG_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("name", ENCODERS)
def test_every_named_encoder_is_described(name: str) -> None:
    source = ENCODERS[name]
    first, *rest = encoder_lines(source)
    assert first == f"{name}  [not downloaded]"
    assert f"licence: {source.licence}" in rest[-1]
    assert f"{source.layers} layers, {source.width} values each" in rest[0]
    value = encoder_as_value(source)
    assert json.loads(json.dumps(value)).keys() == value.keys()
    assert (value["name"], value["stored_bytes"]) == (name, None)
    assert len(value["carried_by"]["packages"]) == len(source.packages)


def test_kept_features_are_counted(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRUSTAG_FEATURES_GB", "0.02")
    (cache / "features").mkdir()
    assert kept_features_line().startswith("features of --context: 0.0 MB of at most 20 MB (TRUSTAG_FEATURES_GB) in ")
    (cache / "features" / "a.safetensors").write_bytes(bytes(3_000_000))
    assert kept_features_line().startswith("features of --context: 3.0 MB of at most ")
