"""A training that starts from another model has its weights, word by word where the vocabularies differ."""

from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from tests.training.small import small_network, small_recipe, small_spec
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.network import Network
from trustag.models.saving import save_model
from trustag.models.warm_start import WarmStart
from trustag.notes import Note, unwatched
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER"])
ONE = [("Ada", "slept", "Ada", "slept", "now", "now")]
OTHER = [("slept", "later", "Ada", "later", "Ada", "slept")]


def random_network(sentences: Sequence[tuple[str, ...]], *changes: str) -> Network:
    network = small_network(LABELS, sentences, small_recipe(*changes))
    with torch.no_grad():
        for weight in network.parameters():
            weight.uniform_(-1, 1)
    return network


@pytest.fixture
def model(tmp_path: Path) -> Path:
    save_model(random_network(ONE), small_spec(), tmp_path / "model")
    return tmp_path / "model"


def test_the_same_vocabulary_takes_every_weight(model: Path) -> None:
    network = small_network(LABELS, ONE)
    WarmStart(model).apply(network, unwatched)
    expected = load_file(model / "weights.safetensors")
    assert network.state_dict().keys() == expected.keys()
    for name, weight in network.state_dict().items():
        assert torch.equal(weight, expected[name])


@pytest.mark.parametrize("sentences", [ONE, [("once", "each")]], ids=["with rows", "without a row"])
def test_a_network_with_frozen_vectors_starts_from_one_of_the_same_words(
    tmp_path: Path, sentences: list[tuple[str, ...]]
) -> None:
    frozen = "bilstm.finetune_vectors=false"
    source, notes = random_network(sentences, frozen), list[Note]()
    save_model(source, small_spec(small_recipe(frozen)), tmp_path / "model")
    same, learning = small_network(LABELS, sentences, small_recipe(frozen)), small_network(LABELS, sentences)
    for network in (same, learning):
        WarmStart(tmp_path / "model").apply(network, notes.append)
    assert all(torch.equal(weight, source.state_dict()[name]) for name, weight in same.state_dict().items())
    assert torch.equal(learning.state_dict()["encoder.table.rows"], source.state_dict()["encoder.table.fresh"])
    assert not notes


def test_the_encoder_alone_leaves_the_head_fresh(model: Path) -> None:
    fresh, warm = small_network(LABELS, ONE), small_network(LABELS, ONE)
    WarmStart(model, "encoder").apply(warm, unwatched)
    for name, weight in warm.state_dict().items():
        assert torch.equal(weight, fresh.state_dict()[name]) == name.startswith("head."), name


def test_words_keep_their_vectors_whatever_their_rows(model: Path) -> None:
    source, target = small_network(LABELS, ONE), small_network(LABELS, OTHER)
    WarmStart(model).apply(source, unwatched)
    fresh = small_network(LABELS, OTHER)
    WarmStart(model).apply(target, unwatched)
    one, other, untouched = source.encoder, target.encoder, fresh.encoder
    for encoder in (one, other, untouched):
        assert isinstance(encoder, BiLSTMEncoder)
    assert isinstance(one, BiLSTMEncoder)
    assert isinstance(other, BiLSTMEncoder)
    assert isinstance(untouched, BiLSTMEncoder)
    for word in ("Ada", "slept"):
        vectors = (encoder.table.rows[encoder.vocabulary.word(word)] for encoder in (one, other))
        first, second = vectors
        assert torch.equal(first, second)
    row = other.vocabulary.word("later")
    assert row
    assert torch.equal(other.table.rows[row], untouched.table.rows[row])
    assert torch.equal(
        other.sentence_lstm.state_dict()[next(iter(other.sentence_lstm.state_dict()))],
        one.sentence_lstm.state_dict()[next(iter(one.sentence_lstm.state_dict()))],
    )


def test_what_does_not_fit_stays_fresh_and_is_named(model: Path) -> None:
    notes: list[Note] = []
    wider = small_network(LabelSet.of(["LOC", "PER"]), ONE)
    before = wider.get_parameter("head.transitions").clone()
    WarmStart(model).apply(wider, notes.append)
    assert torch.equal(wider.get_parameter("head.transitions"), before)
    (note,) = notes
    assert "head.transitions" in note.detail
    assert "encoder" not in note.detail
