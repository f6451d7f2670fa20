"""Align character spans with tokens, and write labels as character spans.

There are two rules. A span is kept only if its boundaries are token boundaries (whitespace around it is trimmed). Of
overlapping spans, the one that starts first is kept, or the longest if they start together. All other spans are
reported with a reason, so spans in a file = spans kept + spans reported as dropped.

A span whose type is a mark for unknown labels, such as ``-``, says that the labels of its tokens are unknown. It covers
every token that it overlaps, except those of entities.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from typing import Final, NamedTuple

from trustag.errors import InputError
from trustag.files.tokenizers import Offset
from trustag.notes import Note, Watch
from trustag.text.labels import OUTSIDE, UNKNOWN_MARK, UNKNOWN_MARKS, Label
from trustag.text.schemes import Scheme, write_spans
from trustag.text.sentences import Source
from trustag.text.spans import Span, read_spans

MISALIGNED: Final = "does not align with tokens"
OUTSIDE_TEXT: Final = "outside the text"
_SHOWN_CHARACTERS: Final = 60


class TextSpan(NamedTuple):
    """An entity of a raw text: characters ``start`` to ``end`` (exclusive), its type, and its location in the file."""

    start: int
    end: int
    type: str
    source: Source | None = None


class Candidate(NamedTuple):
    """An entity of tokens that may still overlap others; ``shown`` is its description in notes."""

    start: int
    end: int
    type: str
    shown: str
    source: Source | None = None


def align_spans(text: str, offsets: Sequence[Offset], spans: Iterable[TextSpan], watch: Watch) -> tuple[Label, ...]:
    """Return the labels (IOB2) of the tokens at ``offsets``, given by ``spans``; spans that do not fit are reported."""
    boundaries = _TokenBoundaries(text, offsets)
    candidates = [candidate for span in spans if (candidate := boundaries.candidate(span, watch)) is not None]
    return resolve_overlaps(len(offsets), candidates, watch)


def resolve_overlaps(length: int, candidates: Sequence[Candidate], watch: Watch) -> tuple[Label, ...]:
    """Return labels (IOB2) for ``length`` tokens in which no two entities overlap; dropped entities are reported.

    >>> notes: list[Note] = []
    >>> resolve_overlaps(3, [Candidate(1, 2, "LOC", "York"), Candidate(0, 2, "ORG", "New York")], notes.append)
    ('B-ORG', 'I-ORG', 'O')
    >>> [str(note) for note in notes]
    ['dropped: overlaps another: York; kept: New York']
    """
    entities = [candidate for candidate in candidates if candidate.type not in UNKNOWN_MARKS]
    kept: list[Candidate] = []
    for entity in sorted(entities, key=lambda found: (found.start, -found.end)):
        if not kept or kept[-1].end <= entity.start:
            kept.append(entity)
            continue
        reason = "duplicate" if entity[:3] == kept[-1][:3] else "overlaps another"
        watch(Note("dropped", reason, f"{entity.shown}; kept: {kept[-1].shown}", entity.source))
    spans = [Span(*entity[:3]) for entity in kept]
    labels = list(write_spans(spans, [OUTSIDE] * length, Scheme.IOB2))
    for region in candidates:
        if region.type in UNKNOWN_MARKS:
            free = [token for token in range(region.start, region.end) if labels[token] == OUTSIDE]
            if not free:
                watch(Note("dropped", "overlaps another", f"{region.shown}; no token is left", region.source))
            for token in free:
                labels[token] = None
    return tuple(labels)


def character_spans(labels: Sequence[Label], offsets: Sequence[Offset], where: Source | None) -> list[TextSpan]:
    """Return the entities of ``labels`` as character spans in order, with a ``-`` span for each run of unknown labels.

    >>> character_spans(["B-PER", "I-PER", "O", None], [(0, 3), (4, 7), (7, 8), (9, 12)], None)
    [TextSpan(start=0, end=7, type='PER', source=None), TextSpan(start=9, end=12, type='-', source=None)]
    """
    spans = token_spans(labels, where)
    written = [TextSpan(offsets[start][0], offsets[end - 1][1], kind) for start, end, kind in spans]
    if any(start == end for start, end in offsets):
        boundaries = _TokenBoundaries("", offsets)
        if any(boundaries.aligned(*text[:2]) != span[:2] for text, span in zip(written, spans, strict=True)):
            raise InputError(
                "an entity is next to an empty token, so its offsets are ambiguous",
                where=where,
                remedy="remove the empty token",
            )
    return written


def token_spans(labels: Sequence[Label], where: Source | None) -> list[Span]:
    """Return the entities of ``labels`` as token spans in order, with a ``-`` span for each run of unknown labels."""
    entities = read_spans(labels)
    for entity in entities:
        if entity.type in UNKNOWN_MARKS or not entity.type.strip():
            meaning = "unknown labels" if entity.type in UNKNOWN_MARKS else "no type"
            raise InputError(
                f"an entity has the type {entity.type!r}, which means {meaning} in span formats",
                where=where,
                remedy="rename the type",
            )
    return sorted([*entities, *_unknown_runs(labels)]) if None in labels else entities


def from_utf16(text: str, start: int, end: int) -> Offset | None:
    """Return the character offsets for two offsets in UTF-16 code units, as JavaScript counts them.

    The result is ``None`` if both counts are the same for this text, or if no character starts at an offset.

    >>> from_utf16("💩 in York", 6, 10)
    (5, 9)
    """
    if max(text, default="") <= "\uffff":
        return None
    positions = _characters_by_utf16_unit(text)
    first, last = positions.get(start), positions.get(end)
    return None if first is None or last is None else (first, last)


def shorten(text: str) -> str:
    """Return ``text`` quoted on one line; the middle of a long text is omitted."""
    if len(text) > _SHOWN_CHARACTERS:
        half = _SHOWN_CHARACTERS // 2
        text = f"{text[:half]}…{text[-half:]}"
    return repr(text)


# All spans of one text are converted one after the other, so caching one text is enough.
@lru_cache(maxsize=1)
def _characters_by_utf16_unit(text: str) -> dict[int, int]:
    units = accumulate((2 if character > "\uffff" else 1 for character in text), initial=0)
    return {unit: position for position, unit in enumerate(units)}


def _unknown_runs(labels: Sequence[Label]) -> Iterator[Span]:
    for unknown, run in groupby(enumerate(labels), key=lambda item: item[1] is None):
        if unknown:
            tokens = [token for token, _ in run]
            yield Span(tokens[0], tokens[-1] + 1, UNKNOWN_MARK)


class _TokenBoundaries:
    """The token boundaries of one text, used to find the tokens of a span."""

    def __init__(self, text: str, offsets: Sequence[Offset]) -> None:
        self.text = text
        self.offsets = offsets
        # An empty token shares a boundary with a neighbour; a span then means the neighbour.
        self.first = {start: token for token, (start, _) in enumerate(offsets)}
        self.last = {end: token for token, (_, end) in reversed(list(enumerate(offsets)))}

    def candidate(self, span: TextSpan, watch: Watch) -> Candidate | None:
        """Return the tokens of ``span``, or report why there are none."""
        shown = self._shown(span)
        reason = self._unusable(span)
        if reason is None:
            tokens, repair = self._tokens(span)
            if tokens is not None:
                if repair:
                    watch(Note("repaired", repair, shown, span.source))
                return Candidate(*tokens, span.type, shown, span.source)
            reason = MISALIGNED
        watch(Note("dropped", reason, shown + self._surroundings(span, reason), span.source))
        return None

    def _shown(self, span: TextSpan) -> str:
        kind = span.type if span.type.isprintable() else repr(span.type)
        return f"{kind} {shorten(self.text[max(span.start, 0) : max(span.end, 0)])} at {span.start}-{span.end}"

    def _unusable(self, span: TextSpan) -> str | None:
        start, end, kind, _ = span
        if not kind.strip():
            return "no type"
        if start < 0 or max(start, end) > len(self.text):
            return OUTSIDE_TEXT
        if not self.text[start:end].strip() and self.aligned(start, end) is None:
            return "empty"
        return None

    def _tokens(self, span: TextSpan) -> tuple[Offset | None, str]:
        """Return the token indices of ``span`` and a description of the repair that was needed, if any."""
        start, end, kind, _ = span
        if exact := self.aligned(start, end):
            return exact, ""
        if trimmed := self.aligned(*self._trimmed(start, end)):
            return trimmed, "whitespace around the span"
        if kind in UNKNOWN_MARKS:
            return self._touched(start, end), "unknown labels widened to whole tokens"
        return None, ""

    def aligned(self, start: int, end: int) -> Offset | None:
        """Return the token indices of a span whose boundaries are exactly token boundaries, or ``None``."""
        first, last = self.first.get(start), self.last.get(end)
        return (first, last + 1) if first is not None and last is not None and first <= last else None

    def _trimmed(self, start: int, end: int) -> Offset:
        inside = self.text[start:end]
        return start + len(inside) - len(inside.lstrip()), end - (len(inside) - len(inside.rstrip()))

    def _touched(self, start: int, end: int) -> Offset | None:
        first = bisect_right(self.offsets, start, key=lambda offset: offset[1])
        last = bisect_left(self.offsets, end, key=lambda offset: offset[0])
        return (first, last) if first < last else None

    def _surroundings(self, span: TextSpan, reason: str) -> str:
        """Return a description of the text around a span that does not fit."""
        if reason == OUTSIDE_TEXT:
            return f"; the text ends at {len(self.text)}{self._javascript_hint(span)}"
        touched = self._touched(span.start, span.end)
        if reason != MISALIGNED or touched is None:
            return ""
        around = " to ".join(
            f"{shorten(self.text[start:end])} at {start}-{end}"
            for start, end in dict.fromkeys([self.offsets[touched[0]], self.offsets[touched[1] - 1]])
        )
        return f"; tokens there: {around}{self._javascript_hint(span)}"

    def _javascript_hint(self, span: TextSpan) -> str:
        """Return a hint if the span would fit with offsets counted as in JavaScript."""
        characters = from_utf16(self.text, span.start, span.end)
        fits = characters is not None and self.aligned(*characters) is not None
        return "; it fits if the offsets count UTF-16 units instead of characters" if fits else ""
