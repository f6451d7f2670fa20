"""A column over all tokens is cut into one array a sentence, and nothing is lost or moved."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.estimator.small import noisy_sentences, tiny
from trustag import NoisyNER
from trustag.estimator.fitted import cut

Labels = list[list[str | None]]


@given(st.lists(st.integers(0, 4), max_size=6))
def test_sentences_have_their_length_and_together_they_are_the_column(lengths: list[int]) -> None:
    column = np.arange(sum(lengths))
    rows = cut(column, lengths)
    assert [len(row) for row in rows] == lengths
    assert [number for row in rows for number in row.tolist()] == column.tolist()
    assert all(row.dtype == column.dtype for row in rows)
    assert np.asarray(rows).shape == (len(lengths),)


def as_io(rows: Labels) -> Labels:
    return [[label if label in {None, "O"} else f"I-{str(label)[2:]}" for label in row] for row in rows]


def as_types(rows: Labels) -> Labels:
    return [[label if label in {None, "O"} else str(label)[2:] for label in row] for row in rows]


@pytest.mark.slow
def test_labels_that_are_types_are_given_back_as_types(tmp_path: Path) -> None:
    tokens, labels, _ = noisy_sentences()
    types, positions = as_types(labels), as_io(labels)
    by_type, by_position = (tiny("self-training").fit(tokens, given) for given in (types, positions))
    assert by_type.labels_ == ("O", *sorted(by_type.labels_[1:])) == tuple(as_types([list(by_position.labels_)])[0])
    assert [note.reason for note in by_type.notes_].count("bare types") == 1
    predicted = by_type.predict(tokens)
    assert predicted == as_types([list(row) for row in by_position.predict(tokens)])
    assert by_type.relabelled_ == as_types(by_position.relabelled_)
    assert {change.after for change in by_type.changes_} <= {"O", "LOC", "PER"}
    assert by_type.score(tokens, types) == by_position.score(tokens, positions)
    assert by_type.predict_marginals(tokens[:1])[0].shape == (len(tokens[0]), 3)
    by_type.save(tmp_path / "saved")
    assert NoisyNER.load(tmp_path / "saved").predict(tokens) == predicted
