"""Split tokens at the borders of entities that begin or end inside of them, so that no entity is lost."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Final

from trustag.files.text_spans import TextSpan, from_utf16, shorten
from trustag.files.tokenizers import Offset
from trustag.notes import Note, Watch
from trustag.text.labels import UNKNOWN_MARKS

SPLIT: Final = "token split at the border of an entity"


def split_at_borders(text: str, offsets: Sequence[Offset], spans: Iterable[TextSpan], watch: Watch) -> Sequence[Offset]:
    """Return ``offsets`` with every token split in which one of ``spans`` begins or ends; each such span is reported.

    Spans that will be dropped for another reason split nothing: those outside the text or without a type, and those
    that overlap another. Neither do spans that fit the tokens if their offsets count UTF-16 units.

    >>> split_at_borders("서울에서", [(0, 4)], [TextSpan(0, 2, "LOC")], lambda note: None)
    [(0, 2), (2, 4)]
    """
    starts, ends = {start for start, _ in offsets}, {end for _, end in offsets}
    borders: set[int] = set()
    meant = [span for span in spans if not _fits_as_utf16(text, span, starts, ends)]
    for span in _kept(text, meant):
        own = {span.start} - starts | {span.end} - ends
        if own:
            borders |= own
            watch(Note("repaired", SPLIT, _shown(text, offsets, span), span.source))
    return _split(offsets, sorted(borders)) if borders else offsets


def _kept(text: str, spans: Iterable[TextSpan]) -> list[TextSpan]:
    """Return the entities that will be kept, without whitespace around them: the earliest first, then the longest."""
    usable = [
        trimmed
        for span in spans
        if span.type.strip() and span.type not in UNKNOWN_MARKS and 0 <= span.start <= span.end <= len(text)
        if (trimmed := _trimmed(text, span)).start < trimmed.end
    ]
    kept: list[TextSpan] = []
    for span in sorted(usable, key=lambda found: (found.start, -found.end)):
        if not kept or kept[-1].end <= span.start:
            kept.append(span)
    return kept


def _trimmed(text: str, span: TextSpan) -> TextSpan:
    inside = text[span.start : span.end]
    start = span.start + len(inside) - len(inside.lstrip())
    return span._replace(start=start, end=start + len(inside.strip()))


def _fits_as_utf16(text: str, span: TextSpan, starts: set[int], ends: set[int]) -> bool:
    """Tell whether a span fits the tokens only if its offsets count UTF-16 units."""
    if span.start in starts and span.end in ends:
        return False
    characters = from_utf16(text, span.start, span.end)
    return characters is not None and characters[0] in starts and characters[1] in ends


def _shown(text: str, offsets: Sequence[Offset], span: TextSpan) -> str:
    """Return the entity and the tokens that it splits, in words."""
    kind = span.type if span.type.isprintable() else repr(span.type)
    split = dict.fromkeys(
        offsets[place]
        for border in (span.start, span.end)
        if (place := bisect_right(offsets, border, key=lambda offset: offset[0]) - 1) >= 0
        and offsets[place][0] < border < offsets[place][1]
    )
    tokens = " and ".join(shorten(text[start:end]) for start, end in split)
    return f"{kind} {shorten(text[span.start : span.end])} at {span.start}-{span.end} is part of {tokens}"


def _split(offsets: Sequence[Offset], borders: Sequence[int]) -> list[Offset]:
    found: list[Offset] = []
    for start, end in offsets:
        for border in borders[bisect_right(borders, start) :]:
            if border >= end:
                break
            found.append((start, border))
            start = border  # noqa: PLW2901 - the rest of the token
        found.append((start, end))
    return found
