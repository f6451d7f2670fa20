"""A column over all tokens is cut into one array a sentence, and nothing is lost or moved."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trustag.estimator.fitted import cut


@given(st.lists(st.integers(0, 4), max_size=6))
def test_sentences_have_their_length_and_together_they_are_the_column(lengths: list[int]) -> None:
    column = np.arange(sum(lengths))
    rows = cut(column, lengths)
    assert [len(row) for row in rows] == lengths
    assert [number for row in rows for number in row.tolist()] == column.tolist()
    assert all(row.dtype == column.dtype for row in rows)
    assert np.asarray(rows).shape == (len(lengths),)
