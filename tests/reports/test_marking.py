"""An issue in its sentence: marks are cut where others begin, and no token is left out untold."""

import pytest

from trustag.issues.issue import Issue
from trustag.reports.blocks import Gap
from trustag.reports.marking import marked_issue
from trustag.reports.sentences import TrainingSentence
from trustag.text.spans import Span


def test_overlapping_readings_are_cut_where_marks_begin_and_end() -> None:
    sentence = TrainingSentence(
        ("on", "the", "New", "York", "Stock", "Exchange", "."), ("B-PER", "I-PER", "E-PER", *"OOOO")
    )
    issue = Issue(0, 0, 6, "boundary", (Span(0, 3, "PER"),), (Span(2, 6, "ORG"),), 0.9, 0.0, 1.0)
    found = marked_issue(issue, sentence)
    assert (
        "".join(found.heading)
        == "“on the New York Stock Exchange”: given PER “on the New”, suggested ORG “New York Stock Exchange”"
    )
    marks = [
        (
            part.text,
            part.above and (part.above.begins, part.above.ends),
            part.below and (part.below.begins, part.below.ends),
        )
        for part in found.parts
        if not isinstance(part, Gap)
    ]
    assert marks == [
        ("on the", (True, False), None),
        ("New", (False, True), (True, False)),
        ("York Stock Exchange", None, (False, True)),
        (".", None, None),
    ]
    shades = [(part.above and part.above.shade, part.below and part.below.shade) for part in found.parts[:3]]  # type: ignore[union-attr]
    assert shades == [(1, None), (1, 6), (None, 6)]


@pytest.mark.parametrize(("length", "first", "end"), [(200, 100, 101), (200, 20, 180), (5, 0, 5), (60, 59, 60)])
def test_no_token_of_a_long_sentence_is_lost_untold(length: int, first: int, end: int) -> None:
    sentence = TrainingSentence(tuple(f"w{place}" for place in range(length)), ("O",) * length)
    issue = Issue(0, first, end, "missed", (), (Span(first, end, "PER"),), 0.9, 0.0, 1.0)
    parts = marked_issue(issue, sentence).parts
    left_out = sum(part.tokens for part in parts if isinstance(part, Gap))
    words = [word for part in parts if not isinstance(part, Gap) for word in part.text.split()]
    assert len(words) + left_out == length
    assert words[0] == ("w0" if not isinstance(parts[0], Gap) else f"w{parts[0].tokens}")
    assert len(words) <= 75
