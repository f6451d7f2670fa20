"""A trained network put to use: labels, probabilities and entities for any number of sentences, in their order."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import numpy as np
import torch
from torch import Tensor

from trustag.crf.chain import Chain
from trustag.crf.decoding import best_paths
from trustag.crf.loss import token_marginals
from trustag.models.encoders import Tokens
from trustag.models.network import Network
from trustag.text.labels import LabelSet
from trustag.text.schemes import Scheme, convert_labels

Item = TypeVar("Item")
_BATCH: Final = 128
_LOOKAHEAD: Final = 4096


@dataclass(frozen=True, slots=True)
class _Scores:
    """What the network says of a batch, and where its sentences stand in the order of the caller."""

    places: list[int]
    lengths: list[int]
    emissions: Tensor
    mask: Tensor


class Tagger:
    """Tags sentences with a trained network; every token gets a label, and the order of the sentences is kept."""

    def __init__(self, network: Network, labels: LabelSet, chain: Chain | None = None) -> None:
        self.network = network.eval()
        self.labels = labels
        self._chain = chain

    @property
    def chain(self) -> Chain:
        """The scores that decoding uses, illegal moves ruled out where the model asks for it."""
        return self._chain if self._chain is not None else self.network.chain

    def tag(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            tagged: list[tuple[str, ...]] = [()] * len(chunk)
            for scores in self._scores(chunk):
                paths = best_paths(scores.emissions, self.chain, scores.mask).labels.tolist()
                for place, length, path in zip(scores.places, scores.lengths, paths, strict=True):
                    spelled = [self.labels.labels[label] for label in path[:length]]
                    tagged[place] = tuple(label or "" for label in convert_labels(spelled, scheme))
            yield from tagged

    def marginals(self, sentences: Iterable[Tokens]) -> Iterator[np.ndarray]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            found = [np.empty((0, len(self.labels)), dtype=np.float32)] * len(chunk)
            for scores in self._scores(chunk):
                marginals = token_marginals(scores.emissions, self.chain, scores.mask).numpy(force=True)
                for place, length, table in zip(scores.places, scores.lengths, marginals, strict=True):
                    found[place] = table[:length]
            yield from found

    @torch.no_grad()
    def _scores(self, chunk: Sequence[Tokens]) -> Iterator[_Scores]:
        """Yield the chunk in batches of similar length; sentences without tokens need no scores."""
        self.network.eval()
        order = sorted((i for i, tokens in enumerate(chunk) if tokens), key=lambda i: len(chunk[i]))
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            lengths = [len(chunk[place]) for place in places]
            emissions = self.network(self.network.collate([chunk[place] for place in places]))
            mask = torch.arange(max(lengths))[None, :] < torch.tensor(lengths)[:, None]
            yield _Scores(places, lengths, emissions, mask.to(emissions.device))


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield ``items`` in lists of ``size``, reading no further ahead."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk
