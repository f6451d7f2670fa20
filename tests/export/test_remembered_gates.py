"""What is remembered of words never changes what is said of them, however little is remembered."""

from pathlib import Path

import numpy as np
import pytest

from trustag.export.exported_folder import GRAPH, read_description, read_tables
from trustag.export.remembered_gates import RememberedGates, WordRows
from trustag.export.sessions import GraphSession

WORDS = ["Ada", "of", "the", "x" * 80, "", "é", "oF", "a1", *(f"word{number}" for number in range(40))]


def gates(folder: Path, remembered: int) -> RememberedGates:
    description = read_description(folder)
    words = WordRows(read_tables(folder, description)["words"], None)
    return RememberedGates(GraphSession(folder / GRAPH), description.vocabulary, words, remembered=remembered)


@pytest.mark.parametrize("remembered", [2, 10, 1000])
def test_rows_do_not_depend_on_what_is_remembered(folders: dict[str, Path], remembered: int) -> None:
    whole = gates(folders["usual"], 1000)
    table, numbers = whole.rows(WORDS)
    expected = table[numbers]
    asked = gates(folders["usual"], remembered)
    asked.look_ahead(WORDS)
    for start in range(0, len(WORDS), 5):
        table, numbers = asked.rows(WORDS[start : start + 5])
        np.testing.assert_allclose(table[numbers], expected[start : start + 5], atol=1e-6)


def test_rows_in_whole_numbers_are_scaled() -> None:
    rows = WordRows(np.array([[127, -127], [1, 2]], np.int8), np.array([0.5, 2.0], np.float32))
    assert rows[[1, 0, 1]].tolist() == [[2, 4], [63.5, -63.5], [2, 4]]
    assert rows.width == 2
