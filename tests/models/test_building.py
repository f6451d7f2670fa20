"""Networks as settings ask for them."""

from dataclasses import replace

import pytest
import torch

from tests.training.small import small_recipe, small_spec
from trustag.errors import InputError
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.bilstm_building import lookup_of
from trustag.models.building import new_network
from trustag.models.crf_head import CRFHead, SoftmaxHead
from trustag.models.network_spec import GivenVectors
from trustag.notes import unwatched
from trustag.recipes.network_settings import BiLSTMSettings
from trustag.text.label_sets import LabelSet

LABELS = LabelSet.of(["PER"])
SENTENCES = [("Ann", "met", "Bob"), ("Ann", "slept")]
VECTORS = GivenVectors(("met", "lamp"), torch.tensor([[1.0, 2.0], [3.0, 4.0]]))


@pytest.mark.parametrize(("head", "kind"), [("crf", CRFHead), ("softmax", SoftmaxHead)])
def test_the_head_is_the_one_of_the_settings(head: str, kind: type[CRFHead]) -> None:
    network = new_network(SENTENCES, LABELS, small_spec(small_recipe(f"model.head={head}")), unwatched)
    assert type(network.head) is kind
    assert network.labelling_head.labels is LABELS


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


def test_a_transformer_must_be_named() -> None:
    with pytest.raises(InputError, match="no transformer was named"):
        new_network(SENTENCES, LABELS, small_spec(small_recipe("model.encoder=transformer")), unwatched)


@pytest.mark.parametrize(("constraints", "expected"), [("none", False), ("decoding", True), ("training", True)])
def test_predictions_are_kept_to_legal_sequences_unless_constraints_are_off(constraints: str, expected: bool) -> None:
    assert small_spec(small_recipe(f"model.constraints={constraints}")).legal_only is expected


def test_words_are_looked_up_as_the_settings_say() -> None:
    assert lookup_of(BiLSTMSettings(zero_digits=True)).read("a12") == "a00"
    assert lookup_of(BiLSTMSettings()).read("a12") == "a12"
