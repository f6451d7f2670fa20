"""The LSTM that only predicts, against the one that is trained."""

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.models.test_lstm import lengths_longest_first
from trustag.models.inference_lstm import inference_lstm
from trustag.models.lstm import PackedBiLSTM
from trustag.models.packing import pack

KINDS = 5  # distinct rows of features


def lstm_and_rows(inputs: int, hidden: int) -> tuple[PackedBiLSTM, Tensor]:
    torch.manual_seed(inputs * 10 + hidden)
    return PackedBiLSTM(inputs, hidden), 2 * torch.randn(KINDS, inputs)


@settings(max_examples=40)
@given(lengths_longest_first, st.integers(1, 4), st.integers(1, 4), st.randoms(use_true_random=False))
@torch.no_grad()
def test_states_of_packed_sequences_are_those_of_the_trained_layer(
    lengths: list[int], inputs: int, hidden: int, random: object
) -> None:
    lstm, rows = lstm_and_rows(inputs, hidden)
    packing = pack(lengths)
    numbers = torch.tensor([random.randrange(KINDS) for _ in range(packing.rows)])  # type: ignore[attr-defined]
    fast = inference_lstm(lstm)
    forwards, backwards = fast.states(fast.gate_inputs(rows), numbers, packing)
    expected = lstm(rows[numbers], packing)
    found = torch.cat([forwards, backwards.index_select(0, packing.mirrored)], dim=1)
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=1e-4)


@settings(max_examples=40)
@given(st.lists(st.integers(0, KINDS - 1), min_size=1, max_size=9), st.integers(1, 4))
@torch.no_grad()
def test_a_sequence_alone_has_the_states_that_it_has_in_a_batch(numbers: list[int], hidden: int) -> None:
    lstm, rows = lstm_and_rows(3, hidden)
    fast = inference_lstm(lstm)
    table = fast.gate_inputs(rows)
    alone = torch.from_numpy(fast.states_alone(table, numbers))
    together = fast.states(table, torch.tensor(numbers), pack([len(numbers)]))
    torch.testing.assert_close(alone, together, atol=1e-5, rtol=1e-4)


@torch.no_grad()
def test_later_training_does_not_reach_the_copied_weights() -> None:
    lstm, rows = lstm_and_rows(3, 2)
    fast = inference_lstm(lstm)
    before = fast.gate_inputs(rows)
    for weight in lstm.parameters():
        weight.add_(1.0)
    assert torch.equal(fast.gate_inputs(rows), before)
    assert fast.hidden == 2
