"""Pieces laid out for a transformer, against the plain way: one row a sentence, pieces looked up one by one."""

from itertools import chain

import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from trustag.models.piece_batches import PieceBatching, PieceInputs, Pooling, lay_out
from trustag.models.pieces import Specials
from trustag.models.windows import both_ends, longest_word

BEFORE, AFTER, PADDING = (1,), (2, 3), 0
WORDS = st.lists(st.integers(10, 99), min_size=1, max_size=5).map(tuple)
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=7), min_size=1, max_size=5)
POOLINGS = st.sampled_from(["first", "last", "mean"])
Pieces = tuple[int, ...]


def expected_pieces(word: Pieces, pooling: Pooling) -> list[int]:
    return {"first": [word[0]], "last": [word[-1]], "mean": list(word)}[pooling]


def batching(pooling: Pooling, positions: int = 100, *, padded: bool = True) -> PieceBatching:
    return PieceBatching(Specials(BEFORE, AFTER, 9, PADDING if padded else None), positions, 3, pooling)


def pooled(inputs: PieceInputs) -> list[list[list[int]]]:
    """Return the pieces that stand for each place of the table of words."""
    flat = torch.cat([block.pieces.flatten() for block in inputs.blocks])
    chosen = flat[inputs.pooled].tolist()
    ends = [*inputs.bags.tolist()[1:], len(chosen)]
    bags = [chosen[start:end] for start, end in zip(inputs.bags.tolist(), ends, strict=True)]
    sentences, words = inputs.shape
    return [bags[row * words : (row + 1) * words] for row in range(sentences)]


@given(SENTENCES, POOLINGS, st.booleans())
def test_every_word_is_made_of_its_own_pieces(sentences: list[list[Pieces]], pooling: Pooling, padded: bool) -> None:
    inputs = lay_out(sentences, batching(pooling, padded=padded))
    for words, found in zip(sentences, pooled(inputs), strict=True):
        assert found[: len(words)] == [expected_pieces(word, pooling) for word in words]
        assert not any(found[len(words) :])


@given(SENTENCES)
def test_rows_are_whole_sentences_between_special_pieces_and_padding_is_not_attended(
    sentences: list[list[Pieces]],
) -> None:
    inputs = lay_out(sentences, batching("first"))
    rows = [row[seen.bool()].tolist() for block in inputs.blocks for row, seen in _rows(block)]
    expected = [[*BEFORE, *chain.from_iterable(words), *AFTER] for words in sentences]
    assert sorted(rows) == sorted(expected)
    assert all(not row[~seen.bool()].any() for block in inputs.blocks for row, seen in _rows(block))


@given(SENTENCES)
def test_without_a_padding_piece_nothing_is_padded(sentences: list[list[Pieces]]) -> None:
    assert all(block.attended.all() for block in lay_out(sentences, batching("mean", padded=False)).blocks)


@given(SENTENCES, POOLINGS)
def test_long_sentences_are_cut_into_rows_that_fit(sentences: list[list[Pieces]], pooling: Pooling) -> None:
    narrow = batching(pooling, positions=9)
    assert narrow.capacity == 6
    inputs = lay_out(sentences, narrow)
    assert all(block.pieces.shape[1] <= 9 for block in inputs.blocks)
    fitted = [[both_ends(word, longest_word(narrow.capacity)) for word in words] for words in sentences]
    for words, found in zip(fitted, pooled(inputs), strict=True):
        assert found[: len(words)] == [expected_pieces(word, pooling) for word in words]


def test_inputs_on_their_device_stay_as_they_are() -> None:
    inputs = lay_out([[(10,)]], batching("first"))
    assert inputs.to(torch.device("cpu")) is inputs


def _rows(block: tuple[Tensor, Tensor]) -> list[tuple[Tensor, Tensor]]:
    return list(zip(*block, strict=True))
