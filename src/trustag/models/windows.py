"""Sentences longer than a model can read, cut into overlapping windows so that every word is read in context."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby
from math import inf
from typing import NamedTuple


class Window(NamedTuple):
    """Words read together, ``start`` to ``end``; those from ``kept_start`` to ``kept_end`` get their features here."""

    start: int
    end: int
    kept_start: int
    kept_end: int


def longest_word(capacity: int) -> int:
    """Return how many pieces of one word fit a window of ``capacity`` pieces with room for context beside it."""
    return max(capacity // 2, 1)


def both_ends(pieces: tuple[int, ...], longest: int) -> tuple[int, ...]:
    """Return the pieces of a word, or of a word with more than ``longest`` its first and its last ones.

    >>> both_ends((1, 2, 3, 4, 5, 6), 3)
    (1, 2, 6)
    """
    if len(pieces) <= longest:
        return pieces
    tail = longest // 2
    return pieces[: longest - tail] + pieces[len(pieces) - tail :]


def cut_windows(sizes: Sequence[int], capacity: int, stride: int) -> list[Window]:
    """Return windows of at most ``capacity`` pieces over words with ``sizes`` pieces, each kept in exactly one.

    Neighbours share at most ``stride`` pieces of whole words, and the last window reaches back as far as it can. A word
    is kept where the nearest cut is farthest away; the ends of the sentence are no cuts. No word is longer than
    :func:`longest_word`.

    >>> cut_windows([1, 1, 1, 1, 1, 1], capacity=4, stride=2)
    [Window(start=0, end=4, kept_start=0, kept_end=3), Window(start=2, end=6, kept_start=3, kept_end=6)]
    """
    if sum(sizes) <= capacity:
        return [Window(0, len(sizes), 0, len(sizes))]
    borders = [0, *accumulate(sizes)]
    spans = list(_spans(borders, capacity, min(stride, capacity // 2)))
    kept_in = _farthest_from_cuts(borders, spans)
    windows = []
    word = 0
    for span, words in groupby(kept_in):
        kept = len(list(words))
        windows.append(Window(*spans[span], word, word + kept))
        word += kept
    return windows


def _spans(borders: Sequence[int], capacity: int, stride: int) -> Iterator[tuple[int, int]]:
    """Yield first and end word of each window, from left to right."""
    words = len(borders) - 1
    start = 0
    while True:
        end = bisect_right(borders, borders[start] + capacity) - 1
        if end == words:
            break
        yield start, end
        start = bisect_left(borders, borders[end] - stride)
    yield bisect_left(borders, borders[words] - capacity), words


def _farthest_from_cuts(borders: Sequence[int], spans: Sequence[tuple[int, int]]) -> list[int]:
    """Return, for each word, the window whose nearest cut is farthest from it, the earlier one when equal."""
    words = len(borders) - 1
    best = [-1.0] * words
    kept_in = [0] * words
    for number, (start, end) in enumerate(spans):
        for word in range(start, end):
            before = borders[word] - borders[start] if start else inf
            after = borders[end] - borders[word + 1] if end < words else inf
            if min(before, after) > best[word]:
                best[word], kept_in[word] = min(before, after), number
    return kept_in
