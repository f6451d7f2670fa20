"""Split words into the pieces of a subword table, by byte-pair encoding (BPE), WordPiece or a unigram model.

All give the same pieces as the tokenizers that the tables were trained with, one word at a time. Strings of more than
a hundred characters have no pieces.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf
from typing import Final, Protocol

WORD_START: Final = "▁"
CONTINUATION: Final = "##"
_LONGEST_WORD: Final = 100  # WordPiece tokenizers usually have this limit too
_NEVER: Final = 1 << 60
_UNKNOWN_PENALTY: Final = 10.0  # as in SentencePiece


class SubwordTokenizer(Protocol):
    """Splits words into pieces, and knows which pieces are whole words."""

    def tokenize(self, word: str) -> list[str]:
        """Return the pieces of ``word`` in order."""
        ...

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that consist of one piece."""
        ...


@dataclass(frozen=True, slots=True)
class BytePairTokenizer:
    """Byte-pair encoding with a mark before each word; a character that is not a piece is split into bytes.

    ``merges`` are pairs, written with a space between them, in order of priority.
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
        """Return the pieces of ``word``: its characters, merged pair by pair in order of priority."""
        if len(word) > _LONGEST_WORD:
            return []
        parts = [*WORD_START, *word.replace(" ", WORD_START)]
        ranks = self._ranks
        while len(parts) > 1:
            pair_ranks = [ranks.get(pair, _NEVER) for pair in pairwise(parts)]
            best = min(pair_ranks)
            if best == _NEVER:
                break
            index = pair_ranks.index(best)
            parts[index : index + 2] = [parts[index] + parts[index + 1]]
        return [piece for part in parts for piece in self._as_pieces(part)]

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that consist of one piece."""
        return _after_word_start(pieces)

    def _as_pieces(self, part: str) -> list[str]:
        if part in self.pieces:
            return [part]
        return [f"<0x{byte:02X}>" for byte in part.encode(errors="replace")]


@dataclass(frozen=True, slots=True)
class WordPieceTokenizer:
    """WordPiece without case and accents: repeatedly the longest known piece from the left.

    Punctuation and Chinese characters are separate parts. A part that cannot be split completely has no pieces.
    """

    pieces: frozenset[str]

    def tokenize(self, word: str) -> list[str]:
        """Return the pieces of ``word``."""
        return [piece for part in _plain_parts(word) for piece in self._matches(part)]

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that consist of one piece."""
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


@dataclass(frozen=True, slots=True)
class UnigramTokenizer:
    """SentencePiece's unigram model: the pieces with the highest sum of scores, after a mark before each word.

    ``replacements`` normalise a word first: repeatedly the longest sequence that has one, from the left. A character
    that is in no piece costs more than any piece and is left out.
    """

    scores: Mapping[str, float]
    replacements: Mapping[str, str]
    _longest_piece: int = field(init=False, repr=False, compare=False)
    _longest_sequence: int = field(init=False, repr=False, compare=False)
    _replaced_in_ascii: frozenset[str] = field(init=False, repr=False, compare=False)
    _unknown: float = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_longest_piece", max(map(len, self.scores), default=1))
        object.__setattr__(self, "_longest_sequence", max(map(len, self.replacements), default=1))
        replaced = frozenset(sequence[0] for sequence in self.replacements if sequence.isascii())
        object.__setattr__(self, "_replaced_in_ascii", replaced)
        object.__setattr__(self, "_unknown", min(self.scores.values(), default=0.0) - _UNKNOWN_PENALTY)

    def tokenize(self, word: str) -> list[str]:
        """Return the pieces of ``word``."""
        normal = " ".join(part for part in self._normalised(word).split(" ") if part)
        if not normal or len(word) > _LONGEST_WORD:
            return []
        text = WORD_START + normal.replace(" ", WORD_START)
        begins = self._best_begins(text)
        pieces: list[str] = []
        end = len(text)
        while end:
            pieces.append(text[begins[end] : end])
            end = begins[end]
        return [piece for piece in reversed(pieces) if piece in self.scores]

    def whole_words(self, pieces: Iterable[str]) -> Iterator[str]:
        """Yield the words that consist of one piece."""
        return _after_word_start(pieces)

    def _best_begins(self, text: str) -> list[int]:
        """Return, for each end in ``text``, where the last piece of the best split up to that end begins."""
        best = [0.0] + [-inf] * len(text)
        begins = [0] * (len(text) + 1)
        for begin in range(len(text)):
            for end in range(begin + 1, min(begin + self._longest_piece, len(text)) + 1):
                score = self.scores.get(text[begin:end], self._unknown if end == begin + 1 else -inf)
                if best[begin] + score > best[end]:
                    best[end], begins[end] = best[begin] + score, begin
        return begins

    def _normalised(self, word: str) -> str:
        if word.isascii() and self._replaced_in_ascii.isdisjoint(word):
            return word
        found: list[str] = []
        begin = 0
        while begin < len(word):
            ends = range(min(begin + self._longest_sequence, len(word)), begin, -1)
            end = next((end for end in ends if word[begin:end] in self.replacements), begin + 1)
            part = word[begin:end]
            found.append(self.replacements.get(part, part))
            begin = end
        return "".join(found)


def _after_word_start(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the words that follow the mark before a word."""
    after_mark = (piece[1:] for piece in pieces if piece.startswith(WORD_START))
    return (word for word in after_mark if word and WORD_START not in word)


def _plain_parts(word: str) -> list[str]:
    """Return the parts of ``word`` in lower case without accents; punctuation and Chinese characters are separate."""
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
