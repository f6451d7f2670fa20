"""A BiLSTM-CRF trainer as it is usually written: torch's own LSTMs over packed sequences, pytorch-crf, dense SGD."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence
from torchcrf import CRF

from trustag.data.encoded_corpus import EncodedCorpus
from trustag.models.network_spec import GivenVectors

WORD_HIDDEN = 100
CHARACTER_HIDDEN = 25
CHARACTER_WIDTH = 25
DROPOUT = 0.5
LEARNING_RATE = 0.01
UNKNOWN = 0


@dataclass(frozen=True, slots=True)
class Encoded:
    """A sentence as numbers: its words, the characters of each word, and its labels."""

    words: Tensor
    characters: list[Tensor]
    labels: Tensor


class PlainTagger(nn.Module):
    """Word vectors that learn, a character LSTM, a word LSTM, a projection and a CRF."""

    def __init__(self, vectors: Tensor, characters: int, labels: int) -> None:
        super().__init__()
        self.words = nn.Embedding(*vectors.shape)
        self.words.weight.data.copy_(vectors)
        self.characters = nn.Embedding(characters, CHARACTER_WIDTH)
        self.character_lstm = nn.LSTM(CHARACTER_WIDTH, CHARACTER_HIDDEN, batch_first=True, bidirectional=True)
        self.word_lstm = nn.LSTM(
            vectors.shape[1] + 2 * CHARACTER_HIDDEN, WORD_HIDDEN, batch_first=True, bidirectional=True
        )
        self.dropout = nn.Dropout(DROPOUT)
        self.projection = nn.Linear(2 * WORD_HIDDEN, labels)
        self.crf = CRF(labels, batch_first=True)

    def forward(self, batch: Sequence[Encoded]) -> Tensor:
        """Return the negative log-likelihood of the labels, summed over the sentences."""
        lengths = torch.tensor([len(sentence.words) for sentence in batch])
        words = self.words(pad_sequence([sentence.words for sentence in batch], batch_first=True))
        spelled = pad_sequence(list(torch.split(self._spelled(batch), lengths.tolist())), batch_first=True)
        inputs = self.dropout(torch.cat([words, spelled], dim=2))
        packed = pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.word_lstm(packed)[0], batch_first=True)
        emissions = self.projection(self.dropout(states))
        labels = pad_sequence([sentence.labels for sentence in batch], batch_first=True)
        mask = torch.arange(labels.shape[1]) < lengths[:, None]
        likelihood: Tensor = self.crf(emissions, labels, mask)
        return -likelihood

    def _spelled(self, batch: Sequence[Encoded]) -> Tensor:
        """Return the last states over the characters of every token, sentence after sentence."""
        spellings = [word for sentence in batch for word in sentence.characters]
        lengths = torch.tensor([len(spelling) for spelling in spellings])
        embedded = self.dropout(self.characters(pad_sequence(spellings, batch_first=True)))
        packed = pack_padded_sequence(embedded, lengths, batch_first=True, enforce_sorted=False)
        _, (final, _) = self.character_lstm(packed)
        return torch.cat([final[0], final[1]], dim=1)


class PlainTrainer:
    """Trains a plain tagger; everything that can be numbered beforehand is.

    The word table holds the words of the training sentences in lower case and no others, which favours this trainer:
    a dense gradient costs what the table costs.
    """

    def __init__(self, corpus: EncodedCorpus, vectors: GivenVectors) -> None:
        known = {word: row for row, word in enumerate(vectors.words)}
        words = sorted({word.lower() for tokens in corpus.tokens for word in tokens})
        characters = sorted({letter for tokens in corpus.tokens for word in tokens for letter in word})
        bound = (3 / vectors.rows.shape[1]) ** 0.5
        table = torch.empty(len(words) + 1, vectors.rows.shape[1]).uniform_(-bound, bound)
        for row, word in enumerate(words, start=1):
            if word in known:
                table[row] = vectors.rows[known[word]]
        self.sentences = _encoded(corpus, _numbers(words), _numbers(characters))
        self.network = PlainTagger(table, len(characters) + 1, len(corpus.labels))
        self.optimizer = torch.optim.SGD(self.network.parameters(), lr=LEARNING_RATE)
        self.loss_sum = 0.0

    def run(self, batches: Sequence[Sequence[int]]) -> Iterator[None]:
        """Train on ``batches`` of sentence numbers, yielding after each."""
        self.network.train()
        for batch in batches:
            self.optimizer.zero_grad()
            loss = self.network([self.sentences[sentence] for sentence in batch])
            loss.backward()
            self.optimizer.step()
            self.loss_sum += loss.item()
            yield


def _numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names, start=1)}


def _encoded(corpus: EncodedCorpus, words: Mapping[str, int], characters: Mapping[str, int]) -> list[Encoded]:
    return [
        Encoded(
            torch.tensor([words.get(word.lower(), UNKNOWN) for word in tokens]),
            [torch.tensor([characters.get(letter, UNKNOWN) for letter in word]) for word in tokens],
            labels,
        )
        for tokens, labels in zip(corpus.tokens, corpus.rows, strict=True)
    ]
