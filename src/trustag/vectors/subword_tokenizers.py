"""Cut words into the pieces of a sub-word table: by merging (BPE) or by the longest match (WordPiece).

Both cut as the tokenizers cut that the tables were trained with, one word at a time. Beyond a hundred characters
nothing is cut: there is no word of that length.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Protocol

WORD_START: Final = "▁"
CONTINUATION: Final = "##"
_LONGEST_WORD: Final = 100  # beyond it is no word; WordPiece tokenizers give up there too
_NEVER: Final = 1 << 60


class SubwordTokenizer(Protocol):
    """Cuts words into pieces, and knows which pieces are whole words."""

    def tokenize(self, word: str) -> list[str]:
        """Return the pieces of ``word``, left to right."""
        ...

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that are one piece each."""
        ...


@dataclass(frozen=True, slots=True)
class BytePairTokenizer:
    """Byte-pair encoding with a mark before each word; a character that is no piece falls apart into bytes.

    ``merges`` are pairs written with a space between them, the most urgent first.
    """

    merges: Sequence[str]
    pieces: frozenset[str]
    _ranks: dict[tuple[str, str], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ranks = {}
        for rank, merge in enumerate(self.merges):
            left, _, right = merge.partition(" ")
            ranks[left, right] = rank
        object.__setattr__(self, "_ranks", ranks)

    def tokenize(self, word: str) -> list[str]:
        """Return the pieces of ``word``: its characters, merged pair by pair, the most urgent pair first."""
        if len(word) > _LONGEST_WORD:
            return []
        parts = [*WORD_START, *word.replace(" ", WORD_START)]
        ranks = self._ranks
        while len(parts) > 1:
            urgency = [ranks.get(pair, _NEVER) for pair in pairwise(parts)]
            most_urgent = min(urgency)
            if most_urgent == _NEVER:
                break
            place = urgency.index(most_urgent)
            parts[place : place + 2] = [parts[place] + parts[place + 1]]
        return [piece for part in parts for piece in self._as_pieces(part)]

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that are one piece each."""
        after_mark = (piece[1:] for piece in pieces if piece.startswith(WORD_START))
        return (word for word in after_mark if word and WORD_START not in word)

    def _as_pieces(self, part: str) -> list[str]:
        if part in self.pieces:
            return [part]
        return [f"<0x{byte:02X}>" for byte in part.encode(errors="replace")]


@dataclass(frozen=True, slots=True)
class WordPieceTokenizer:
    """WordPiece without case and accents: the longest known piece from the left, again and again.

    Punctuation and Chinese characters stand alone. What cannot be cut completely has no pieces.
    """

    pieces: frozenset[str]

    def tokenize(self, word: str) -> list[str]:
        """Return the pieces of ``word``."""
        return [piece for part in _plain_parts(word) for piece in self._matches(part)]

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that are one piece each."""
        return (piece for piece in pieces if not piece.startswith(CONTINUATION))

    def _matches(self, part: str) -> list[str]:
        if len(part) > _LONGEST_WORD:
            return []
        found: list[str] = []
        start = 0
        while start < len(part):
            prefix = CONTINUATION if start else ""
            end = next((end for end in range(len(part), start, -1) if prefix + part[start:end] in self.pieces), start)
            if end == start:
                return []
            found.append(prefix + part[start:end])
            start = end
        return found


def _plain_parts(word: str) -> list[str]:
    """Return ``word`` in small letters without accents, with every sign that stands alone apart."""
    visible = "".join(character for character in word if character.isspace() or not _is_unseen(character))
    decomposed = unicodedata.normalize("NFD", visible)
    plain = "".join(character for character in decomposed if unicodedata.category(character) != "Mn").lower()
    return "".join(f" {character} " if _stands_alone(character) else character for character in plain).split()


def _is_unseen(character: str) -> bool:
    return character == "\N{REPLACEMENT CHARACTER}" or unicodedata.category(character).startswith("C")


def _stands_alone(character: str) -> bool:
    code = ord(character)
    if code < 128:
        return not character.isalnum() and not character.isspace()
    if unicodedata.category(character).startswith("P"):
        return True
    return (
        0x4E00 <= code <= 0x9FFF
        or 0x3400 <= code <= 0x4DBF
        or 0x20000 <= code <= 0x2CEAF
        or 0xF900 <= code <= 0xFAFF
        or 0x2F800 <= code <= 0x2FA1F
    )
