"""Covers are compared with all that are possible."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from trustag.labelling.cover import best_cover, longest_from_left
from trustag.text.spans import Span

STRETCHES = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda pair: Span(pair[0], pair[0] + pair[1], "")),
    max_size=7,
    unique=True,
)


def disjoint(spans: list[Span]) -> bool:
    return all(a.end <= b.start or b.end <= a.start for a, b in combinations(spans, 2))


def value(spans: list[Span]) -> int:
    return sum((span.end - span.start) ** 2 for span in spans)


@given(STRETCHES)
def test_no_other_cover_is_better(spans: list[Span]) -> None:
    chosen = best_cover(spans)
    possible = [list(some) for size in range(len(spans) + 1) for some in combinations(spans, size)]
    assert disjoint(chosen)
    assert chosen == sorted(chosen)
    assert value(chosen) == max(value(some) for some in possible if disjoint(some))


@given(STRETCHES)
def test_from_the_left_nothing_longer_was_free(spans: list[Span]) -> None:
    chosen = longest_from_left(spans)
    assert disjoint(chosen)
    expected, position = [], 0
    while left := [span for span in spans if span.start >= position]:
        first = min(span.start for span in left)
        expected.append(max((span for span in left if span.start == first), key=lambda span: span.end))
        position = expected[-1].end
    assert chosen == expected


def test_the_two_differ_where_a_long_name_begins_inside_another() -> None:
    spans = [Span(0, 2, ""), Span(1, 4, "")]
    assert longest_from_left(spans) == [Span(0, 2, "")]
    assert best_cover(spans) == [Span(1, 4, "")]
