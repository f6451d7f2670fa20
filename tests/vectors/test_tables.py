"""Tables of words and pieces, and their reduction."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from trustag.errors import InputError
from trustag.vectors.subword_tokenizers import WordPieceTokenizer
from trustag.vectors.tables import VectorTable, reduced, vectors_for
from trustag.vectors.word_vectors import Lookup

VALUES = st.floats(-10, 10, width=32)
MATRICES = arrays.arrays(np.float32, st.tuples(st.integers(2, 8), st.integers(1, 5)), elements=VALUES)


def words_table() -> VectorTable:
    matrix = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    return VectorTable("made up", ("the", "of", "Of", "0000"), np.array([0, 1, 1, 2], np.int32), matrix)


def pieces_table() -> VectorTable:
    entries = ("a", "b", "##b", "##c")
    matrix = np.array([[1, 1], [3, 1], [5, 2], [9, 9]], np.float32)
    return VectorTable("pieces", entries, np.arange(4, dtype=np.int32), matrix, WordPieceTokenizer(frozenset(entries)))


def test_wanted_words_come_in_every_form_that_may_be_found() -> None:
    vectors = vectors_for(words_table(), ["Of", "1996", "missing"])
    assert vectors.words == ("of", "Of", "0000")
    assert vectors.matrix.tolist() == [[3, 4], [3, 4], [5, 6]]
    assert vectors_for(words_table(), ["Of", "1996"], Lookup(case_fallback=False, fold_digits=False)).words == ("Of",)
    assert vectors_for(words_table(), ["0000"], also_first=1).words == ("the", "0000")
    assert vectors_for(words_table(), None).words == ("the", "of", "Of", "0000")
    assert vectors_for(words_table(), []).matrix.shape == (0, 2)


def test_vectors_can_be_changed_without_changing_the_table() -> None:
    table = words_table()
    vectors_for(table, None).matrix[:] = 0
    assert table.matrix[0].tolist() == [1, 2]


def test_a_word_has_the_mean_of_its_pieces() -> None:
    vectors = vectors_for(pieces_table(), ["abb", "ac", "zz", "b"])
    assert vectors.words == ("abb", "ac", "b")
    assert vectors.matrix.tolist() == [[pytest.approx(11 / 3), pytest.approx(5 / 3)], [5, 5], [3, 1]]
    assert vectors_for(pieces_table(), ["ac"], also_first=1).words == ("a", "ac")
    assert vectors_for(pieces_table(), None).words == ("a", "b")
    assert vectors_for(pieces_table(), ["zz"]).matrix.shape == (0, 2)


@given(MATRICES, st.data())
def test_reduction_keeps_as_much_as_the_best_projection_can(
    matrix: npt.NDArray[np.float32], data: st.DataObject
) -> None:
    width = data.draw(st.integers(1, matrix.shape[1]))
    small, share = reduced(matrix, width)
    centred = matrix.astype(np.float64) - matrix.astype(np.float64).mean(axis=0)
    strengths = np.linalg.svd(centred, compute_uv=False) ** 2
    best = strengths[:width].sum()
    assert small.shape == (len(matrix), width)
    assert np.square(small, dtype=np.float64).sum() == pytest.approx(best, rel=1e-4, abs=1e-6)
    if strengths.sum() > 1e-6:
        assert share == pytest.approx(best / strengths.sum(), rel=1e-4)


@given(MATRICES)
def test_reduction_to_full_width_keeps_all_distances(matrix: npt.NDArray[np.float32]) -> None:
    small, share = reduced(matrix, matrix.shape[1])
    before = np.linalg.norm(matrix[:, None] - matrix[None], axis=2)
    after = np.linalg.norm(small[:, None] - small[None], axis=2)
    assert np.allclose(before, after, atol=1e-3)
    assert share == pytest.approx(1.0)


def test_reducing_pieces_is_reducing_words() -> None:
    table = pieces_table()
    small, _ = reduced(table.matrix, 1)
    by_pieces = vectors_for(
        VectorTable("small", table.entries, table.rows, small, table.tokenizer), ["abb", "ac"]
    ).matrix
    mean = table.matrix.mean(axis=0)
    words = vectors_for(table, ["abb", "ac"]).matrix - mean
    basis = np.linalg.lstsq(table.matrix - mean, small, rcond=None)[0]
    assert np.allclose(by_pieces, words @ basis, atol=1e-4)


@pytest.mark.parametrize("width", [0, 3])
def test_an_impossible_width_is_refused(width: int) -> None:
    with pytest.raises(InputError, match="choose a width from 1 to 2"):
        reduced(np.zeros((4, 2), np.float32), width)


def test_a_table_that_contradicts_itself_is_refused() -> None:
    matrix = np.zeros((1, 2), np.float32)
    with pytest.raises(InputError, match="2 entries, but 1 rows"):
        VectorTable("bad", ("a", "b"), np.zeros(1, np.int32), matrix)
    with pytest.raises(InputError, match="outside the matrix"):
        VectorTable("bad", ("a",), np.ones(1, np.int32), matrix)
