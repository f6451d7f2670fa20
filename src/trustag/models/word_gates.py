"""What each word adds to the gates of the sentence LSTM: found once, remembered within bounds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

import numpy as np
import torch
from torch import Tensor

from trustag.models.bilstm import BiLSTMEncoder
from trustag.models.characters import distinct_words
from trustag.models.inference_lstm import InferenceLSTM, inference_lstm

REMEMBERED: Final = 16_384
_BLOCK: Final = 1024
# Up to so many words are spelled faster one by one.
_FEW: Final = 6


@dataclass(slots=True)
class _Known:
    """Words that have been seen: the row of each, and the rows, which are only ever added to."""

    numbers: dict[str, int]
    table: Tensor


class WordGates:
    """Gate inputs of words: from vector and characters at first sight, later from a table.

    At most ``remembered`` words are kept, or those of one call where they are more; then a new table is begun. Several
    threads may ask at once: whoever was given a table keeps it.
    """

    def __init__(self, encoder: BiLSTMEncoder, sentence_lstm: InferenceLSTM, remembered: int = REMEMBERED) -> None:
        self._encoder = encoder
        self._sentence_lstm = sentence_lstm
        self._letter_lstm = inference_lstm(encoder.characters.lstm)
        # What a character adds to the gates depends on it alone, too.
        self._letters = self._letter_lstm.gate_inputs(encoder.characters.letters.weight.detach())
        self._remembered = remembered
        self._known = self._nothing()
        self._learning = Lock()

    def rows(self, tokens: Sequence[str]) -> tuple[Tensor, list[int]]:
        """Return a table of gate inputs, (directions, words, gates), and the row that each token has in it."""
        known = self._known
        try:
            numbers = [known.numbers[token] for token in tokens]
        except KeyError:
            with self._learning:
                known = self._learn(tokens)
            numbers = [known.numbers[token] for token in tokens]
        return known.table, numbers

    def look_ahead(self, tokens: Iterable[str]) -> None:
        """Learn the words among ``tokens`` at once, which takes less time than batch by batch, if there is room."""
        words = dict.fromkeys(tokens)
        if len(words) <= self._remembered:
            self.rows(list(words))

    def _nothing(self) -> _Known:
        return _Known({}, self._letters.new_empty(2, 0, 4 * self._sentence_lstm.hidden))

    def _learn(self, tokens: Iterable[str]) -> _Known:
        """Return words known so far together with ``tokens``, or where that is too many, ``tokens`` alone."""
        words = distinct_words(tokens)
        known = self._known
        new = [word for word in words if word not in known.numbers]
        if len(known.numbers) + len(new) > self._remembered:
            known, new = self._nothing(), words
        _make_room(known, len(known.numbers) + len(new))
        for start in range(0, len(new), _BLOCK):
            block = new[start : start + _BLOCK]
            rows = range(len(known.numbers), len(known.numbers) + len(block))
            known.table[:, rows.start : rows.stop] = self._gate_inputs(block)
            known.numbers.update(zip(block, rows, strict=True))
        self._known = known
        return known

    def _gate_inputs(self, words: Sequence[str]) -> Tensor:
        """Return the gate inputs of ``words``, which come longest first."""
        encoder = self._encoder
        vectors = encoder.table(torch.tensor([encoder.vocabulary.word(word) for word in words]))
        spelled = self._spelled_alone(words) if len(words) <= _FEW else self._spelled_together(words)
        return self._sentence_lstm.gate_inputs(torch.cat([vectors, spelled], dim=1))

    def _spelled_alone(self, words: Sequence[str]) -> Tensor:
        """Return the features of a few words by their characters, one word after the other."""
        letters = map(self._encoder.vocabulary.characters_of, words)
        states = [self._letter_lstm.states_alone(self._letters, word)[:, -1].ravel() for word in letters]
        return torch.from_numpy(np.stack(states))

    def _spelled_together(self, words: Sequence[str]) -> Tensor:
        spellings = self._encoder.characters.collate(words)
        states = self._letter_lstm.states(self._letters, spellings.letters, spellings.packing)
        return torch.cat([*states.index_select(1, spellings.packing.last)], dim=1)


def _make_room(known: _Known, rows: int) -> None:
    before = known.table
    if rows > before.shape[1]:
        known.table = before.new_empty(2, max(rows, 2 * before.shape[1]), before.shape[2])
        known.table[:, : before.shape[1]] = before
