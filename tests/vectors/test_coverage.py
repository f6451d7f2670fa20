"""How much of a text has a vector."""

import numpy as np
import pytest

from trustag.vectors.coverage import MANNERS, coverage
from trustag.vectors.word_vectors import Lookup, WordVectors


def test_coverage_counts_distinct_and_running_words_by_manner() -> None:
    known = WordVectors("made up", ("the", "0000", "Rome"), np.zeros((3, 1), np.float32), 3)
    found = coverage(known, {"the": 5, "The": 2, "1996": 1, "2001": 1, "Rome": 1, "xyz": 4, "abc": 4})
    assert (found.types, found.tokens) == (7, 18)
    assert dict(found.types_by_manner) == dict(zip(MANNERS, (2, 1, 2, 0), strict=True))
    assert dict(found.tokens_by_manner) == dict(zip(MANNERS, (6, 2, 2, 0), strict=True))
    assert found.type_share == pytest.approx(5 / 7)
    assert found.token_share == pytest.approx(10 / 18)
    assert found.missing == (("abc", 4), ("xyz", 4))


def test_a_stricter_lookup_covers_less() -> None:
    known = WordVectors("made up", ("the", "0000"), np.zeros((2, 1), np.float32), 2)
    counts = {"The": 1, "1996": 1}
    assert coverage(known, counts, Lookup(case_fallback=False)).token_share == 0.5
    assert coverage(known, counts, Lookup(case_fallback=False, fold_digits=False)).token_share == 0.0


def test_no_words_are_covered_by_nothing() -> None:
    known = WordVectors("made up", (), np.zeros((0, 1), np.float32), 0)
    found = coverage(known, {})
    assert (found.type_share, found.token_share) == (0.0, 0.0)
