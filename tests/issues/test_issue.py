"""The value that lists, reports and reviews share."""

import json

import pytest

from trustag.issues.issue import Issue, Kind, from_record, kind_of, to_record
from trustag.text.spans import Span

PERSON, PLACE, LONGER = Span(1, 3, "PER"), Span(1, 3, "LOC"), Span(1, 4, "PER")


@pytest.mark.parametrize(
    ("given", "suggested", "kind"),
    [
        ((), (PERSON,), "missed"),
        ((PERSON,), (), "spurious"),
        ((PERSON,), (PLACE,), "type"),
        ((PERSON,), (LONGER,), "boundary"),
        ((LONGER,), (Span(1, 2, "PER"), Span(2, 4, "PER")), "boundary"),
    ],
)
def test_kinds(given: tuple[Span, ...], suggested: tuple[Span, ...], kind: Kind) -> None:
    assert kind_of(given, suggested) == kind


def test_an_issue_survives_being_written_down() -> None:
    issue = Issue(7, 1, 4, "boundary", (PERSON,), (LONGER,), 0.9, 0.05, 0.9, 0.2, 0.8, 0.75)
    assert from_record(json.loads(json.dumps(to_record(issue)))) == issue
    assert issue.id == "7-1-4"


def test_an_unknown_kind_is_refused() -> None:
    record = to_record(Issue(0, 1, 3, "type", (PERSON,), (PLACE,), 0.9, 0.1, 0.9))
    with pytest.raises(ValueError, match="kind"):
        from_record({**record, "kind": "odd"})
