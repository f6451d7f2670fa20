"""Find the offsets of entities that are given only by their words, as in the output of language models."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from trustag.files.text_spans import TextSpan, shorten
from trustag.files.tokenizers import Offset
from trustag.notes import Note, Watch
from trustag.text.sentences import Source


class UnlocatedMention(NamedTuple):
    """An entity without known offsets: its words and its type.

    ``near`` is a given start offset at which the text has other words. With ``everywhere``, all occurrences of the
    words are entities, otherwise one is.
    """

    words: str
    type: str
    near: int | None = None
    everywhere: bool = False


def locate_mentions(
    text: str, mentions: Sequence[UnlocatedMention], where: Source, watch: Watch, placed: Sequence[TextSpan] = ()
) -> list[TextSpan]:
    """Return the entities ``placed`` and those of ``mentions`` that occur in ``text`` where no other entity is.

    Longer mentions are located first, so that *York* is not found in *New York*. Whole words are preferred to parts of
    words, and the text may differ in case. Mentions that are not found, or found in another spelling or at another
    offset than given, are reported.
    """
    taken = list(placed)
    for mention in sorted(mentions, key=lambda mention: -len(mention.words)):
        words = mention.words.strip()
        found = _occurrences(text, words)
        free = [
            offset for offset in found if not any(offset[0] < span.end and span.start < offset[1] for span in taken)
        ]
        shown = f"{mention.type} {shorten(words)}"
        if not free:
            reason = "all occurrences are taken" if found else "words not in the text"
            watch(Note("dropped", reason, f"{shown} in {shorten(text)}", where))
            continue
        near = mention.near
        if near is not None:
            free = [min(free, key=partial(_distance, near))]
        for start, end in free if mention.everywhere else free[:1]:
            if near is not None:
                detail = f"{shown} should be at {near}, but is at {start}"
                watch(Note("repaired", "offsets that do not match the words", detail, where))
            if text[start:end] != words:
                watch(Note("repaired", "words in another spelling", f"{shown}: {shorten(text[start:end])}", where))
            taken.append(TextSpan(start, end, mention.type))
    return taken


def _distance(near: int, offset: Offset) -> int:
    return abs(offset[0] - near)


def _occurrences(text: str, words: str) -> list[Offset]:
    """Return the offsets of words: as whole words, else as parts of words, else ignoring case; none if blank."""
    return next(filter(None, _searches(text, re.escape(words))), []) if words else []


def _searches(text: str, pattern: str) -> Iterator[list[Offset]]:
    whole = rf"(?<!\w){pattern}(?!\w)"
    for search, flags in ((whole, re.NOFLAG), (pattern, re.NOFLAG), (whole, re.IGNORECASE), (pattern, re.IGNORECASE)):
        yield [found.span() for found in re.finditer(search, text, flags)]
