"""Labels in their context: some words of the sentence, those at issue in brackets."""

from collections.abc import Sequence
from typing import Final

from trustag.errors import printable
from trustag.issues.grouping import reading_in_words
from trustag.issues.issue import Issue
from trustag.text.disagreement import entity_type
from trustag.text.labels import Label

_LEFT_OUT: Final = "..."
UNKNOWN: Final = "?"


def in_context(tokens: Sequence[str], first: int, end: int, width: int) -> str:
    """Return the words from ``first`` to ``end`` with as many around them as fit into ``width`` columns.

    >>> in_context("She flew to New York in May .".split(), 3, 5, 34)
    '... flew to [New York] in May ...'
    """
    return " ".join(part for part in context_parts(tokens, first, end, width) if part)


def context_parts(tokens: Sequence[str], first: int, end: int, width: int) -> tuple[str, str, str]:
    """Return the same in three parts: what stands before, the words in brackets, what stands after."""
    words = [printable(word) for word in tokens]
    room = width - 2 * (len(_LEFT_OUT) + 1)
    marked = f"[{' '.join(words[first:end])}]"
    if len(marked) > room:
        marked = f"{marked[: room - len(_LEFT_OUT) - 1]}{_LEFT_OUT}]"
    start, stop, room = first, end, room - len(marked)
    is_growing = True
    while is_growing:
        is_growing = False
        if start and len(words[start - 1]) < room:
            start, is_growing = start - 1, True
            room -= len(words[start]) + 1
        if stop < len(words) and len(words[stop]) < room:
            stop, is_growing = stop + 1, True
            room -= len(words[stop - 1]) + 1
    before = [*([_LEFT_OUT] if start else []), *words[start:first]]
    after = [*words[end:stop], *([_LEFT_OUT] if stop < len(words) else [])]
    return " ".join(before), marked, " ".join(after)


def pair_in_words(before: Label, after: Label) -> tuple[str, str]:
    """Return two labels as people tell them apart: by their types, or in full where the types agree.

    >>> pair_in_words("B-LOC", "O"), pair_in_words(None, "I-LOC"), pair_in_words("B-LOC", "I-LOC")
    (('LOC', 'O'), ('?', 'LOC'), ('B-LOC', 'I-LOC'))
    """
    one, other = entity_type(before), entity_type(after)
    if one == other:
        one, other = before, after
    return printable(one or UNKNOWN), printable(other or UNKNOWN)


def readings_in_words(issue: Issue, tokens: Sequence[str]) -> tuple[str, str]:
    """Return what is given and what is suggested at an issue, with words where not all of its words are meant."""
    words = tokens[issue.first : issue.end]
    given, suggested = (reading_in_words(reading, issue, words) for reading in (issue.given, issue.suggested))
    return printable(given), printable(suggested)
