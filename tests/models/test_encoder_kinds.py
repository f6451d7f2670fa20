"""Encoders by name, and one of a user's own from training to prediction."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.methods.generated import generated_corpus
from tests.training.small import small_recipe
from trustag.errors import InputError
from trustag.export.model_loading import load
from trustag.models.bilstm_building import BILSTM
from trustag.models.encoder_kinds import EncoderKind, StoredEncoder, find_encoder, stored_strings
from trustag.models.encoders import Tokens
from trustag.models.network_spec import NetworkSpec
from trustag.models.transformer_building import TRANSFORMER
from trustag.notes import Watch
from trustag.pipeline import Destination, train
from trustag.recipes.network_settings import ENCODERS

NOTHING = object()


@dataclass(frozen=True)
class Words:
    """The numbers of words, (sentences, tokens)."""

    numbers: Tensor

    def to(self, device: torch.device) -> "Words":
        return Words(self.numbers.to(device))


class WordEncoder(nn.Module):
    """One vector for each known word, and nothing of its neighbours."""

    width = 12

    def __init__(self, words: Sequence[str]) -> None:
        super().__init__()
        self.words = list(words)
        self.vectors = nn.Embedding(1 + len(words), self.width)

    def collate(self, sentences: Sequence[Tokens]) -> Words:
        number = {word: place for place, word in enumerate(self.words, start=1)}
        rows = [torch.tensor([number.get(token, 0) for token in tokens]) for tokens in sentences]
        return Words(nn.utils.rnn.pad_sequence(rows, batch_first=True))

    def forward(self, inputs: Words) -> Tensor:
        found: Tensor = self.vectors(inputs.numbers)
        return found


def _build(sentences: Sequence[Tokens], spec: NetworkSpec, watch: Watch) -> WordEncoder:
    return WordEncoder(sorted({token for tokens in sentences for token in tokens}))


def _save(encoder: nn.Module, folder: Path) -> Mapping[str, Any]:
    assert isinstance(encoder, WordEncoder)
    return {"words": encoder.words}


def _load(stored: StoredEncoder) -> WordEncoder:
    with torch.device("meta"):
        return WordEncoder(stored_strings(stored.facts["words"]))


WORDS = EncoderKind(_build, _save, _load)


def test_the_table_lists_the_encoders_and_which_of_them_read_word_vectors() -> None:
    assert {name: find_encoder(name) for name in ENCODERS} == {"bilstm": BILSTM, "transformer": TRANSFORMER}
    assert BILSTM.reads_vectors
    assert not TRANSFORMER.reads_vectors


def test_what_is_no_encoder_is_refused() -> None:
    with pytest.raises(InputError, match="is no encoder"):
        find_encoder(f"{__name__}:NOTHING")


@pytest.mark.parametrize("values", ["words", [1], None, {"a": 1}])
def test_strings_of_a_description_are_a_list_of_strings(values: object) -> None:
    assert stored_strings(["a", "b"]) == ("a", "b")
    with pytest.raises(TypeError):
        stored_strings(values)


def test_an_encoder_of_the_users_own_trains_is_saved_and_predicts(tmp_path: Path) -> None:
    changes = (f"model.encoder={__name__}:WORDS", "training.learning_rate=0.1", "bilstm.random_vectors=false")
    recipe = small_recipe(*changes)
    result = train(generated_corpus(), recipe, Destination(tmp_path / "run"))
    assert result.scores.test is not None
    assert result.scores.test.micro.f1 > 0.8
    (found,) = load(tmp_path / "run").predict("Bob left Rome .")
    assert [(entity.text, entity.label) for entity in found] == [("Bob", "PER"), ("Rome", "LOC")]


def test_an_unknown_encoder_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot load the encoder"):
        train(generated_corpus(), small_recipe("model.encoder=absent_module:X"), Destination(tmp_path / "run"))
    assert not (tmp_path / "run").exists()
