"""The pieces in which tokens and names are compared, so that it does not matter how either was split into tokens."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

from trustag.files.tokenizers import cut_characters

_SEPARATOR: Final = "\x1f"


@lru_cache(maxsize=1 << 17)
def pieces_of(token: str) -> tuple[str, ...]:
    """Return words and single punctuation marks, as written; texts of scripts without spaces become characters.

    >>> pieces_of("O'Neill"), pieces_of("U.S.")
    (('O', "'", 'Neill'), ('U', '.', 'S', '.'))
    """
    if token.isalnum() and token.isascii():
        return (token,)
    text = unicodedata.normalize("NFC", token)
    return tuple(text[start:end] for start, end in cut_characters(text))


def pieces_of_form(form: str) -> list[str]:
    """Return the pieces of a name that may have spaces."""
    return [piece for word in form.split() for piece in pieces_of(word)]


def folded(piece: str) -> str:
    """Return a piece as it is compared when case does not matter."""
    return piece.casefold()


def hash_of(text: str) -> int:
    """Return a number for a text, the same on every machine; 64 bits."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def hash_of_form(pieces: Sequence[str]) -> int:
    """Return a number for a name as written, whatever its tokens are."""
    return hash_of(_SEPARATOR.join(pieces))
