"""The table of word vectors: what learns, what does not, and gradients of just the rows that were read."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.models.test_bilstm import SIZES, VOCABULARY, build, encode
from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.vocabulary import UNKNOWN, Vocabulary
from trustag.models.word_table import VectorTraining, WordTable
from trustag.vectors.word_vectors import Lookup


def test_frozen_vectors_do_not_learn_and_fresh_rows_do() -> None:
    encoder = build("frozen")
    assert "table.given" not in dict(encoder.named_parameters())
    torch.autograd.backward(encode(encoder, [["Ada", "of"], ["the", "unheard"]]).sum())
    gradient = encoder.table.fresh.grad
    assert gradient is not None
    assert gradient.abs().sum(1).nonzero()[:, 0].tolist() == [UNKNOWN, VOCABULARY.word("Ada")]


def test_trained_vectors_get_sparse_gradients_for_their_rows_alone() -> None:
    encoder = build("trained")
    torch.autograd.backward(encode(encoder, [["Ada", "of"], ["of", "unheard"]]).sum())
    gradient = encoder.table.rows.grad
    assert gradient is not None
    assert gradient.is_sparse
    found = gradient.coalesce().indices()[0].tolist()
    assert found == sorted([UNKNOWN, VOCABULARY.word("Ada"), VOCABULARY.word("of")])


@pytest.mark.parametrize("training", ["frozen", "trained"])
def test_a_table_without_given_vectors_works(training: VectorTraining) -> None:
    vocabulary = Vocabulary(("a",), (), ("a",), Lookup())
    encoder = BiLSTMEncoder(vocabulary, WordTable(1, torch.zeros(0, 4), training), SIZES)
    assert encode(encoder, [["a", "b"]]).isfinite().all()


@given(st.integers(0, 3), st.integers(0, 3), st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_rows_are_those_of_one_table_whatever_learns(learned: int, given_rows: int, asked: list[int]) -> None:
    vectors = torch.randn(given_rows, 2)
    words = torch.tensor([number % (1 + learned + given_rows) for number in asked])
    for training in ("frozen", "trained"):
        table = WordTable(learned, vectors, training)
        rows = torch.cat([table.fresh, vectors]) if training == "frozen" else table.rows
        assert torch.equal(table(words), rows[words])
        assert torch.equal(rows[1 + learned :], vectors)


def test_what_does_not_learn_is_said_to_be_fixed() -> None:
    words = torch.tensor([3, 0, 4, 1])
    frozen, trained = (WordTable(1, torch.randn(3, 2), training) for training in ("frozen", "trained"))
    fixed = frozen.fixed(words, before=5)
    assert fixed is not None
    assert (fixed.columns, fixed.learning.tolist()) == (7, [1, 3])
    assert trained.fixed(words) is None
    partly = trained.fixed(words, before=5)
    assert partly is not None
    assert (partly.columns, partly.learning.tolist()) == (5, [])
