"""Split raw text into tokens without losing a character.

All tokenizers follow one rule: each character that is not whitespace belongs to exactly one token, and there is only
whitespace between tokens. So offsets into the text stay exact, and the text can be restored from the tokens.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final, TypeAlias

from trustag.errors import MissingExtraError
from trustag.files.formats import TokenizerName

Offset: TypeAlias = tuple[int, int]
Tokenizer: TypeAlias = Callable[[str], list[Offset]]

_PIECE: Final = re.compile(r"\w+|\S")
_FILLED: Final = re.compile(r"\S+")
_JOINERS: Final = frozenset("\u200c\u200d")


def tokenizer_named(name: TokenizerName) -> Tokenizer:
    """Return the tokenizer called ``name``; ``auto`` means ``regex``, for texts without tokens in the file."""
    return TOKENIZERS["regex" if name == "auto" else name]


def cut_by_regex(text: str) -> list[Offset]:
    """Return runs of letters, digits and underscores as tokens, and every other visible character as a single token.

    Combining marks and zero-width joiners stay with the character before them; many scripts write vowels with them.

    >>> [text[start:end] for text in ["Mr. O'Neill: 3.5%"] for start, end in cut_by_regex(text)]
    ['Mr', '.', 'O', "'", 'Neill', ':', '3', '.', '5', '%']
    """
    pieces = (match.span() for match in _PIECE.finditer(text))
    return list(pieces) if text.isascii() else list(_with_marks(text, pieces))


def cut_at_whitespace(text: str) -> list[Offset]:
    """Return the parts between whitespace as tokens.

    >>> cut_at_whitespace(" Mr. O'Neill ")
    [(1, 4), (5, 12)]
    """
    return [match.span() for match in _FILLED.finditer(text)]


def cut_by_spacy(text: str) -> list[Offset]:
    """Return the tokens of spaCy's blank multi-language pipeline, without whitespace tokens."""
    found = ((token.idx, token.idx + len(token.text)) for token in _spacy_tokenizer()(text) if not token.is_space)
    return list(found)


TOKENIZERS: Final[dict[str, Tokenizer]] = {
    "regex": cut_by_regex,
    "whitespace": cut_at_whitespace,
    "spacy": cut_by_spacy,
}


def _with_marks(text: str, pieces: Iterator[Offset]) -> Iterator[Offset]:
    """Yield ``pieces`` with marks joined to the piece before them, and the parts of a word around a mark joined."""
    start, end = next(pieces, (0, 0))
    in_word = bool(end) and _is_word(text[start])
    after_mark = False
    for piece_start, piece_end in pieces:
        first = text[piece_start]
        is_mark = first in _JOINERS or unicodedata.category(first)[0] == "M"
        continues = is_mark or (in_word and after_mark and _is_word(first))
        if piece_start == end and continues:
            end = piece_end
        else:
            yield start, end
            start, end = piece_start, piece_end
            in_word = _is_word(first)
        after_mark = is_mark
    if end:
        yield start, end


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


@lru_cache(maxsize=1)
def _spacy_tokenizer() -> Callable[[str], Any]:
    try:
        import spacy  # noqa: PLC0415  # a slow import
    except ImportError:
        raise MissingExtraError("the spacy tokenizer", "spacy") from None
    tokenizer: Callable[[str], Any] = spacy.blank("xx").tokenizer
    return tokenizer
