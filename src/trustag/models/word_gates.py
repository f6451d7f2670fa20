"""What each word adds to the gates of the sentence LSTM: found once, remembered within bounds."""

from collections.abc import Iterable, Sequence
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


class WordGates:
    """Gate inputs of words: from vector and characters at first sight, later from a table.

    At most ``remembered`` words are kept, or those of one call where they are more; then the table starts anew.
    """

    def __init__(self, encoder: BiLSTMEncoder, sentence_lstm: InferenceLSTM, remembered: int = REMEMBERED) -> None:
        self._encoder = encoder
        self._sentence_lstm = sentence_lstm
        self._letter_lstm = inference_lstm(encoder.characters.lstm)
        # What a character adds to the gates depends on it alone, too.
        self._letters = self._letter_lstm.gate_inputs(encoder.characters.letters.weight.detach())
        self._remembered = remembered
        self._numbers: dict[str, int] = {}
        self.table: Tensor = self._letters.new_empty(2, 0, 4 * sentence_lstm.hidden)

    def numbers(self, tokens: Sequence[str]) -> list[int]:
        """Return the row of ``table`` that each token has; rows of earlier calls may no longer hold."""
        known = self._numbers
        try:
            return [known[token] for token in tokens]
        except KeyError:
            self._learn(tokens)
            return [known[token] for token in tokens]

    def look_ahead(self, tokens: Iterable[str]) -> None:
        """Learn the words among ``tokens`` at once, which takes less time than batch by batch, if there is room."""
        words = dict.fromkeys(tokens)
        if len(words) <= self._remembered:
            self.numbers(list(words))

    def _learn(self, tokens: Iterable[str]) -> None:
        words = distinct_words(tokens)
        known = self._numbers
        new = [word for word in words if word not in known]
        if len(known) + len(new) > self._remembered:
            known.clear()
            new = words
        self._make_room(len(known) + len(new))
        for start in range(0, len(new), _BLOCK):
            block = new[start : start + _BLOCK]
            begin = len(known)
            self.table[:, begin : begin + len(block)] = self._gate_inputs(block)
            known.update(zip(block, range(begin, begin + len(block)), strict=True))

    def _make_room(self, rows: int) -> None:
        before = self.table
        if rows > before.shape[1]:
            self.table = before.new_empty(2, max(rows, 2 * before.shape[1]), before.shape[2])
            self.table[:, : before.shape[1]] = before

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
