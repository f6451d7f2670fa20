"""Features of words from their characters, for any encoder to put beside its own."""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from trustag.models.dropout import Dropout
from trustag.models.lstm import PackedBiLSTM
from trustag.models.packing import Packing, pack
from trustag.models.vocabulary import Vocabulary

_REMEMBERED: Final = 200_000


@dataclass(frozen=True, slots=True)
class Spellings:
    """The distinct words of a batch: their characters in packed order."""

    letters: Tensor
    packing: Packing

    def to(self, device: torch.device) -> "Spellings":
        """Return the same on ``device``."""
        return Spellings(self.letters.to(device), self.packing.to(device))


class CharacterBiLSTM(nn.Module):
    """A BiLSTM over the characters of each word; its last state in either direction stands for the word."""

    def __init__(self, vocabulary: Vocabulary, inputs: int, hidden: int, dropout: float) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.width = 2 * hidden
        self.letters = nn.Embedding(len(vocabulary.characters) + 1, inputs)
        self.lstm = PackedBiLSTM(inputs, hidden)
        self.dropout = Dropout(dropout)
        self._spelled: dict[str, bytes] = {}

    def collate(self, distinct: Iterable[str]) -> Spellings:
        """Return the characters of ``distinct`` words, which come longest first."""
        words = tuple(distinct)
        # Almost all words are remembered, and asking for many at once takes half the time.
        found = list(map(self._spelled.get, words))
        spelled = [known or self._spell(word) for known, word in zip(found, words, strict=True)]
        letters = np.frombuffer(b"".join(spelled), dtype=np.int64)
        packing = pack([len(word) // letters.itemsize for word in spelled])
        return Spellings(torch.from_numpy(letters[packing.indices.numpy()]), packing)

    def forward(self, spellings: Spellings) -> Tensor:
        """Return features of shape (distinct words, width), in the order of the words."""
        letters = self.dropout(self.letters(spellings.letters))
        return self.lstm.last_states(letters, spellings.packing)

    def _spell(self, word: str) -> bytes:
        """Return the numbers of a word's characters as they stand in memory, remembered for the next batch."""
        if len(self._spelled) >= _REMEMBERED:
            self._spelled.clear()
        spelled = self._spelled[word] = array("q", self.vocabulary.characters_of(word)).tobytes()
        return spelled


def distinct_words(tokens: Iterable[str]) -> list[str]:
    """Return the distinct words among ``tokens``, longest first, else in order of their first occurrence."""
    return sorted(dict.fromkeys(tokens), key=len, reverse=True)
