"""Excerpts of sentences: the words of an issue in brackets, with as much context as fits."""

from collections.abc import Sequence
from typing import Final

from trustag.errors import printable
from trustag.issues.grouping import reading_in_words
from trustag.issues.issue import Issue
from trustag.text.disagreement import entity_type
from trustag.text.labels import Label
from trustag.text.scripts import in_words
from trustag.text.spans import Span

_ELLIPSIS: Final = "..."
UNKNOWN: Final = "?"
_MOST_ENTITIES: Final = 4


def excerpt(tokens: Sequence[str], first: int, end: int, width: int) -> str:
    """Return the words from ``first`` to ``end`` with as many words around them as fit into ``width`` columns.

    >>> excerpt("She flew to New York in May .".split(), 3, 5, 34)
    '... flew to [New York] in May ...'
    """
    return " ".join(part for part in excerpt_parts(tokens, first, end, width) if part)


def excerpt_parts(tokens: Sequence[str], first: int, end: int, width: int) -> tuple[str, str, str]:
    """Return the same excerpt in three parts: the words before, the words in brackets, the words after."""
    from rich.cells import cell_len, set_cell_size  # noqa: PLC0415 - rich takes time to load

    words = [printable(word) for word in tokens]
    room = width - 2 * (len(_ELLIPSIS) + 1)
    marked = f"[{in_words(words[first:end])}]"
    if cell_len(marked) > room:
        marked = f"{set_cell_size(marked, room - len(_ELLIPSIS) - 1)}{_ELLIPSIS}]"
    start, stop, room = first, end, room - cell_len(marked)
    is_growing = True
    while is_growing:
        is_growing = False
        if start and cell_len(words[start - 1]) < room:
            start, is_growing = start - 1, True
            room -= cell_len(words[start]) + 1
        if stop < len(words) and cell_len(words[stop]) < room:
            stop, is_growing = stop + 1, True
            room -= cell_len(words[stop - 1]) + 1
    before = [*([_ELLIPSIS] if start else []), *words[start:first]]
    after = [*words[end:stop], *([_ELLIPSIS] if stop < len(words) else [])]
    return in_words(before), marked, in_words(after)


def label_pair_text(before: Label, after: Label) -> tuple[str, str]:
    """Return two labels by their types, or in full where the types agree.

    >>> label_pair_text("B-LOC", "O"), label_pair_text(None, "I-LOC"), label_pair_text("B-LOC", "I-LOC")
    (('LOC', 'O'), ('?', 'LOC'), ('B-LOC', 'I-LOC'))
    """
    one, other = entity_type(before), entity_type(after)
    if one == other:
        one, other = before, after
    return printable(one or UNKNOWN), printable(other or UNKNOWN)


def reading_texts(issue: Issue, tokens: Sequence[str]) -> tuple[str, str]:
    """Return the given and the suggested labels of an issue, with words where they do not cover all of it."""
    words = tokens[issue.first : issue.end]
    return _reading_text(issue.given, issue, words), _reading_text(issue.suggested, issue, words)


def _reading_text(reading: Sequence[Span], issue: Issue, words: Sequence[str]) -> str:
    """Return a reading in words; of many entities the first ones."""
    shown = printable(reading_in_words(reading[:_MOST_ENTITIES], issue, words))
    more = len(reading) - _MOST_ENTITIES
    return f"{shown} + {more:,} more" if more > 0 else shown
