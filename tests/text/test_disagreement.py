"""A run of tokens in which two labellings differ in one way is as long as it can be."""

from hypothesis import given
from hypothesis import strategies as st

from trustag.text.disagreement import differing_run, entity_type

NAMES = ("O", "B-PER", "I-PER", "B-LOC", "I-LOC")


@given(st.lists(st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)), min_size=1), st.data())
def test_a_run_is_the_longest_of_its_kind(pairs: list[tuple[str, str]], data: st.DataObject) -> None:
    one, other = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    token = data.draw(st.integers(0, len(pairs) - 1))
    first, end = differing_run(one, other, token)
    ways = [(entity_type(a), entity_type(b)) if a != b else "same" for a, b in pairs]
    assert first <= token < end
    assert set(ways[first:end]) == {ways[token]}
    assert first == 0 or ways[first - 1] != ways[token]
    assert end == len(ways) or ways[end] != ways[token]
