"""A table of vectors of words or subwords, and the vectors it gives to the words of a text."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice

import numpy as np
import numpy.typing as npt

from trustag.errors import InputError
from trustag.vectors.subword_tokenizers import SubwordTokenizer
from trustag.vectors.word_vectors import DEFAULT_LOOKUP, Lookup, Matrix, WordVectors


@dataclass(frozen=True, slots=True, eq=False)
class VectorTable:
    """Entries, the matrix row of each (entries may share one), and for subwords the tokenizer that splits words.

    ``rows`` has shape (entries,), ``matrix`` has shape (rows, width).
    """

    name: str
    entries: tuple[str, ...]
    rows: npt.NDArray[np.int32]
    matrix: Matrix
    tokenizer: SubwordTokenizer | None = None

    def __post_init__(self) -> None:
        if len(self.entries) != len(self.rows):
            raise InputError(f"{len(self.entries)} entries, but {len(self.rows)} rows", where=self.name)
        if len(self.rows) and not 0 <= int(self.rows.min()) <= int(self.rows.max()) < len(self.matrix):
            raise InputError("entries point outside the matrix", where=self.name)

    @property
    def width(self) -> int:
        """The length of a vector."""
        return int(self.matrix.shape[1])


def vectors_for(
    table: VectorTable, words: Collection[str] | None, lookup: Lookup = DEFAULT_LOOKUP, also_first: int = 0
) -> WordVectors:
    """Return the vectors of ``words`` (``None``: all entries) and of the first ``also_first`` entries.

    In a subword table, the vector of a word is the mean over its pieces; the first entries are those that are whole
    words.
    """
    if table.tokenizer is not None:
        return _from_pieces(table, table.tokenizer, words, also_first)
    wanted = None if words is None else lookup.all_forms(words)
    kept = [
        index for index, entry in enumerate(table.entries) if index < also_first or wanted is None or entry in wanted
    ]
    chosen = tuple(table.entries[index] for index in kept)
    return WordVectors(table.name, chosen, table.matrix[table.rows[kept]], len(table.entries))


def _from_pieces(
    table: VectorTable, tokenizer: SubwordTokenizer, words: Collection[str] | None, also_first: int
) -> WordVectors:
    whole = tokenizer.whole_words(table.entries)
    first = islice(whole, None if words is None else also_first)
    indices = {entry: index for index, entry in enumerate(table.entries)}
    kept: list[str] = []
    pieces: list[list[int]] = []
    for word in dict.fromkeys([*first, *(words or ())]):
        found = [indices[piece] for piece in tokenizer.tokenize(word) if piece in indices]
        if found:
            kept.append(word)
            pieces.append(found)
    return WordVectors(table.name, tuple(kept), _means(table, pieces), len(table.entries))


def _means(table: VectorTable, pieces: list[list[int]]) -> Matrix:
    """Return the mean vector of each group of entries, shape (groups, width)."""
    if not pieces:
        return np.empty((0, table.width), np.float32)
    lengths = np.array([len(group) for group in pieces])
    flat = table.rows[np.fromiter((index for group in pieces for index in group), np.int64)]
    means: Matrix = np.add.reduceat(table.matrix[flat], np.cumsum(lengths) - lengths, axis=0)
    means /= lengths[:, None].astype(np.float32)
    return means


def reduced(matrix: Matrix, width: int) -> tuple[Matrix, float]:
    """Return the rows reduced to ``width`` principal components, shape (rows, width), and the share of variance kept.

    The projection is linear, so the mean of reduced rows is the reduced mean. A subword table is therefore reduced
    once for all words.
    """
    if not 0 < width <= matrix.shape[1]:
        raise InputError(
            f"cannot reduce vectors of {matrix.shape[1]} values to {width}",
            remedy=f"choose a width from 1 to {matrix.shape[1]}",
        )
    centred = (matrix - matrix.mean(axis=0, dtype=np.float64)).astype(np.float32)
    variances, directions = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    basis = directions[:, ::-1][:, :width]
    # The sign of a component is arbitrary; fixing it makes the result the same on every machine.
    strongest = np.abs(basis).argmax(axis=0)
    basis = basis * np.sign(basis[strongest, np.arange(width)])
    total = float(variances.sum())
    share = float(variances[::-1][:width].sum()) / total if total > 0 else 1.0
    return (centred @ basis).astype(np.float32), share


def numbered(entries: Iterable[str]) -> tuple[tuple[str, ...], npt.NDArray[np.int32]]:
    """Return the entries and their indices as rows, for tables without shared rows."""
    fixed = tuple(entries)
    return fixed, np.arange(len(fixed), dtype=np.int32)
