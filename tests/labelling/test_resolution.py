"""Which proposals become labels."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.labelling.proposals import Proposal
from trustag.labelling.resolution import ranks_of, resolved

RANKS = ranks_of(["kb", "rule:surname", "gazetteer", "rule", "gazetteer:bad"])
SOURCES = ["kb", "rule:surname", "gazetteer:a", "rule:b", "gazetteer:bad"]
PROPOSALS = st.builds(
    lambda start, length, kind, source, score: Proposal(start, start + length, kind, source, score),
    st.integers(0, 6),
    st.integers(1, 3),
    st.sampled_from(["PER", "LOC", None]),
    st.sampled_from(SOURCES),
    st.sampled_from([0.3, 0.9]),
)


def rank(one: Proposal) -> tuple[bool, int, int, float]:
    return one.type is None, one.start - one.end, SOURCES.index(one.source), -one.score


@given(st.lists(PROPOSALS, max_size=8))
def test_what_gives_way_touches_something_better(proposals: list[Proposal]) -> None:
    found = resolved(proposals, RANKS)
    tokens = [token for one in found.chosen for token in range(one.start, one.end)]
    assert len(tokens) == len(set(tokens))
    assert {*found.chosen, *(loser for loser, _ in found.given_way)} == set(proposals)
    for loser, winner in found.given_way:
        assert winner in found.chosen
        assert winner.start < loser.end
        assert loser.start < winner.end
        assert rank(winner) <= rank(loser)
    assert resolved(proposals[::-1], RANKS) == found


def test_longer_then_better_then_surer() -> None:
    long = Proposal(0, 3, "ORG", "rule:b", 0.1)
    listed, ruled = Proposal(4, 5, "LOC", "gazetteer:a", 0.5), Proposal(4, 5, "PER", "rule:b", 0.9)
    bad, surname = Proposal(6, 7, "ORG", "gazetteer:bad", 1.0), Proposal(6, 7, "PER", "rule:b", 0.2)
    found = resolved([Proposal(0, 2, "PER", "kb", 1.0), long, ruled, listed, bad, surname], RANKS)
    assert found.chosen == (long, listed, surname)
