"""What lists propose for a sentence."""

from trustag.labelling.gazetteers import Evidence, Match, Verdict
from trustag.labelling.proposals import Proposal, from_matches, without_joined


def match(start: int, end: int, kind: str | None) -> Match:
    return Match(start, end, Verdict(kind, "gazetteer:a", 1.0, (Evidence("gazetteer:a", kind, 1.0),)))


def test_proposals_do_not_overlap() -> None:
    found = [match(0, 2, "LOC"), match(1, 4, "PER"), match(5, 6, None)]
    chosen = from_matches(found, "longest")
    assert [one[:5] for one in chosen] == [(0, 2, "LOC", "gazetteer:a", 1.0), (5, 6, None, "gazetteer:a", 1.0)]
    assert [one.why for one in chosen] == ["gazetteer:a says LOC", "gazetteer:a says a name"]
    assert [one.type for one in from_matches(found, "best")] == ["PER", None]


def test_complete_names_are_not_joined_to_others() -> None:
    person, company = Proposal(0, 2, "PER", "rule:first", 0.8), Proposal(0, 5, "ORG", "rule:suffix", 0.8)
    marked = [True, True, False, True, True]  # Ann Weber of Acme Ltd.
    assert without_joined([person, company], marked, {"rule:first"}) == [person]
    assert without_joined([person, company], marked, {"rule:other"}) == [person, company]
    assert without_joined([person, company], [True] * 5, {"rule:first"}) == [person, company]
