"""Word vectors in memory, and how a word is looked up in them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float32]
Manner: TypeAlias = Literal["exact", "lower-case", "digits folded", "lower-case, digits folded"]

_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Lookup:
    """How a word may differ from its entry: in case, and in digits, which are replaced by 0.

    With ``zero_digits``, digits in words are always replaced by 0, even if there is an entry for the exact word.
    """

    case_fallback: bool = True
    fold_digits: bool = True
    zero_digits: bool = False

    def read(self, word: str) -> str:
        """Return ``word``, with every digit replaced by 0 if ``zero_digits`` is set."""
        return _DIGIT.sub("0", word) if self.zero_digits else word

    def forms(self, word: str) -> Iterator[tuple[Manner, str]]:
        """Yield the distinct forms to look up, closest first.

        >>> [form for _, form in Lookup().forms("Ab12")]
        ['Ab12', 'ab12', 'Ab00', 'ab00']
        """
        word = self.read(word)
        yield "exact", word
        lower = word.lower() if self.case_fallback else word
        if lower != word:
            yield "lower-case", lower
        folded = _DIGIT.sub("0", word) if self.fold_digits else word
        if folded != word:
            yield "digits folded", folded
            lower_folded = folded.lower() if self.case_fallback else folded
            if lower_folded != folded:
                yield "lower-case, digits folded", lower_folded

    def all_forms(self, words: Iterable[str]) -> set[str]:
        """Return all forms of ``words`` that are looked up: the entries to read from a file."""
        return {form for word in words for _, form in self.forms(word)}


DEFAULT_LOOKUP = Lookup()


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Words and their vectors, shape (words, width); ``rows_read`` is the number of entries they were selected from."""

    name: str
    words: tuple[str, ...]
    matrix: Matrix
    rows_read: int

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @property
    def width(self) -> int:
        """The length of a vector."""
        return int(self.matrix.shape[1])

    def __len__(self) -> int:
        return len(self.words)

    def find(self, word: str, lookup: Lookup = DEFAULT_LOOKUP) -> int | None:
        """Return the row of the closest form of ``word`` that has one, or ``None``."""
        found = self.find_manner(word, lookup)
        return None if found is None else found[1]

    def find_manner(self, word: str, lookup: Lookup = DEFAULT_LOOKUP) -> tuple[Manner, int] | None:
        """Return in which form ``word`` was found and its row, or ``None``."""
        index = self.index
        return next(((manner, index[form]) for manner, form in lookup.forms(word) if form in index), None)


def concatenate_vectors(several: Sequence[WordVectors], lookup: Lookup = DEFAULT_LOOKUP) -> WordVectors:
    """Return the concatenated vectors of ``several``; vectors that lack a word contribute zeros."""
    words = tuple(dict.fromkeys(word for vectors in several for word in vectors.words))
    matrix = np.zeros((len(words), sum(vectors.width for vectors in several)), np.float32)
    begin = 0
    for vectors in several:
        rows = [vectors.find(word, lookup) for word in words]
        known = [index for index, row in enumerate(rows) if row is not None]
        matrix[known, begin : begin + vectors.width] = vectors.matrix[[row for row in rows if row is not None]]
        begin += vectors.width
    name = "+".join(vectors.name for vectors in several)
    return WordVectors(name, words, matrix, sum(vectors.rows_read for vectors in several))
