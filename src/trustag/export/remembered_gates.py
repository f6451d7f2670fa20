"""What words add to the gates of the sentence LSTM: found once with the graph, remembered within bounds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.export.exported_folder import Array
from trustag.export.piece_rows import PieceRows
from trustag.export.sessions import GraphSession
from trustag.models.vocabulary import Vocabulary

Table = npt.NDArray[np.float32]
_REMEMBERED: Final = 16_384
_BLOCK: Final = 512


class WordRows:
    """Vectors of words; those in whole numbers are multiplied by the scale of their row."""

    def __init__(self, words: Array, scales: Array | None) -> None:
        self._words = words
        self._scales = scales

    def __getitem__(self, rows: Sequence[int]) -> Table:
        """Return the vectors in ``rows``."""
        chosen: Table = self._words[list(rows)].astype(np.float32, copy=False)
        return chosen if self._scales is None else (chosen * self._scales[list(rows), None]).astype(np.float32)

    @property
    def width(self) -> int:
        """The length of a vector."""
        return int(self._words.shape[1])


@dataclass(frozen=True, slots=True)
class _Known:
    """Words that have been seen: the row of each, and the rows, which are only ever added to."""

    numbers: dict[str, int]
    table: Table


class RememberedGates:
    """Rows of gate inputs for words.

    At most ``remembered`` words are kept, or those of one call where they are more; then a new table is begun. Several
    threads may ask at once: whoever was given a table keeps it.
    """

    def __init__(
        self,
        session: GraphSession,
        vocabulary: Vocabulary,
        vectors: WordRows,
        pieces: PieceRows | None = None,
        remembered: int = _REMEMBERED,
    ) -> None:
        self.width = int(session.inputs["known"][1])
        self._session = session
        self._vocabulary = vocabulary
        self._vectors = vectors
        self._pieces = pieces
        self._remembered = remembered
        self._known = _Known({}, np.empty((0, self.width), np.float32))
        self._learning = Lock()

    def __getstate__(self) -> dict[str, object]:
        """Leave out the lock and what is remembered, so that copies can be sent to other processes."""
        return {name: part for name, part in self.__dict__.items() if name not in {"_known", "_learning"}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._known = _Known({}, np.empty((0, self.width), np.float32))
        self._learning = Lock()

    def rows(self, tokens: Iterable[str]) -> tuple[Table, npt.NDArray[np.int64]]:
        """Return a table of gate inputs, (words, gates), and the row that each token has in it."""
        tokens = list(tokens)
        known = self._known
        try:
            numbers = [known.numbers[token] for token in tokens]
        except KeyError:
            with self._learning:
                known = self._learn(tokens)
            numbers = [known.numbers[token] for token in tokens]
        return known.table, np.array(numbers, np.int64)

    def look_ahead(self, tokens: Iterable[str]) -> None:
        """Learn the words among ``tokens`` at once, which takes less time than batch by batch, if there is room."""
        words = dict.fromkeys(tokens)
        if len(words) <= self._remembered:
            self.rows(words)

    def _learn(self, tokens: Iterable[str]) -> _Known:
        """Return words known so far together with ``tokens``, or where that is too many, ``tokens`` alone."""
        known = self._known
        words = sorted(dict.fromkeys(tokens), key=len)
        new = [word for word in words if word not in known.numbers]
        if len(known.numbers) + len(new) > self._remembered:
            known, new = _Known({}, np.empty((0, self.width), np.float32)), words
        count = len(known.numbers)
        table = _with_room(known.table, count + len(new))
        numbers = known.numbers if table is known.table else dict(known.numbers)
        for start in range(0, len(new), _BLOCK):
            block = new[start : start + _BLOCK]
            table[count : count + len(block)] = self._gates(block)
            numbers.update(zip(block, range(count, count + len(block)), strict=True))
            count += len(block)
        self._known = _Known(numbers, table)
        return self._known

    def _gates(self, words: Sequence[str]) -> Table:
        spelled = [self._vocabulary.characters_of(word) for word in words]
        letters = np.zeros((len(words), max(map(len, spelled))), np.int64)
        for row, characters in zip(letters, spelled, strict=True):
            row[: len(characters)] = characters
        inputs = {
            **self._one_word(),
            "vectors": self._vectors[[self._vocabulary.word(word) for word in words]],
            "letters": letters,
            "letter_counts": np.array([len(characters) for characters in spelled], np.int64),
        }
        found: Table = self._session.run(["gates"], inputs)[0]
        return found

    def _one_word(self) -> dict[str, npt.NDArray[Any]]:
        """Return the inputs of the graph for a sentence of the first new word, which is no matter here."""
        inputs: dict[str, npt.NDArray[Any]] = {
            "known": np.empty((0, self.width), np.float32),
            "words": np.zeros((1, 1), np.int64),
            "lengths": np.ones(1, np.int64),
            "with_probabilities": np.array(False),
        }
        return inputs if self._pieces is None else inputs | self._pieces.inputs([[""]])

    def nothing_new(self) -> dict[str, npt.NDArray[Any]]:
        """Return the inputs of the graph where no word is new."""
        return {
            "vectors": np.empty((0, self._vectors.width), np.float32),
            "letters": np.empty((0, 0), np.int64),
            "letter_counts": np.empty(0, np.int64),
        }


def _with_room(table: Table, rows: int) -> Table:
    if rows <= len(table):
        return table
    larger = np.empty((max(rows, 2 * len(table)), table.shape[1]), np.float32)
    larger[: len(table)] = table
    return larger
