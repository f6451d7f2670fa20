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
    constrain,
    entity_grammar,
    entity_posteriors,
    entity_spans,
    forward_backward_messages,
    legal_transitions,
    token_marginals,
    viterbi_decode,
)
from trustag.crf.single_viterbi import SingleViterbi
from trustag.data.encoded_corpus import MODEL_SCHEME
from trustag.models.encoders import Tokens
from trustag.models.inference import BiLSTMInference, inference_of
from trustag.models.network import Network
from trustag.models.wording import in_words
from trustag.text.labels import LabelSet
from trustag.text.schemes import Scheme
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
class _Prepared:
    """What is worked out from the weights once, as long as they stay the same."""

    weights: list[tuple[int, int]]
    chain: Chain
    single_viterbi: SingleViterbi
    inference: BiLSTMInference | None


@dataclass(frozen=True, slots=True)
class _Scores:
    """What the network says of a batch, and where its sentences stand in the order of the caller."""

    places: list[int]
    lengths: list[int]
    emissions: Tensor
    prepared: _Prepared

    @property
    def mask(self) -> Tensor:
        """True at tokens, false in the padding."""
        mask = torch.arange(max(self.lengths))[None, :] < torch.tensor(self.lengths)[:, None]
        return mask.to(self.emissions.device)


class Tagger:
    """Tags sentences with a trained network; every token gets a label, and the order of the sentences is kept.

    Scores are divided by ``temperature`` before they become probabilities. It computes with ``threads`` threads
    whatever the process uses, since sums split among threads round differently; for networks of this size one is as
    fast as many. Weights that change between two calls are noticed.
    """

    def __init__(
        self,
        network: Network,
        labels: LabelSet,
        *,
        legal_only: bool = True,
        temperature: float = 1.0,
        threads: int = 1,
    ) -> None:
        self.network = network.eval()
        self.labels = labels
        self.temperature = temperature
        self.threads = threads
        self._legal = legal_transitions(labels.labels, MODEL_SCHEME) if legal_only else None
        self._reading = entity_grammar(labels.labels)
        self._tensors = [*network.parameters(), *network.buffers()]
        self._prepared: _Prepared | None = None

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is worked out from the weights, so that copies can be made and sent to other processes."""
        return {**self.__dict__, "_prepared": None}

    @property
    def chain(self) -> Chain:
        """The scores that decoding uses, illegal moves ruled out where the model asks for it."""
        return constrain(self.network.chain, self._legal) if self._legal is not None else self.network.chain

    def tag(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            tagged: list[tuple[str, ...]] = [()] * len(chunk)
            for scores in self._scores(chunk):
                for place, path in zip(scores.places, self._best(scores), strict=True):
                    tagged[place] = self._in_words(path, scheme)
            yield from tagged

    def tag_entities(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[Tagged]:
        """Yield the best labels of each sentence with its entities, each with its exact probability."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            tagged = [Tagged((), ())] * len(chunk)
            for scores in self._scores(chunk):
                paths = self._best(scores)
                spans = [read_spans(self._in_words(path, MODEL_SCHEME)) for path in paths]
                probabilities = iter(self._probabilities(scores, spans))
                for place, path, found in zip(scores.places, paths, spans, strict=True):
                    entities = tuple(ScoredSpan(*span, next(probabilities)) for span in found)
                    tagged[place] = Tagged(self._in_words(path, scheme), entities)
            yield from tagged

    def marginals(self, sentences: Iterable[Tokens]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            found = [np.empty((0, len(self.labels)), dtype=np.float32)] * len(chunk)
            for scores in self._scores(chunk):
                with _threads(self.threads):
                    chain = scores.prepared.chain.at(self.temperature)
                    tables = token_marginals(scores.emissions / self.temperature, chain, scores.mask).numpy(force=True)
                for place, length, table in zip(scores.places, scores.lengths, tables, strict=True):
                    found[place] = table[:length]
            yield from found

    def emissions(self, sentences: Iterable[Tokens]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the score that the network gives each label at each token, (tokens, labels)."""
        for chunk in _chunks(sentences, _LOOKAHEAD):
            found = [np.empty((0, len(self.labels)), dtype=np.float32)] * len(chunk)
            for scores in self._scores(chunk):
                tables = scores.emissions.numpy(force=True)
                for place, length, table in zip(scores.places, scores.lengths, tables, strict=True):
                    found[place] = table[:length]
            yield from found

    def _best(self, scores: _Scores) -> list[list[int]]:
        """Return the best path of each sentence."""
        if len(scores.places) == 1:
            path = scores.prepared.single_viterbi.decode(scores.emissions[0].numpy(force=True))
            if path is not None:
                return [path]
        with _threads(self.threads):
            paths = viterbi_decode(scores.emissions, scores.prepared.chain, scores.mask).labels.tolist()
        return [path[:length] for length, path in zip(scores.lengths, paths, strict=True)]

    def _in_words(self, path: Sequence[int], scheme: Scheme) -> tuple[str, ...]:
        return in_words(path, self.labels, scheme, legal=self._legal is not None)

    def _probabilities(self, scores: _Scores, spans: Sequence[Sequence[Span]]) -> list[float]:
        with _threads(self.threads):
            chain = scores.prepared.chain.at(self.temperature)
            messages = forward_backward_messages(scores.emissions / self.temperature, chain, scores.mask)
            asked = entity_spans(spans, self._reading)
            found: list[float] = entity_posteriors(messages, asked, self._reading).clamp(0, 1).tolist()
        return found

    def _scores(self, chunk: Sequence[Tokens]) -> Iterator[_Scores]:
        """Yield the chunk in batches of similar length; sentences without tokens need no scores."""
        ready = self._ready()
        inference = ready.inference
        if inference is None:
            self.network.eval()
        elif len(chunk) > _BATCH:
            with _threads(self.threads):
                inference.look_ahead(chunk)
        order = sorted((i for i, tokens in enumerate(chunk) if tokens), key=lambda i: len(chunk[i]))
        for start in range(0, len(order), _BATCH):
            places = order[start : start + _BATCH]
            sentences = [chunk[place] for place in places]
            with torch.no_grad(), _threads(self.threads):
                emissions = inference(sentences) if inference else self.network(self.network.collate(sentences))
            yield _Scores(places, [len(tokens) for tokens in sentences], emissions, ready)

    def _ready(self) -> _Prepared:
        """Return what follows from the weights, worked out anew when they have changed."""
        weights = [(t.data_ptr(), 0 if t.is_inference() else t._version) for t in self._tensors]
        if self._prepared is None or self._prepared.weights != weights:
            with torch.no_grad():
                chain = self.chain
                self._prepared = _Prepared(weights, chain, SingleViterbi(chain), inference_of(self.network))
        return self._prepared


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
