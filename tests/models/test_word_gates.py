"""What words add to the gates: the same whether they are new or known, many or few, and within bounds."""

from concurrent.futures import ThreadPoolExecutor

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.models.random_network import NETWORK, WORDS
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.inference_lstm import inference_lstm
from trustag.models.word_gates import WordGates

assert isinstance(NETWORK.encoder, BiLSTMEncoder)
ENCODER: BiLSTMEncoder = NETWORK.encoder
SENTENCE_LSTM = inference_lstm(ENCODER.sentence_lstm)
MANY = [*WORDS, *(f"w{number}" for number in range(20))]


@torch.no_grad()
def slowly(word: str) -> Tensor:
    """Return the gate inputs of a word, (directions, gates), from the encoder that is trained."""
    vector = ENCODER.table(torch.tensor([ENCODER.vocabulary.word(word)]))
    spelled = ENCODER.characters(ENCODER.characters.collate([word]))
    return SENTENCE_LSTM.gate_inputs(torch.cat([vector, spelled], dim=1))[:, 0]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.lists(st.sampled_from(MANY), min_size=1, max_size=12), min_size=1, max_size=4), st.integers(1, 30))
@torch.no_grad()
def test_every_word_has_its_own_gate_inputs_whatever_is_remembered(calls: list[list[str]], remembered: int) -> None:
    gates = WordGates(ENCODER, SENTENCE_LSTM, remembered)
    most = remembered
    for tokens in calls:
        most = max(most, len(set(tokens)))
        table, numbers = gates.rows(tokens)
        for token, number in zip(tokens, numbers, strict=True):
            torch.testing.assert_close(table[:, number], slowly(token), atol=1e-5, rtol=1e-4)
        assert len(set(numbers)) == len(set(tokens))
        assert table.shape[1] <= 2 * most


@torch.no_grad()
def test_looking_ahead_learns_what_there_is_room_for() -> None:
    gates = WordGates(ENCODER, SENTENCE_LSTM, remembered=len(MANY))
    gates.look_ahead(MANY)
    known, _ = gates.rows(MANY[:1])
    assert gates.rows(MANY)[0] is known
    small = WordGates(ENCODER, SENTENCE_LSTM, remembered=3)
    small.look_ahead(MANY)
    assert small.rows(MANY[:1])[0].shape[1] == 1


@torch.no_grad()
def test_threads_keep_the_tables_that_they_were_given() -> None:
    gates = WordGates(ENCODER, SENTENCE_LSTM, remembered=2)
    asked = [[MANY[(start + step) % len(MANY)] for step in range(3)] for start in range(200)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(gates.rows, asked))
    expected = {word: slowly(word) for word in MANY}
    for tokens, (table, numbers) in zip(asked, found, strict=True):
        for token, number in zip(tokens, numbers, strict=True):
            torch.testing.assert_close(table[:, number], expected[token], atol=1e-5, rtol=1e-4)
