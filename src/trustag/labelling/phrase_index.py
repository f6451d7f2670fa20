"""A trie over the pieces of names as four arrays: compiled once, read from a file at once, walked token by token.

The words of all names have numbers in the order of their hashes. A node is a beginning of a name; the edges are sorted
by node and word, and edge ``k`` leads to node ``k + 1``. The names that end at a node are neighbours among the entries.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.labelling.word_pieces import folded, hash_of, hash_of_form, pieces_of, pieces_of_form

Longs: TypeAlias = npt.NDArray[np.uint64]
Integers: TypeAlias = npt.NDArray[np.uint32]

NOWHERE: Final = -1
"""Returned where no name continues like this."""
_WORD_BITS: Final = 32
_MOST_REMEMBERED: Final = 1 << 20
"""Steps and tokens that are remembered at a time; a step takes about 150 bytes."""


class IndexedName(NamedTuple):
    """A name of a list: the numbers of its list and type, its weight, and the hash of how it is written."""

    list_number: int
    type_number: int
    weight: float
    form_hash: int


class NameToIndex(NamedTuple):
    """A name to compile, with the numbers of its list and type."""

    text: str
    list_number: int
    type_number: int
    weight: float


@dataclass(frozen=True, slots=True)
class PhraseArrays:
    """The arrays of an index, as they are stored."""

    words: Longs
    edges: Longs
    first_entries: Integers
    entry_lists: Integers
    entry_types: Integers
    entry_weights: npt.NDArray[np.float32]
    entry_hashes: Longs

    @property
    def bytes(self) -> int:
        """The memory that the arrays take."""
        return sum(getattr(self, name).nbytes for name in self.__slots__)


class PhraseIndex:
    """Walks the trie; what was asked before is remembered, since few words make up most of a text."""

    def __init__(self, arrays: PhraseArrays) -> None:
        self.arrays = arrays
        # Single numbers are read from a memoryview several times faster than from an array.
        self._words, self._edges, self._first_entries = arrays.words.data, arrays.edges.data, arrays.first_entries.data
        self._numbers: dict[str, tuple[int, ...]] = {}
        self._first: dict[str, int] = {}
        self._steps: dict[tuple[int, str], int] = {}

    def __len__(self) -> int:
        return len(self.arrays.entry_lists)

    def walk(self, tokens: Sequence[str]) -> list[tuple[int, int, int]]:
        """Return start, end and node of every stretch of whole tokens that is a name in some case."""
        found: list[tuple[int, int, int]] = []
        first, steps, entries = self._first, self._steps, self._first_entries
        length = len(tokens)
        for start, token in enumerate(tokens):
            node = first.get(token)
            if node is None:
                node = self._remember_first(token)
            end = start + 1
            while node > 0:
                if entries[node] != entries[node + 1]:
                    found.append((start, end, node))
                if end == length:
                    break
                key = (node, tokens[end])
                following = steps.get(key)
                node = self._remember_step(key) if following is None else following
                end += 1
        return found

    def entries(self, node: int) -> list[IndexedName]:
        """Return the names that end at ``node``."""
        arrays = self.arrays
        return [
            IndexedName(
                int(arrays.entry_lists[number]),
                int(arrays.entry_types[number]),
                float(arrays.entry_weights[number]),
                int(arrays.entry_hashes[number]),
            )
            for number in range(self._first_entries[node], self._first_entries[node + 1])
        ]

    def _remember_first(self, token: str) -> int:
        if len(self._first) >= _MOST_REMEMBERED:
            self._first.clear()
        node = self._first[token] = self._after(0, token)
        return node

    def _remember_step(self, key: tuple[int, str]) -> int:
        if len(self._steps) >= _MOST_REMEMBERED:
            self._steps.clear()
        node = self._steps[key] = self._after(*key)
        return node

    def _after(self, node: int, token: str) -> int:
        """Return the node after the pieces of ``token``."""
        numbers = self._numbers.get(token)
        if numbers is None:
            if len(self._numbers) >= _MOST_REMEMBERED:
                self._numbers.clear()
            numbers = self._numbers[token] = self._numbers_of(token)
        if not numbers:
            return NOWHERE
        for number in numbers:
            key = node << _WORD_BITS | number
            edge = bisect_left(self._edges, key)
            if edge == len(self._edges) or self._edges[edge] != key:
                return NOWHERE
            node = edge + 1
        return node

    def _numbers_of(self, token: str) -> tuple[int, ...]:
        """Return the numbers of the pieces of ``token``; none if a piece is in no name."""
        numbers = []
        for piece in pieces_of(token):
            wanted = hash_of(folded(piece))
            number = bisect_left(self._words, wanted)
            if number == len(self._words) or self._words[number] != wanted:
                return ()
            numbers.append(number)
        return tuple(numbers)


def compile_phrases(forms: Iterable[NameToIndex]) -> PhraseArrays:
    """Return the arrays of an index of ``forms``, each of which has at least one piece."""
    vocabulary: dict[str, int] = {}
    flat: list[int] = []
    lengths: list[int] = []
    lists: list[int] = []
    types: list[int] = []
    weights: list[float] = []
    hashes: list[int] = []
    for form in forms:
        pieces = pieces_of_form(form.text)
        flat.extend([vocabulary.setdefault(folded(piece), len(vocabulary)) for piece in pieces])
        lengths.append(len(pieces))
        lists.append(form.list_number)
        types.append(form.type_number)
        weights.append(form.weight)
        hashes.append(hash_of_form(pieces))
    words, numbers = _numbered(vocabulary)
    edges, last_nodes = _trie(numbers[np.array(flat, np.int64)], np.array(lengths, np.int64))
    order = np.argsort(last_nodes, kind="stable")
    first_entries = np.searchsorted(last_nodes[order], np.arange(len(edges) + 2)).astype(np.uint32)
    return PhraseArrays(
        words,
        edges,
        first_entries,
        np.array(lists, np.uint32)[order],
        np.array(types, np.uint32)[order],
        np.array(weights, np.float32)[order],
        np.array(hashes, np.uint64)[order],
    )


def _numbered(vocabulary: Iterable[str]) -> tuple[Longs, npt.NDArray[np.int64]]:
    """Return the sorted hashes of the words, and the place of each word among them."""
    hashes = np.array([hash_of(word) for word in vocabulary], np.uint64)
    order = np.argsort(hashes)
    words = hashes[order]
    if len(words) > 1 and bool((words[1:] == words[:-1]).any()):  # one chance in millions with a million words
        raise InputError("two words of the lists cannot be told apart", remedy="leave out some of the lists")
    numbers = np.empty(len(hashes), np.int64)
    numbers[order] = np.arange(len(hashes))
    return words, numbers


def _trie(flat: npt.NDArray[np.int64], lengths: npt.NDArray[np.int64]) -> tuple[Longs, npt.NDArray[np.int64]]:
    """Return the edges level by level, which is in order, and the node at which each name ends."""
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1])).astype(np.int64) if len(lengths) else lengths
    nodes = np.zeros(len(lengths), np.int64)
    levels: list[Longs] = []
    known = 0
    for level in range(int(lengths.max(initial=0))):
        active = np.flatnonzero(lengths > level)
        keys = nodes[active].astype(np.uint64) << np.uint64(_WORD_BITS) | flat[starts[active] + level].astype(np.uint64)
        unique, inverse = np.unique(keys, return_inverse=True)
        nodes[active] = known + 1 + inverse
        levels.append(unique)
        known += len(unique)
    return (np.concatenate(levels) if levels else np.empty(0, np.uint64)), nodes
