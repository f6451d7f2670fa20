"""A trained network put to use: labels, probabilities and entities for any number of sentences, in their order."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from trustag.crf import (
    Chain,
    best_paths,
    chain_messages,
    entity_posteriors,
    entity_reading,
    entity_spans,
    keep_legal,
    legal_moves,
    token_marginals,
)
from trustag.models.encoders import Tokens
from trustag.models.network import Network
from trustag.models.numbered import MODEL_SCHEME
from trustag.text.labels import LabelSet
from trustag.text.schemes import Scheme, convert_labels
from trustag.text.spans import Span, read_spans

Item = TypeVar("Item")
_BATCH: Final = 128
_LOOKAHEAD: Final = 4096


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """An entity and the exact probability that these tokens are one entity of this type."""

    start: int
    end: int
    type: str
    score: float


@dataclass(frozen=True, slots=True)
class Tagged:
    """What a tagger says of one sentence: a label for every token, and its entities."""

    labels: tuple[str, ...]
    entities: tuple[ScoredSpan, ...]


@dataclass(frozen=True, slots=True)
class _Scores:
    """What the network says of a batch, and where its sentences stand in the order of the caller."""

    places: list[int]
    lengths: list[int]
    emissions: Tensor
    mask: Tensor


class Tagger:
    """Tags sentences with a trained network; every token gets a label, and the order of the sentences is kept.

    It computes with ``threads`` threads whatever the process uses, since sums split among threads round differently;
    for networks of this size one is as fast as many.
    """

    def __init__(self, network: Network, labels: LabelSet, *, legal_only: bool = True, threads: int = 1) -> None:
        self.network = network.eval()
        self.labels = labels
        self.threads = threads
        self._legal = legal_moves(labels.labels, MODEL_SCHEME) if legal_only else None
        self._reading = entity_reading(labels.labels)

    @property
    def chain(self) -> Chain:
        """The scores that decoding uses, illegal moves ruled out where the model asks for it."""
        return keep_legal(self.network.chain, self._legal) if self._legal is not None else self.network.chain

    def tag(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            tagged: list[tuple[str, ...]] = [()] * len(chunk)
            for scores in self._scores(chunk):
                for place, labels in zip(scores.places, self._best(scores), strict=True):
                    tagged[place] = _in_scheme(labels, scheme)
            yield from tagged

    def tag_entities(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[Tagged]:
        """Yield the best labels of each sentence with its entities, each with its exact probability."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            tagged = [Tagged((), ())] * len(chunk)
            for scores in self._scores(chunk):
                paths = list(self._best(scores))
                spans = [read_spans(labels) for labels in paths]
                probabilities = iter(self._probabilities(scores, spans))
                for place, labels, found in zip(scores.places, paths, spans, strict=True):
                    entities = tuple(ScoredSpan(*span, next(probabilities)) for span in found)
                    tagged[place] = Tagged(_in_scheme(labels, scheme), entities)
            yield from tagged

    def marginals(self, sentences: Iterable[Tokens]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            found = [np.empty((0, len(self.labels)), dtype=np.float32)] * len(chunk)
            for scores in self._scores(chunk):
                with _threads(self.threads):
                    tables = token_marginals(scores.emissions, self.chain, scores.mask).numpy(force=True)
                for place, length, table in zip(scores.places, scores.lengths, tables, strict=True):
                    found[place] = table[:length]
            yield from found

    def _best(self, scores: _Scores) -> Iterator[list[str]]:
        with _threads(self.threads):
            paths = best_paths(scores.emissions, self.chain, scores.mask).labels.tolist()
        names = self.labels.labels
        for length, path in zip(scores.lengths, paths, strict=True):
            yield [names[label] for label in path[:length]]

    def _probabilities(self, scores: _Scores, spans: Sequence[Sequence[Span]]) -> list[float]:
        with _threads(self.threads):
            messages = chain_messages(scores.emissions, self.chain, scores.mask)
            asked = entity_spans(spans, self._reading)
            found: list[float] = entity_posteriors(messages, asked, self._reading).clamp(0, 1).tolist()
        return found

    def _scores(self, chunk: Sequence[Tokens]) -> Iterator[_Scores]:
        """Yield the chunk in batches of similar length; sentences without tokens need no scores."""
        self.network.eval()
        order = sorted((i for i, tokens in enumerate(chunk) if tokens), key=lambda i: len(chunk[i]))
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            lengths = [len(chunk[place]) for place in places]
            with torch.no_grad(), _threads(self.threads):
                emissions = self.network(self.network.collate([chunk[place] for place in places]))
            mask = torch.arange(max(lengths))[None, :] < torch.tensor(lengths)[:, None]
            yield _Scores(places, lengths, emissions, mask.to(emissions.device))


def _in_scheme(labels: list[str], scheme: Scheme) -> tuple[str, ...]:
    if scheme is MODEL_SCHEME:
        return tuple(labels)
    return tuple(label for label in convert_labels(labels, scheme) if label is not None)


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield ``items`` in lists of ``size``, reading no further ahead."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Compute with ``count`` threads for a while."""
    before = torch.get_num_threads()
    if before == count:
        yield
        return
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)
