"""Folders of models: what is refused before any of it is opened, and names that lead nowhere."""

import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.files.scratch import scratch_file
from tests.models.test_pretrained import load
from tests.models.tiny_transformers import save_bert
from trustag.errors import InputError
from trustag.models.model_folders import check_weights, locate_model, read_object
from trustag.notes import unwatched


class Mischief:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.trace),)


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return save_bert(tmp_path / "bert")


def test_pickled_weights_are_refused_and_never_opened(bert: Path, tmp_path: Path) -> None:
    trace = tmp_path / "it ran"
    (bert / "pytorch_model.bin").write_bytes(pickle.dumps(Mischief(trace)))
    load(bert)
    (bert / "model.safetensors").unlink()
    with pytest.raises(InputError, match=r"its weights are in pytorch_model\.bin, which can hold code; convert them"):
        load(bert)
    index = {"metadata": {}, "weight_map": {"embeddings.word_embeddings.weight": "pytorch_model.bin"}}
    (bert / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(InputError, match=r"pytorch_model\.bin, which can hold code"):
        load(bert)
    assert not trace.exists()
    pickle.loads((bert / "pytorch_model.bin").read_bytes())
    assert trace.exists()


def test_paths_that_lead_nowhere_are_never_looked_for_elsewhere(tmp_path: Path) -> None:
    for name in (str(tmp_path / "none"), "./none", "~/none", "a/b/c", __file__):
        with pytest.raises(InputError, match="no such folder"):
            load(name)
    with pytest.raises(InputError, match="no transformer named"):
        load("")


def test_a_name_that_cannot_be_fetched_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(InputError, match="^trustag-tests/no-such-model: neither a folder nor to be had"):
        load("trustag-tests/no-such-model")
    with pytest.raises(InputError, match="neither a folder nor to be had"):
        load("not a name")


def test_folders_and_names_are_told_apart(bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert locate_model(str(bert), unwatched) == bert
    monkeypatch.setenv("HOME", str(bert.parent))
    assert locate_model("~/bert", unwatched) == bert
    with pytest.raises(InputError, match="english-glove: word vectors, not an encoder; use them with --vectors"):
        locate_model("english-glove", unwatched)


@pytest.mark.parametrize(
    ("files", "finding"),
    [
        ({"model.safetensors": ""}, ""),
        ({"model.safetensors.index.json": '{"weight_map": {"a": "model-1.safetensors"}}'}, ""),
        ({"adapter_config.json": "{}", "model.safetensors": ""}, "holds an adapter; merge it"),
        ({}, r"holds no weights \(model\.safetensors\)"),
        ({"pytorch_model.bin": ""}, "its weights are in pytorch_model.bin, which can hold code"),
        ({"model.safetensors.index.json": '{"weight_map": {"a": "b.bin"}}'}, "its weights are in b.bin"),
        ({"model.safetensors.index.json": '{"weight_map": []}', "x.pt": ""}, "its weights are in x.pt"),
        ({"model.safetensors.index.json": "{"}, "not a JSON object"),
    ],
)
def test_only_plain_numbers_are_taken_for_weights(tmp_path: Path, files: dict[str, str], finding: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    if not finding:
        check_weights(tmp_path)
        return
    with pytest.raises(InputError, match=finding):
        check_weights(tmp_path)


@given(st.binary(max_size=6).filter(lambda content: content.strip() != b"{}") | st.just(b"[" * 100_000))
def test_what_is_no_json_object_is_refused(content: bytes) -> None:
    with scratch_file(content) as file:
        path = file.path
        with pytest.raises(InputError, match="not a JSON object"):
            read_object(path)
