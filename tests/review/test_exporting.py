"""Exported decisions: one JSON line per entry of the log, and the decisions in force read back from them."""

import json
from pathlib import Path

import pytest

from tests.review.small_run import MONDAY, NEW_YORK, REUTERS, decide
from trustag.errors import InputError
from trustag.review.exporting import decision_lines, read_decisions
from trustag.review.session import ReviewSession
from trustag.text.spans import Span


def test_every_entry_is_a_line_marked_with_whether_it_is_in_force(session: ReviewSession) -> None:
    decide(session, REUTERS, "accepted")
    decide(session, REUTERS, "rejected", reviewer="Bob")
    decide(session, MONDAY, "skipped")
    session.undo("Ann")
    lines = [json.loads(line) for line in decision_lines(session.state)]
    assert [(line["number"], line["verdict"], line["undoes"], line["in_force"]) for line in lines] == [
        (1, "accepted", None, False),
        (2, "rejected", None, True),
        (3, "skipped", None, False),
        (4, "undone", 3, False),
    ]
    assert lines[0]["spans"] == [{"start": 4, "end": 5, "label": "ORG"}]
    keys = "number issue verdict sentence first end spans comment reviewer at undoes in_force"
    assert list(lines[0]) == keys.split()


def test_decisions_in_force_are_read_back(session: ReviewSession, tmp_path: Path) -> None:
    decide(session, REUTERS, "accepted", identical=True)
    decide(session, NEW_YORK, "edited", Span(2, 5, "LOC"), reviewer="Bob")
    decide(session, MONDAY, "skipped")
    path = tmp_path / "decisions.jsonl"
    path.write_bytes(b"".join(decision_lines(session.state)))
    found = list(read_decisions(path))
    assert [decision for _, decision in found] == session.state.final_decisions()
    assert [where.line for where, _ in found] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "line",
    [
        '{"issue": "a", "verdict": "accepted", "in_force": true}',
        '{"issue": "a", "verdict": "odd", "sentence": 0, "first": 0, "end": 1, "spans": [], "in_force": true}',
        '{"issue": "a", "verdict": "edited", "sentence": 0, "first": 0, "end": 1, "spans": [], "reviewer": "Ann"}',
        '{"issue": "a", "verdict": "edited", "sentence": 0, "first": 0, "end": 1, "spans": [[0, 1]], "in_force": true}',
    ],
)
def test_a_line_that_is_not_a_decision_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = tmp_path / "decisions.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(InputError, match="decisions.jsonl:1: not a review decision"):
        list(read_decisions(path))
