"""Find the offsets of entities that are given only by their words, as in the output of language models."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from trustag.files.formats import Occurrences
from trustag.files.text_spans import TextSpan, shorten
from trustag.files.tokenizers import Offset
from trustag.notes import Note, NoteKind, Watch
from trustag.text.labels import OUTSIDE, UNKNOWN_MARK
from trustag.text.scripts import is_unspaced
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


class MentionSearch:
    """Locates the mentions of one text; ``occurrences`` says what the words are where they stand once more."""

    def __init__(self, text: str, where: Source, occurrences: Occurrences, watch: Watch) -> None:
        self._text = text
        self._where = where
        self._occurrences = occurrences
        self._watch = watch

    def locate(self, mentions: Sequence[UnlocatedMention], placed: Sequence[TextSpan] = ()) -> list[TextSpan]:
        """Return the entities ``placed`` and those of ``mentions`` that occur in the text where no other entity is.

        Longer mentions are located first, so that *York* is not found in *New York*. Whole words are preferred to
        parts of words, and the text may differ in case. Mentions that are not found, or found in another spelling or at
        another offset than given, are reported, and so are words that stand more often than they are mentioned.
        """
        taken = list(placed)
        ordered = sorted(mentions, key=lambda mention: -len(mention.words))
        for mention in ordered:
            taken += self._placed(mention, taken)
        kinds: dict[str, set[str]] = {}
        for mention in ordered:
            if mention.near is None and not mention.everywhere:
                kinds.setdefault(mention.words.strip(), set()).add(mention.type)
        for words, types in kinds.items():
            taken += self._further(words, types, taken)
        return taken

    def _placed(self, mention: UnlocatedMention, taken: Sequence[TextSpan]) -> Iterator[TextSpan]:
        words = mention.words.strip()
        found = _occurrences(self._text, words)
        free = _free(found, taken)
        shown = f"{mention.type} {shorten(words)}"
        if not free:
            reason = "all occurrences are taken" if found else _why_not_found(self._text, words)
            self._note("dropped", reason, f"{shown} in {shorten(self._text)}")
            return
        near = mention.near
        if near is not None:
            free = [min(free, key=partial(_distance, near))]
        for start, end in free if mention.everywhere else free[:1]:
            if near is not None:
                detail = f"{shown} should be at {near}, but is at {start}"
                self._note("repaired", "offsets that do not match the words", detail)
            if self._text[start:end] != words:
                self._note("repaired", "words in another spelling", f"{shown}: {shorten(self._text[start:end])}")
            yield TextSpan(start, end, mention.type)

    def _further(self, words: str, types: set[str], taken: Sequence[TextSpan]) -> Iterator[TextSpan]:
        """Yield what the words are where they stand without being mentioned."""
        free = _free(_occurrences(self._text, words), taken)
        if not free:
            return
        kind = UNKNOWN_MARK
        if self._occurrences == "first":
            kind = OUTSIDE
        elif self._occurrences == "all" and len(types) == 1:
            (kind,) = types
        meaning = "unknown" if kind == UNKNOWN_MARK else kind
        times = "once more" if len(free) == 1 else f"{len(free)} times more"
        detail = f"{'/'.join(sorted(types))} {shorten(words)} {times} in {shorten(self._text)}, read as {meaning}"
        self._note("info", "words that stand more often than they are mentioned", detail)
        if kind != OUTSIDE:
            yield from (TextSpan(start, end, kind) for start, end in free)

    def _note(self, kind: NoteKind, reason: str, detail: str) -> None:
        self._watch(Note(kind, reason, detail, self._where))


def _free(found: Sequence[Offset], taken: Sequence[TextSpan]) -> list[Offset]:
    return [offset for offset in found if not any(offset[0] < span.end and span.start < offset[1] for span in taken)]


def _distance(near: int, offset: Offset) -> int:
    return abs(offset[0] - near)


def _occurrences(text: str, words: str) -> list[Offset]:
    """Return the offsets of words: as whole words, else as parts of words, else ignoring case; none if blank."""
    return next(filter(None, _searches(text, words)), []) if words else []


def _searches(text: str, words: str) -> Iterator[list[Offset]]:
    for flags in (re.NOFLAG, re.IGNORECASE):
        # A lookahead finds overlapping places too, of which only some may be whole words.
        places = [found.start() for found in re.finditer(f"(?={re.escape(words)})", text, flags)]
        for is_border in (_is_border, _is_separable):
            yield list(_apart(text, len(words), places, is_border))


def _apart(text: str, length: int, places: Sequence[int], is_border: Callable[[str, str], bool]) -> Iterator[Offset]:
    """Yield the places of words that have borders on both sides and do not overlap."""
    reached = 0
    for start in places:
        end = start + length
        outside = (text[start - 1 : start], text[end : end + 1])
        inside = (text[start], text[end - 1])
        if start >= reached and all(map(is_border, inside, outside)):
            yield start, end
            reached = end


def _is_border(inside: str, outside: str) -> bool:
    """Tell whether a word can end between two characters; every place in a script without spaces is a border."""
    return not (_is_word(inside) and _is_word(outside)) or is_unspaced(inside) or is_unspaced(outside)


def _is_separable(inside: str, outside: str) -> bool:
    """Tell whether a part of a word can be a word itself: in scripts without case, prefixes and particles adjoin names.

    In a script with case, *York* in *Yorkshire* is another word.
    """
    return _is_border(inside, outside) or unicodedata.category(outside) == "Lo"


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _why_not_found(text: str, words: str) -> str:
    inside = words and re.search(re.escape(words), text, re.IGNORECASE)
    return "words only inside a longer word" if inside else "words not in the text"
