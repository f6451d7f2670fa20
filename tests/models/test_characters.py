"""Character features against torch's own LSTM, one word at a time."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.models.test_lstm import torch_twin
from trustag.models import characters
from trustag.models.characters import CharacterBiLSTM, distinct_words
from trustag.models.vocabulary import Vocabulary
from trustag.vectors.word_vectors import Lookup

VOCABULARY = Vocabulary((), (), tuple("abc."), Lookup())
WORDS = st.lists(st.text(st.sampled_from("abcxé."), max_size=6), min_size=1, max_size=6)


def encoder() -> CharacterBiLSTM:
    torch.manual_seed(1)
    return CharacterBiLSTM(VOCABULARY, 3, 2, dropout=0.0).double()


@settings(max_examples=40)
@given(WORDS)
def test_features_are_the_last_states_of_each_word(words: list[str]) -> None:
    ours, distinct = encoder(), distinct_words(words)
    twin = torch_twin(ours.lstm)
    found = ours(ours.collate(distinct))
    assert found.shape == (len(distinct), ours.width)
    for row, word in zip(found, distinct, strict=True):
        _, (final, _) = twin(ours.letters(torch.tensor(VOCABULARY.characters_of(word))))
        torch.testing.assert_close(row, torch.cat([final[0], final[1]]))


@given(WORDS)
def test_distinct_words_are_all_words_once_and_the_longest_first(words: list[str]) -> None:
    found = distinct_words(words)
    assert set(found) == set(words)
    assert len(found) == len(set(words))
    keys = [(-len(word), words.index(word)) for word in found]
    assert keys == sorted(keys)


def test_a_full_memory_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(characters, "_REMEMBERED", 2)
    small, words = encoder(), ["aaaa", "bbb", "cc", "a"]
    expected = encoder().collate(words).letters
    for _ in range(2):
        assert torch.equal(small.collate(words).letters, expected)


def test_spellings_can_be_moved() -> None:
    spellings = encoder().collate(["ab"])
    moved = spellings.to(torch.device("cpu"))
    assert torch.equal(moved.letters, spellings.letters)
    assert moved.packing.rows == 2
