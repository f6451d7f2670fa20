"""The paper's encoder: word vectors and a character BiLSTM, then a BiLSTM; frozen features beside if wanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import torch
from torch import Tensor, nn

from trustag.models.characters import CharacterBiLSTM, Spellings, distinct_words
from trustag.models.context import Context
from trustag.models.dropout import Dropout
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
    singletons: float = 0.0


@dataclass(frozen=True, slots=True)
class WordInputs:
    """Tokens in packed order: the row of each in the word table, and which distinct spelling it is.

    ``indices`` says where each token stands in the padded table of shape ``shape``, flattened. ``context`` are the
    features of each token that stand beside its word vector, where there are such.
    """

    words: Tensor
    packing: Packing
    spelling: Tensor
    spellings: Spellings
    indices: Tensor
    shape: tuple[int, int]
    context: Tensor | None = None

    def to(self, device: torch.device) -> "WordInputs":
        """Return the same on ``device``."""
        if device == self.words.device:
            return self
        return WordInputs(
            self.words.to(device),
            self.packing.to(device),
            self.spelling.to(device),
            self.spellings.to(device),
            self.indices.to(device),
            self.shape,
            None if self.context is None else self.context.to(device),
        )


class BiLSTMEncoder(nn.Module):
    """Features of each token from its word vector, its ``context`` if given, its characters and its neighbours.

    ``seen_once`` marks the rows of the table that training meets once; only training needs it.
    """

    seen_once: Tensor | None

    def __init__(
        self,
        vocabulary: Vocabulary,
        table: WordTable,
        sizes: BiLSTMSizes,
        seen_once: Tensor | None = None,
        context: Context | None = None,
    ) -> None:
        super().__init__()
        self.vocabulary = vocabulary
        self.sizes = sizes
        self.width = 2 * sizes.hidden
        self.table = table
        self.characters = CharacterBiLSTM(vocabulary, sizes.characters, sizes.character_hidden, sizes.dropout)
        # No module, so that what never learns is in no optimizer, average or snapshot.
        self.context = context
        self.context_width = context.width if context else 0
        self.sentence_lstm = PackedBiLSTM(self.context_width + sizes.words + self.characters.width, sizes.hidden)
        self.dropout = Dropout(sizes.dropout)
        self.register_buffer("seen_once", seen_once, persistent=False)

    def collate(self, sentences: Sequence[Tokens]) -> WordInputs:
        """Return ``sentences`` in packed order, each distinct spelling once."""
        order = sorted(range(len(sentences)), key=lambda sentence: len(sentences[sentence]), reverse=True)
        packing = pack([len(sentences[sentence]) for sentence in order])
        tokens = list(chain.from_iterable(sentences[sentence] for sentence in order))
        distinct = distinct_words(tokens)
        number = {word: i for i, word in enumerate(distinct)}
        spelling = np.array([number[word] for word in tokens])[packing.indices.numpy()]
        rows = np.array([self.vocabulary.word(word) for word in distinct])
        indices = np.array(order)[packing.sequence.numpy()] * len(packing.running) + packing.step.numpy()
        return WordInputs(
            words=torch.from_numpy(rows[spelling]),
            packing=packing,
            spelling=torch.from_numpy(spelling),
            spellings=self.characters.collate(distinct),
            indices=torch.from_numpy(indices),
            shape=(len(sentences), len(packing.running)),
            context=self._context([sentences[sentence] for sentence in order], packing),
        )

    def forward(self, inputs: WordInputs) -> Tensor:
        """Return features of shape (sentences, tokens, width), zero in the padding."""
        spelled = self.characters(inputs.spellings)
        numbers = self._dropped(inputs.words)
        parts = [self.table(numbers), spelled.index_select(0, inputs.spelling)]
        if inputs.context is not None:
            parts.insert(0, inputs.context.to(spelled.dtype))
        fixed = self.table.fixed(numbers, before=self.context_width)
        read = self.sentence_lstm(self.dropout(torch.cat(parts, dim=1)), inputs.packing, fixed)
        states: Tensor = self.dropout(read)
        sentences, tokens = inputs.shape
        padded = states.new_zeros(sentences * tokens, self.width)
        return padded.index_copy_(0, inputs.indices, states).view(sentences, tokens, self.width)

    def _context(self, sentences: Sequence[Tokens], packing: Packing) -> Tensor | None:
        """Return the context of ``sentences``, longest first, in packed order."""
        return torch.cat(self.context.rows(sentences))[packing.indices] if self.context else None

    def _dropped(self, words: Tensor) -> Tensor:
        """Return ``words`` with a share of them made unknown while training, so that the unknown row is learned."""
        if not self.training:
            return words
        if self.seen_once is not None:
            drawn = torch.rand(words.shape, device=words.device) < self.sizes.singletons
            words = words.masked_fill(drawn & self.seen_once[words], UNKNOWN)
        return words
