"""Regions hold every entity that only one reading has, each once, and share no token."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from trustag.issues.issue import kind_of
from trustag.issues.regions import Region, differing_regions, may_be_doubted
from trustag.text.sentences import Sentence
from trustag.text.spans import Span, read_spans

LABELS = st.sampled_from(["O", "B-PER", "I-PER", "B-LOC", "I-LOC"])
PAIRS = st.lists(st.tuples(LABELS, LABELS), max_size=9)


def overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


@given(PAIRS)
def test_every_differing_entity_is_in_one_region_and_no_other_is(pairs: list[tuple[str, str]]) -> None:
    given_labels, suggested = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    regions = list(differing_regions(given_labels, suggested))
    old, new = set(read_spans(given_labels)), set(read_spans(suggested))
    assert sorted(span for region in regions for span in region.given) == sorted(old - new)
    assert sorted(span for region in regions for span in region.suggested) == sorted(new - old)
    for before, after in pairwise(regions):
        assert before.end <= after.first
    for region in regions:
        spans = [*region.given, *region.suggested]
        assert region.first == min(span.start for span in spans)
        assert region.end == max(span.end for span in spans)
        if len(spans) > 1:  # whatever shares a region overlaps an entity of the other reading
            assert all(any(overlap(one, other) for other in region.suggested) for one in region.given)
            assert all(any(overlap(one, other) for other in region.given) for one in region.suggested)


@given(PAIRS)
def test_what_is_only_missed_or_spurious_stands_alone(pairs: list[tuple[str, str]]) -> None:
    for region in differing_regions([pair[0] for pair in pairs], [pair[1] for pair in pairs]):
        kind = kind_of(region.given, region.suggested)
        assert (kind == "missed") == (not region.given)
        assert (kind == "spurious") == (not region.suggested)
        if kind in {"missed", "spurious"}:
            assert len(region.given) + len(region.suggested) == 1


def test_unknown_and_reviewed_labels_are_beyond_doubt() -> None:
    tokens, labels = ("a", "b", "c"), ("O", None, "O")
    region = Region(0, 2, (), (Span(0, 2, "PER"),))
    assert not may_be_doubted(Sentence(tokens, labels), region)
    assert may_be_doubted(Sentence(tokens, ("O", "O", None)), region)
    assert not may_be_doubted(Sentence(tokens, ("O",) * 3, token_sources=("given", "reviewed", "given")), region)
    assert may_be_doubted(Sentence(tokens, ("O",) * 3, token_sources=("given", "given", "reviewed")), region)
