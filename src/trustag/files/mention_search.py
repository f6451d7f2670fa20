"""Find where entities stand that somebody named by their words, as language models do, without saying where."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from trustag.files.text_spans import TextSpan, shorten
from trustag.files.tokenizers import Offset
from trustag.notes import Note, Watch
from trustag.text.sentences import Source


class UnlocatedMention(NamedTuple):
    """The words of an entity and its type; with ``near``, the place somebody named, at which other words stand.

    It is one entity, or with ``everywhere`` all that are called so.
    """

    words: str
    type: str
    near: int | None = None
    everywhere: bool = False


def locate_mentions(
    text: str, mentions: Sequence[UnlocatedMention], where: Source, watch: Watch, placed: Sequence[TextSpan] = ()
) -> list[TextSpan]:
    """Return ``placed`` entities and those of ``mentions`` that have a place in ``text`` which is not taken yet.

    Longer mentions choose first, so that *York* is not looked for in *New York*. Whole words are preferred to parts of
    words, and the spelling of the text may differ in case; both a mention without a place and one that was found in
    another spelling, or elsewhere than it was said to be, are noted.
    """
    taken = list(placed)
    for mention in sorted(mentions, key=lambda mention: -len(mention.words)):
        words = mention.words.strip()
        found = _places(text, words)
        free = [place for place in found if not any(place[0] < span.end and span.start < place[1] for span in taken)]
        shown = f"{mention.type} {shorten(words)}"
        if not free:
            reason = "no place is left for it" if found else "words that the text does not have"
            watch(Note("dropped", reason, f"{shown} in {shorten(text)}", where))
            continue
        near = mention.near
        if near is not None:
            free = [min(free, key=partial(_distance, near))]
        for start, end in free if mention.everywhere else free[:1]:
            if near is not None:
                detail = f"{shown} said to be at {near}, found at {start}"
                watch(Note("repaired", "offsets that do not spell the words", detail, where))
            if text[start:end] != words:
                watch(Note("repaired", "words in another spelling", f"{shown}: {shorten(text[start:end])}", where))
            taken.append(TextSpan(start, end, mention.type))
    return taken


def _distance(near: int, place: Offset) -> int:
    return abs(place[0] - near)


def _places(text: str, words: str) -> list[Offset]:
    """Return where words stand: as whole words, else as they are spelled, else in any case; nowhere if blank."""
    return next(filter(None, _ways(text, re.escape(words))), []) if words else []


def _ways(text: str, pattern: str) -> Iterator[list[Offset]]:
    whole = rf"(?<!\w){pattern}(?!\w)"
    for way, flags in ((whole, re.NOFLAG), (pattern, re.NOFLAG), (whole, re.IGNORECASE), (pattern, re.IGNORECASE)):
        yield [found.span() for found in re.finditer(way, text, flags)]
