"""The paper's encoder: word vectors and a character BiLSTM, then a BiLSTM over the sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import torch
from torch import Tensor, nn

from trustag.models.encoders import Tokens
from trustag.models.lstm import PackedBiLSTM
from trustag.models.packing import Packing, pack
from trustag.models.vocabulary import UNKNOWN, Vocabulary
from trustag.models.word_table import WordTable


@dataclass(frozen=True, slots=True)
class BiLSTMSizes:
    """The widths of the network and its dropout."""

    words: int = 100
    characters: int = 25
    character_hidden: int = 25
    hidden: int = 100
    dropout: float = 0.5
    word_dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class WordInputs:
    """Tokens in packed order: the row of each in the word table, and which distinct spelling it is.

    ``letters`` are the characters of the distinct spellings, packed in their turn. ``places`` says where each token
    stands in the padded table of shape ``shape``, flattened.
    """

    words: Tensor
    packing: Packing
    spellings: Tensor
    letters: Tensor
    letter_packing: Packing
    places: Tensor
    shape: tuple[int, int]

    def to(self, device: torch.device) -> "WordInputs":
        """Return the same on ``device``."""
        if device == self.words.device:
            return self
        return WordInputs(
            self.words.to(device),
            self.packing.to(device),
            self.spellings.to(device),
            self.letters.to(device),
            self.letter_packing.to(device),
            self.places.to(device),
            self.shape,
        )


class BiLSTMEncoder(nn.Module):
    """Features of each token from its word vector, its characters and its neighbours."""

    def __init__(self, vocabulary: Vocabulary, table: WordTable, sizes: BiLSTMSizes) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.sizes = sizes
        self.width = 2 * sizes.hidden
        self.table = table
        self.letters = nn.Embedding(len(vocabulary.characters) + 1, sizes.characters)
        self.letter_lstm = PackedBiLSTM(sizes.characters, sizes.character_hidden)
        self.sentence_lstm = PackedBiLSTM(sizes.words + 2 * sizes.character_hidden, sizes.hidden)
        self.dropout = nn.Dropout(sizes.dropout)

    def collate(self, sentences: Sequence[Tokens]) -> WordInputs:
        """Return ``sentences`` in packed order, each distinct spelling once."""
        lengths = [len(tokens) for tokens in sentences]
        order = sorted(range(len(sentences)), key=lengths.__getitem__, reverse=True)
        packing = pack([lengths[sentence] for sentence in order])
        distinct = sorted(set(chain.from_iterable(sentences)), key=lambda word: (-len(word), word))
        spelled_letters = [self.vocabulary.characters_of(word) for word in distinct]
        number = {word: i for i, word in enumerate(distinct)}
        spelled = torch.tensor([number[word] for sentence in order for word in sentences[sentence]])
        rows = torch.tensor([self.vocabulary.word(word) for word in distinct])
        letter_packing = pack([len(letters) for letters in spelled_letters])
        letters = torch.tensor(list(chain.from_iterable(spelled_letters)))
        spellings = spelled[_element_places(packing)]
        return WordInputs(
            words=rows[spellings],
            packing=packing,
            spellings=spellings,
            letters=letters[_element_places(letter_packing)],
            letter_packing=letter_packing,
            places=torch.tensor(order)[packing.sequence] * len(packing.running) + packing.step,
            shape=(len(sentences), len(packing.running)),
        )

    def forward(self, inputs: WordInputs) -> Tensor:
        """Return features of shape (sentences, tokens, width), zero in the padding."""
        letters = self.dropout(self.letters(inputs.letters))
        spelled = self.letter_lstm(letters, inputs.letter_packing)[inputs.letter_packing.last]
        words = self.table(self._dropped(inputs.words))
        rows = torch.cat([words, spelled[inputs.spellings]], dim=1)
        states: Tensor = self.dropout(self.sentence_lstm(self.dropout(rows), inputs.packing))
        sentences, tokens = inputs.shape
        padded = states.new_zeros(sentences * tokens, self.width)
        return padded.index_copy(0, inputs.places, states).view(sentences, tokens, self.width)

    def _dropped(self, words: Tensor) -> Tensor:
        """Return ``words`` with a share of them made unknown while training, so that the unknown row is learnt."""
        if not self.training or not self.sizes.word_dropout:
            return words
        return words.masked_fill(torch.rand(words.shape, device=words.device) < self.sizes.word_dropout, UNKNOWN)


def _element_places(packing: Packing) -> Tensor:
    """Return, for each packed row, its place in the sequences written one after the other."""
    lengths = packing.step[packing.last] + 1
    starts = lengths.cumsum(0) - lengths
    return starts[packing.sequence] + packing.step
