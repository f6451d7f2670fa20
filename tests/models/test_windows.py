"""Windows over long sentences: bounded, overlapping, and every word kept once, where it has most context."""

from itertools import pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from trustag.models.windows import Window, both_ends, cut_windows, longest_word


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[int], int, int]:
    capacity = draw(st.integers(1, 24))
    sizes = draw(st.lists(st.integers(1, longest_word(capacity)), min_size=1, max_size=60))
    return sizes, capacity, draw(st.integers(1, 40))


def context(sizes: list[int], window: tuple[int, int], word: int) -> float:
    """Return the pieces between a word and the nearest cut of a window it is in."""
    start, end = window
    before = sum(sizes[start:word]) if start > 0 else float("inf")
    after = sum(sizes[word + 1 : end]) if end < len(sizes) else float("inf")
    return min(before, after)


@given(cases())
@example(([1] * 5, 1, 64))
@example(([1] * 7, 2, 1))
def test_every_word_is_kept_once_and_in_order(case: tuple[list[int], int, int]) -> None:
    sizes, capacity, stride = case
    windows = cut_windows(sizes, capacity, stride)
    assert [word for window in windows for word in range(window.kept_start, window.kept_end)] == list(range(len(sizes)))
    for window in windows:
        assert window.start <= window.kept_start < window.kept_end <= window.end


@given(cases())
def test_no_window_is_wider_than_the_model(case: tuple[list[int], int, int]) -> None:
    sizes, capacity, stride = case
    windows = cut_windows(sizes, capacity, stride)
    assert all(sum(sizes[window.start : window.end]) <= capacity for window in windows)
    assert all(left.start < right.start and left.end < right.end for left, right in pairwise(windows))


@given(cases())
def test_words_are_kept_where_they_have_most_context(case: tuple[list[int], int, int]) -> None:
    sizes, capacity, stride = case
    windows = cut_windows(sizes, capacity, stride)
    for window in windows:
        for word in range(window.kept_start, window.kept_end):
            here = context(sizes, (window.start, window.end), word)
            assert here == max(context(sizes, (w.start, w.end), word) for w in windows if w.start <= word < w.end)


def test_a_word_as_far_from_either_cut_is_kept_in_the_earlier_window() -> None:
    first, second = cut_windows([1] * 9, capacity=6, stride=3)
    assert (first.end, second.start) == (6, 3)
    assert context([1] * 9, (0, 6), 4) == context([1] * 9, (3, 9), 4) == 1
    assert first.kept_end == second.kept_start == 5


@given(st.lists(st.integers(1, 4), min_size=1, max_size=20), st.integers(1, 40))
def test_a_sentence_that_fits_is_one_window(sizes: list[int], stride: int) -> None:
    assert cut_windows(sizes, sum(sizes), stride) == [Window(0, len(sizes), 0, len(sizes))]


@given(st.integers(2, 400), st.integers(8, 40), st.integers(1, 20))
def test_words_of_one_piece_have_half_the_shared_context_at_least(words: int, capacity: int, stride: int) -> None:
    sizes = [1] * words
    shared = min(stride, capacity // 2)
    for window in cut_windows(sizes, capacity, stride):
        for word in (window.kept_start, window.kept_end - 1):
            assert context(sizes, (window.start, window.end), word) >= (shared - 1) // 2


def test_the_number_of_windows_grows_with_the_length_alone() -> None:
    assert len(cut_windows([1] * 100_000, capacity=510, stride=64)) == -(-(100_000 - 64) // (510 - 64))


@given(st.lists(st.integers(), max_size=12).map(tuple), st.integers(1, 12))
def test_both_ends_of_a_long_word_are_kept(pieces: tuple[int, ...], longest: int) -> None:
    kept = both_ends(pieces, longest)
    assert len(kept) == min(len(pieces), longest)
    head = -(-len(kept) // 2)
    assert kept[:head] == pieces[:head]
    assert kept[head:] == pieces[len(pieces) - len(kept) + head :]
