"""Where two readings of a sentence differ: the stretches of tokens over which entities of one contradict the other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from trustag.text.labels import Label
from trustag.text.sentences import REVIEWED, Sentence
from trustag.text.spans import Span, read_spans


@dataclass(frozen=True, slots=True)
class Region:
    """Tokens ``first`` up to ``end`` of a sentence, and the entities of both readings there; the two differ."""

    first: int
    end: int
    given: tuple[Span, ...]
    suggested: tuple[Span, ...]


def differing_regions(given: Sequence[Label], suggested: Sequence[Label]) -> Iterator[Region]:
    """Yield the regions in which two labellings hold different entities, left to right.

    Entities that overlap belong to one region; all others stand alone, so that every missed entity is one region and
    every spurious one is.

    >>> for region in differing_regions(["O", "B-PER", "O"], ["B-PER", "I-PER", "B-LOC"]):
    ...     print(region.first, region.end, len(region.given), len(region.suggested))
    0 2 1 1
    2 3 0 1
    """
    if tuple(given) == tuple(suggested):
        return
    old, new = read_spans(given), read_spans(suggested)
    same = set(old) & set(new)
    differing = sorted(
        [(span, 0) for span in old if span not in same] + [(span, 1) for span in new if span not in same]
    )
    own: tuple[list[Span], list[Span]] = ([], [])
    end = 0
    for span, side in differing:
        if span.start >= end and end:
            yield _region(own)
            own = ([], [])
        own[side].append(span)
        end = max(end, span.end)
    if end:
        yield _region(own)


def _region(readings: tuple[list[Span], list[Span]]) -> Region:
    given, suggested = readings
    every = given + suggested
    return Region(min(s.start for s in every), max(s.end for s in every), tuple(given), tuple(suggested))


def may_be_doubted(sentence: Sentence, region: Region) -> bool:
    """Tell whether all labels of a region are given ones that nobody has reviewed.

    Where a label is unknown nothing was said that could be wrong; where a person has decided, nothing is in doubt.
    """
    own = slice(region.first, region.end)
    reviewed = sentence.token_sources is not None and REVIEWED in sentence.token_sources[own]
    return None not in sentence.labels[own] and not reviewed
