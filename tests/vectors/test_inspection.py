"""What a file of word vectors is like."""

from pathlib import Path

import pytest

from tests.vectors.made_up import Notes, text_file
from trustag.vectors.inspection import inspect_file
from trustag.vectors.text_layout import Header


def test_a_file_is_described(tmp_path: Path) -> None:
    text = "5 2\nthe 3 4\nRome 0 0\n. 1 0\nthe 1 1\nbad 1 x\nß 0 2\n"
    notes = Notes()
    facts = inspect_file(text_file(tmp_path, text), notes)
    assert (facts.entries, facts.width, facts.header) == (4, 2, Header(5, 2))
    assert facts.lower_case_share == pytest.approx(2 / 3)
    assert facts.mean_length == pytest.approx((5 + 0 + 1 + 2) / 4)
    assert (facts.repeated, facts.wrong_rows) == (1, 1)
    assert facts.examples == ("the", "Rome", ".", "ß")
    assert notes.reported() == [("repeated word", 5), ("wrong value", 6), ("header disagrees", 1)]
