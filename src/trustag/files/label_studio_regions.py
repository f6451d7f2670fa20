"""Regions of a text in Label Studio files, checked against the words stored with them."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from trustag.errors import InputError
from trustag.files.text_spans import TextSpan, from_utf16, shorten
from trustag.notes import Note, Watch
from trustag.text.sentences import Source

_ADDRESS: Final = re.compile(r"(\w+://|/data/)\S+")


class LabelStudioRegion(msgspec.Struct):
    """Characters ``start`` to ``end`` (exclusive) with their text and labels, as Label Studio stores them."""

    start: int
    end: int
    text: str | None = None
    labels: list[str] = []


def spans_of(text: str, regions: Iterable[LabelStudioRegion], where: Source, watch: Watch) -> Iterator[TextSpan]:
    """Yield one span per region; additional labels, and words that differ from the text, are reported."""
    for region in regions:
        kind, *more = region.labels or [""]
        start, end = _checked(text, region, where, watch)
        for other in more:
            detail = (
                f"{other!r} in addition to {kind!r} for {shorten(text[max(start, 0) : max(end, 0)])} at {start}-{end}"
            )
            watch(Note("left out", "second label of one region", detail, where))
        yield TextSpan(start, end, kind)


def _checked(text: str, region: LabelStudioRegion, where: Source, watch: Watch) -> tuple[int, int]:
    """Return the offsets of a region, corrected if its words show that they count UTF-16 units."""
    start, end = region.start, region.end
    inside = 0 <= start <= end <= len(text)
    matches = region.text is None or region.text.split() == text[max(start, 0) : max(end, 0)].split()
    if inside and matches:
        return start, end
    if _ADDRESS.fullmatch(text):
        raise InputError(
            f"the task contains the address {shorten(text)} instead of the text",
            where=where,
            remedy="put the text itself into the data of the task",
        )
    characters = from_utf16(text, start, end)
    if region.text is not None and characters is not None and text[slice(*characters)] == region.text:
        detail = f"{shorten(region.text)} is at {characters[0]}-{characters[1]}, not at {start}-{end}"
        watch(Note("repaired", "offsets count UTF-16 units", detail, where))
        return characters
    if inside:
        words, found = shorten(region.text or ""), shorten(text[start:end])
        detail = f"{words} should be at {start}-{end}, where the text has {found}"
        watch(Note("suspicious", "region differs from the text", detail, where))
    return start, end
