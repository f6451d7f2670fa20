"""BiLSTM encoders from settings: given vectors, words by settings, and what is kept in a model folder."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from tests.training.small import small_recipe, small_spec
from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.bilstm_building import BILSTM, lookup_of
from trustag.models.building import new_network
from trustag.models.encoder_kinds import StoredEncoder
from trustag.models.network_spec import GivenVectors
from trustag.notes import unwatched
from trustag.recipes.network_settings import BiLSTMSettings, NetworkSettings
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER"])
SENTENCES = [("Ann", "met", "Bob"), ("Ann", "slept")]
VECTORS = GivenVectors(("met", "lamp"), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))


@pytest.mark.parametrize("finetuned", [True, False])
def test_given_vectors_stand_in_the_table_whether_they_are_fine_tuned_or_not(finetuned: bool) -> None:
    spec = replace(small_spec(), vectors=VECTORS, finetune_vectors=finetuned)
    encoder = new_network(SENTENCES, LABELS, spec, unwatched).encoder
    assert isinstance(encoder, BiLSTMEncoder)
    assert encoder.vocabulary.learned == ("ann",)  # the only word without a vector that occurs twice
    rows = torch.tensor([encoder.vocabulary.word(word) for word in VECTORS.words])
    assert torch.equal(encoder.table(rows), VECTORS.rows)
    assert ("table.rows" in dict(encoder.named_parameters())) == finetuned
    assert encoder.sizes.words == 2


def test_without_vectors_random_ones_must_be_asked_for() -> None:
    spec = small_spec(small_recipe("bilstm.random_vectors=false"))
    with pytest.raises(InputError, match="no word vectors were given"):
        new_network(SENTENCES, LABELS, spec, unwatched)


def test_words_are_looked_up_as_the_settings_say() -> None:
    assert lookup_of(BiLSTMSettings(zero_digits=True)).read("a12") == "a00"
    assert lookup_of(BiLSTMSettings()).read("a12") == "a12"


def stored(encoder: nn.Module, folder: Path, **changed: Any) -> StoredEncoder:
    facts = BILSTM.save(encoder, folder)
    listed = {name: list(value) if isinstance(value, tuple) else value for name, value in facts["vocabulary"].items()}
    settings = NetworkSettings(bilstm=small_recipe().bilstm)
    return StoredEncoder(folder, {"vocabulary": {**listed, **changed}}, settings, lookup_of(settings.bilstm), None)


@torch.no_grad()
def test_an_encoder_is_the_same_after_it_was_stored(tmp_path: Path) -> None:
    encoder = BILSTM.build(SENTENCES, replace(small_spec(), vectors=VECTORS), unwatched).eval()
    again = BILSTM.load(stored(encoder, tmp_path)).eval()
    assert all(weight.is_meta for weight in again.parameters())
    again.load_state_dict(encoder.state_dict(), assign=True)
    words = [("Ann", "saw", "lamp")]
    assert torch.equal(again(again.collate(words)), encoder(encoder.collate(words)))  # type: ignore[operator]


@pytest.mark.parametrize(
    "changed", [{"vector_width": 0}, {"vector_width": "2"}, {"vector_width": 1 << 20}, {"learned": 1}]
)
def test_a_description_that_makes_no_sense_is_refused(changed: dict[str, Any], tmp_path: Path) -> None:
    encoder = BILSTM.build(SENTENCES, small_spec(), unwatched)
    with pytest.raises((TypeError, ValueError)):
        BILSTM.load(stored(encoder, tmp_path, **changed))


def test_only_its_own_kind_is_stored(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="no BiLSTM encoder"):
        BILSTM.save(nn.Linear(1, 1), tmp_path)
