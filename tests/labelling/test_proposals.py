"""What lists propose for a sentence."""

from trustag.labelling.gazetteers import Evidence, Match, Verdict
from trustag.labelling.proposals import Proposal, from_matches


def match(start: int, end: int, kind: str | None) -> Match:
    return Match(start, end, Verdict(kind, "gazetteer:a", 1.0, (Evidence("gazetteer:a", kind, 1.0),)))


def test_proposals_do_not_overlap() -> None:
    found = [match(0, 2, "LOC"), match(1, 4, "PER"), match(5, 6, None)]
    assert from_matches(found, "longest") == [
        Proposal(0, 2, "LOC", "gazetteer:a", 1.0),
        Proposal(5, 6, None, "gazetteer:a", 1.0),
    ]
    assert [one.type for one in from_matches(found, "best")] == ["PER", None]
