"""The keys of words in spaCy: MurmurHash64A with seed 1, computed for many words at once."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

_MULTIPLIER: Final = np.uint64(0xC6A4A7935BD1E995)
_SHIFT: Final = np.uint64(47)
_SEED: Final = 1
_WORD_BYTES: Final = 8

_Keys = npt.NDArray[np.uint64]


def string_keys(words: Sequence[str]) -> list[int]:
    """Return the key of each word.

    >>> string_keys(["apple", "coffee"])
    [8566208034543834098, 3197928453018144401]
    """
    by_length: dict[int, list[int]] = defaultdict(list)
    encoded = [word.encode("utf-8", errors="surrogatepass") for word in words]
    for index, text in enumerate(encoded):
        by_length[len(text)].append(index)
    keys = [0] * len(words)
    for length, indices in by_length.items():
        texts = np.frombuffer(b"".join(encoded[index] for index in indices), np.uint8).reshape(len(indices), length)
        for index, key in zip(indices, _hashed(texts).tolist(), strict=True):
            keys[index] = key
    return keys


def _hashed(texts: npt.NDArray[np.uint8]) -> _Keys:
    """Return the hash of each row of bytes; all arithmetic wraps around at 64 bits."""
    count, length = texts.shape
    with np.errstate(over="ignore"):
        state = np.full(count, np.uint64(_SEED) ^ (np.uint64(length) * _MULTIPLIER), np.uint64)
        whole = length - length % _WORD_BYTES
        blocks = np.ascontiguousarray(texts[:, :whole]).view("<u8").reshape(count, whole // _WORD_BYTES)
        for block in blocks.T.astype(np.uint64):
            mixed = block * _MULTIPLIER
            mixed = (mixed ^ (mixed >> _SHIFT)) * _MULTIPLIER
            state = (state ^ mixed) * _MULTIPLIER
        if length > whole:
            rest = np.zeros((count, _WORD_BYTES), np.uint8)
            rest[:, : length - whole] = texts[:, whole:]
            state = (state ^ rest.view("<u8").reshape(count).astype(np.uint64)) * _MULTIPLIER
        state = (state ^ (state >> _SHIFT)) * _MULTIPLIER
        return state ^ (state >> _SHIFT)
