"""Entities of long rows of tokens: read in overlapping windows, each entity found once."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from trustag.models.tagged import ScoredSpan, SentenceTagger
from trustag.models.windows import Window, cut_windows

WINDOW: Final = 256
STRIDE: Final = 64
_TOGETHER: Final = 512


class _Part(NamedTuple):
    """A window of a row; rows follow each other, so a new number begins a new row."""

    row: int
    window: Window
    tokens: Sequence[str]


def entities_of_rows(tagger: SentenceTagger, rows: Iterable[Sequence[str]]) -> Iterator[tuple[ScoredSpan, ...]]:
    """Yield the entities of each row of tokens, in order and reading only a little ahead.

    Rows longer than ``WINDOW`` tokens are read in windows that share ``STRIDE`` tokens. An entity is taken from the
    window in which its first token is farthest from a cut; of two that overlap the first is kept.
    """
    iterator = iter(rows)
    while chunk := list(islice(iterator, _TOGETHER)):
        parts = [part for number, tokens in enumerate(chunk) for part in _parts(number, tokens)]
        found: list[list[ScoredSpan]] = [[] for _ in chunk]
        for part, tagged in zip(parts, tagger.tag_entities(part.tokens for part in parts), strict=True):
            found[part.row].extend(_kept(part.window, tagged.entities, found[part.row]))
        yield from map(tuple, found)


def _parts(number: int, tokens: Sequence[str]) -> Iterator[_Part]:
    if not tokens:
        return
    for window in cut_windows([1] * len(tokens), WINDOW, STRIDE):
        yield _Part(number, window, tokens[window.start : window.end])


def _kept(window: Window, entities: Iterable[ScoredSpan], before: Sequence[ScoredSpan]) -> Iterator[ScoredSpan]:
    """Yield the entities that begin where ``window`` decides, in tokens of the row."""
    end = before[-1].end if before else 0
    for entity in entities:
        start = entity.start + window.start
        if window.kept_start <= start < window.kept_end and start >= end:
            yield ScoredSpan(start, entity.end + window.start, entity.type, entity.score)
