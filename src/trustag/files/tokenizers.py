"""Split raw text into tokens without losing a character.

All tokenizers follow one rule: each character that is not whitespace belongs to exactly one token, and there is only
whitespace between tokens. So offsets into the text stay exact, and the text can be restored from the tokens.
"""

import importlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from trustag.errors import InputError, MissingExtraError
from trustag.text.scripts import UNSPACED, is_unspaced

Offset: TypeAlias = tuple[int, int]
Tokenizer: TypeAlias = Callable[[str], list[Offset]]

_PIECE: Final = re.compile(r"\w+|\S")
_CHARACTER: Final = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|\S")
_FILLED: Final = re.compile(r"\S+")
_JOINERS: Final = frozenset("\u200c\u200d")
_LANGUAGE: Final = re.compile("[a-z]{2,3}")


@lru_cache(maxsize=16)
def tokenizer_named(name: str) -> Tokenizer:
    """Return the tokenizer called ``name``; ``auto`` means ``characters``, for texts without tokens in the file.

    ``spacy:NAME`` is a language or pipeline of spaCy, ``package.module:NAME`` any function that returns the words of a
    text in order.
    """
    known = TOKENIZERS.get("characters" if name == "auto" else name)
    if known is not None:
        return known
    place, _, attribute = name.partition(":")
    if place == "spacy" and attribute:
        return partial(_cut_by_pipeline, _spacy_pipeline(attribute))
    if place and attribute:
        return partial(_cut_by_function, _imported(place, attribute), name)
    raise InputError(
        f"unknown tokenizer {name!r}",
        remedy=f"choose auto, {', '.join(TOKENIZERS)}, spacy:NAME or a function package.module:NAME",
    )


def cut_by_regex(text: str) -> list[Offset]:
    """Return runs of letters, digits and underscores as tokens, and every other visible character as a single token.

    Combining marks and zero-width joiners stay with the character before them; many scripts write vowels with them.

    >>> [text[start:end] for text in ["Mr. O'Neill: 3.5%"] for start, end in cut_by_regex(text)]
    ['Mr', '.', 'O', "'", 'Neill', ':', '3', '.', '5', '%']
    """
    pieces = (match.span() for match in _PIECE.finditer(text))
    return list(pieces) if text.isascii() else list(_with_marks(text, pieces, _is_word))


def cut_characters(text: str) -> list[Offset]:
    """Return the tokens of :func:`cut_by_regex`, but single characters in scripts without spaces between words.

    >>> [text[start:end] for text in ["2026年Ann在東京です"] for start, end in cut_characters(text)]
    ['2026', '年', 'Ann', '在', '東', '京', 'で', 'す']
    """
    pieces = (match.span() for match in _CHARACTER.finditer(text))
    return list(pieces) if text.isascii() else list(_with_marks(text, pieces, _is_spaced_word))


def cut_at_whitespace(text: str) -> list[Offset]:
    """Return the parts between whitespace as tokens.

    >>> cut_at_whitespace(" Mr. O'Neill ")
    [(1, 4), (5, 12)]
    """
    return [match.span() for match in _FILLED.finditer(text)]


def cut_by_spacy(text: str) -> list[Offset]:
    """Return the tokens of spaCy's blank multi-language pipeline, without whitespace tokens."""
    return _cut_by_pipeline(_spacy_pipeline("xx"), text)


TOKENIZERS: Final[dict[str, Tokenizer]] = {
    "regex": cut_by_regex,
    "characters": cut_characters,
    "whitespace": cut_at_whitespace,
    "spacy": cut_by_spacy,
}


def _with_marks(text: str, pieces: Iterator[Offset], is_word: Callable[[str], bool]) -> Iterator[Offset]:
    """Yield ``pieces`` with marks joined to the piece before them, and the parts of a word around a mark joined."""
    start, end = next(pieces, (0, 0))
    in_word = bool(end) and is_word(text[start])
    after_mark = False
    for piece_start, piece_end in pieces:
        first = text[piece_start]
        is_mark = first in _JOINERS or unicodedata.category(first)[0] == "M"
        continues = is_mark or (in_word and after_mark and is_word(first))
        if piece_start == end and continues:
            end = piece_end
        else:
            yield start, end
            start, end = piece_start, piece_end
            in_word = is_word(first)
        after_mark = is_mark
    if end:
        yield start, end


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _is_spaced_word(character: str) -> bool:
    return _is_word(character) and not is_unspaced(character)


def _cut_by_pipeline(pipeline: Any, text: str) -> list[Offset]:
    found = ((token.idx, token.idx + len(token.text)) for token in pipeline.make_doc(text) if not token.is_space)
    return list(found)


@lru_cache(maxsize=4)
def _spacy_pipeline(name: str) -> Any:
    try:
        import spacy  # noqa: PLC0415  # a slow import
    except ImportError:
        raise MissingExtraError("the spacy tokenizer", "spacy") from None
    try:
        return spacy.blank(name) if _LANGUAGE.fullmatch(name) else spacy.load(name)
    except Exception as error:  # noqa: BLE001 - languages and pipelines bring packages of their own
        finding = f"spaCy cannot load {name!r} ({' '.join(str(error).split())[:200]})"
        raise InputError(finding, remedy="install it, as spaCy's documentation says") from None


def _imported(place: str, attribute: str) -> Callable[[str], Iterable[str]]:
    try:
        found: Callable[[str], Iterable[str]] = getattr(importlib.import_module(place), attribute)
    except Exception as error:  # noqa: BLE001 - importing runs code that is not ours
        raise InputError(
            f"cannot load the tokenizer {place}:{attribute} ({error})", remedy="check the name and the path"
        ) from None
    return found


def _cut_by_function(function: Callable[[str], Iterable[str]], name: str, text: str) -> list[Offset]:
    """Return the offsets of the words that ``function`` returns for ``text``."""
    remedy = "use a tokenizer that returns the words of the text unchanged and in order"
    offsets: list[Offset] = []
    position = 0
    for word in function(text):
        bare = str(word).strip()
        start = text.find(bare, position)
        if start < 0 or text[position:start].strip():
            raise InputError(f"{name}: {bare[:60]!r} is not next in the text", remedy=remedy)
        position = start + len(bare)
        if bare:
            offsets.append((start, position))
    if text[position:].strip():
        raise InputError(f"{name}: {text[position:].strip()[:60]!r} is in no word", remedy=remedy)
    return offsets
