"""Read a SentencePiece model: its pieces with their scores, and how it normalises text.

The model is a Protocol Buffers message. The normalisation in it is a double-array trie of character sequences, followed
by their replacements.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

_PIECES: Final = 1
_NORMALISER: Final = 3
_TEXT, _SCORE, _KIND = 1, 2, 3
_NORMAL: Final = 1
_TRIE_AND_REPLACEMENTS: Final = 2
_VARINT, _EIGHT_BYTES, _BYTES, _FOUR_BYTES = 0, 1, 2, 5
_BYTES_OF_KEYS: Final = np.arange(1, 256)

_Field: TypeAlias = tuple[int, int | bytes]


@dataclass(frozen=True, slots=True)
class SentencePieceModel:
    """Pieces of text with their row in the embeddings and their score, and replacements of character sequences."""

    pieces: dict[str, int]
    scores: tuple[float, ...]
    replacements: dict[str, str]


def read_sentence_pieces(data: bytes) -> SentencePieceModel:
    """Return the model in ``data``; special pieces, such as the one for unknown characters, are left out."""
    pieces: dict[str, int] = {}
    scores = []
    replacements: dict[str, str] = {}
    row = 0
    for number, content in _fields(data):
        if number == _PIECES:
            piece = dict(_fields(_as_bytes(content)))
            if piece.get(_KIND, _NORMAL) == _NORMAL:
                pieces[_as_bytes(piece[_TEXT]).decode()] = row
                scores.append(struct.unpack("<f", _as_bytes(piece[_SCORE]))[0])
            row += 1
        elif number == _NORMALISER:
            rules = dict(_fields(_as_bytes(content))).get(_TRIE_AND_REPLACEMENTS, b"")
            replacements = read_replacements(_as_bytes(rules))
    return SentencePieceModel(pieces, tuple(scores), replacements)


def read_replacements(rules: bytes) -> dict[str, str]:
    """Return what each character sequence in a trie is replaced with."""
    if not rules:
        return {}
    (size,) = struct.unpack_from("<I", rules)
    units = np.frombuffer(rules, "<u4", size // 4, offset=4)
    texts = rules[4 + size :]
    return {
        key.decode(): texts[start : texts.index(b"\0", start)].decode()
        for key, start in _trie_entries(units, _offset(int(units[0])), b"")
    }


def _trie_entries(units: npt.NDArray[np.uint32], node: int, prefix: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield each key below a node of a double-array trie with its value.

    The child for a byte is at the node's index XOR the byte, and is one only if it is labelled with that byte.
    """
    indices = node ^ _BYTES_OF_KEYS
    indices = indices[indices < len(units)]
    children = indices[units[indices] & 0x800000FF == indices ^ node]
    for index, unit in zip(children.tolist(), units[children].tolist(), strict=True):
        child = index ^ _offset(unit)
        key = prefix + bytes((index ^ node,))
        if unit & 0x100:
            yield key, int(units[child]) & 0x7FFFFFFF
        yield from _trie_entries(units, child, key)


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _fields(data: bytes) -> Iterator[_Field]:
    """Yield number and content of each field of a Protocol Buffers message."""
    place = 0
    while place < len(data):
        tag, place = _varint(data, place)
        form = tag & 7
        content: int | bytes
        if form == _VARINT:
            content, place = _varint(data, place)
        else:
            length, place = _length(data, place, form)
            content, place = data[place : place + length], place + length
            if place > len(data):
                raise ValueError("a SentencePiece model that ends in the middle of a field")
        yield tag >> 3, content


def _length(data: bytes, place: int, form: int) -> tuple[int, int]:
    if form == _BYTES:
        return _varint(data, place)
    if form not in {_FOUR_BYTES, _EIGHT_BYTES}:
        raise ValueError(f"a field of unknown form {form} in a SentencePiece model")
    return 4 if form == _FOUR_BYTES else 8, place


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """Return the number that begins at ``place``, seven bits a byte, and where it ends."""
    value = shift = 0
    while True:
        if place >= len(data):
            raise ValueError("a SentencePiece model that ends in the middle of a number")
        byte = data[place]
        value |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
        if byte < 0x80:
            return value, place


def _as_bytes(content: int | bytes) -> bytes:
    if isinstance(content, int):
        raise ValueError("a number where a SentencePiece model has text")  # noqa: TRY004 - a fault of the data
    return content
