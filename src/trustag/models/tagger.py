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

from trustag.data.corpus_outputs import CorpusOutputs
from trustag.models.encoders import Tokens
from trustag.models.heads import Decoder
from trustag.models.inference import BiLSTMInference, inference_of
from trustag.models.network import Network
from trustag.models.tagged import LOOKAHEAD, ScoredSpan, Tagged
from trustag.models.vocabulary import Vocabulary
from trustag.models.wording import labels_of_path
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme
from trustag.text.spans import Span, read_spans

Item = TypeVar("Item")
_BATCH: Final = 128


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What is worked out from the weights once, as long as they stay the same."""

    weights: list[tuple[int, int]]
    decoder: Decoder
    inference: BiLSTMInference | None


@dataclass(frozen=True, slots=True)
class _Scores:
    """What the network says of a batch, and where its sentences stand in the order of the caller."""

    indices: list[int]
    lengths: list[int]
    scores: Tensor
    prepared: _Prepared


class Tagger:
    """Tags sentences with a trained network; every token gets a label, and the order of the sentences is kept.

    Scores are divided by ``temperature`` before they become probabilities. It computes with ``threads`` threads
    whatever the process uses, since sums split among threads round differently; for networks of this size one is as
    fast as many. Weights that change between two calls are noticed.
    """

    def __init__(
        self, network: Network, *, legal_only: bool = True, temperature: float = 1.0, threads: int = 1
    ) -> None:
        self.network = network.eval()
        self.labels: LabelSet = network.labelling_head.labels
        self.legal_only = legal_only
        self.temperature = temperature
        self.threads = threads
        self._tensors = [*network.parameters(), *network.buffers()]
        self._prepared: _Prepared | None = None

    def __getstate__(self) -> dict[str, object]:
        """Leave out what is worked out from the weights, so that copies can be made and sent to other processes."""
        return {**self.__dict__, "_prepared": None}

    @property
    def expects_words(self) -> bool:
        """Whether the model was trained on words, not single characters, of a script without spaces between words."""
        vocabulary = getattr(self.network.encoder, "vocabulary", None)
        return isinstance(vocabulary, Vocabulary) and vocabulary.has_unspaced_words

    @property
    def weight_count(self) -> int:
        """How many numbers the model has learned."""
        return sum(weight.numel() for weight in self.network.parameters())

    def tag(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        for chunk in _chunks(sentences, LOOKAHEAD):
            tagged: list[tuple[str, ...]] = [()] * len(chunk)
            for scores in self._scores(chunk):
                for index, path in zip(scores.indices, self._best(scores), strict=True):
                    tagged[index] = self._in_words(path, scheme)
            yield from tagged

    def tag_entities(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[Tagged]:
        """Yield the best labels of each sentence with its entities, each with its exact probability."""
        for chunk in _chunks(sentences, LOOKAHEAD):
            tagged = [Tagged((), ())] * len(chunk)
            for scores in self._scores(chunk):
                paths = self._best(scores)
                spans = [read_spans(self._in_words(path, self.labels.scheme)) for path in paths]
                probabilities = iter(self._probabilities(scores, spans))
                for index, path, found in zip(scores.indices, paths, spans, strict=True):
                    entities = tuple(ScoredSpan(*span, next(probabilities)) for span in found)
                    tagged[index] = Tagged(self._in_words(path, scheme), entities)
            yield from tagged

    def marginals(self, sentences: Iterable[Tokens]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        for chunk in _chunks(sentences, LOOKAHEAD):
            found = [np.empty((0, len(self.labels)), dtype=np.float32)] * len(chunk)
            for scores in self._scores(chunk):
                with _threads(self.threads):
                    decoder = scores.prepared.decoder
                    tables = decoder.marginals(scores.scores, scores.lengths, self.temperature).numpy(force=True)
                for index, length, table in zip(scores.indices, scores.lengths, tables, strict=True):
                    found[index] = table[:length]
            yield from found

    def scores(self, sentences: Iterable[Tokens]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield the head's scores of each sentence, (tokens, width of a score): for a CRF or a softmax the logits."""
        for chunk in _chunks(sentences, LOOKAHEAD):
            found = [np.empty((0, self.network.labelling_head.score_width), dtype=np.float32)] * len(chunk)
            for scores in self._scores(chunk):
                tables = scores.scores.numpy(force=True)
                for index, length, table in zip(scores.indices, scores.lengths, tables, strict=True):
                    found[index] = table[:length]
            yield from found

    def corpus_outputs(self, sentences: Sequence[Tokens]) -> CorpusOutputs:
        """Return the outputs of the head for all ``sentences``, from which every probability follows."""
        head = self.network.labelling_head
        scores = torch.cat([torch.empty(0, head.score_width), *map(torch.from_numpy, self.scores(sentences))])
        with torch.no_grad(), _threads(self.threads):
            return head.corpus_outputs([len(tokens) for tokens in sentences], scores)

    def _best(self, scores: _Scores) -> list[list[int]]:
        """Return the best label indices of each sentence."""
        with _threads(self.threads):
            return scores.prepared.decoder.best_labels(scores.scores, scores.lengths)

    def _in_words(self, path: Sequence[int], scheme: Scheme) -> tuple[str, ...]:
        return labels_of_path(path, self.labels, scheme, legal=self.legal_only)

    def _probabilities(self, scores: _Scores, spans: Sequence[Sequence[Span]]) -> list[float]:
        with _threads(self.threads):
            return scores.prepared.decoder.span_probabilities(scores.scores, scores.lengths, spans, self.temperature)

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
            indices = order[start : start + _BATCH]
            sentences = [chunk[index] for index in indices]
            with torch.no_grad(), _threads(self.threads):
                found = inference(sentences) if inference else self.network.scores(sentences)
            yield _Scores(indices, [len(tokens) for tokens in sentences], found, ready)

    def _ready(self) -> _Prepared:
        """Return what follows from the weights, worked out anew when they have changed."""
        weights = [(t.data_ptr(), 0 if t.is_inference() else t._version) for t in self._tensors]
        if self._prepared is None or self._prepared.weights != weights:
            with torch.no_grad():
                decoder = self.network.labelling_head.decoder(legal_only=self.legal_only)
                self._prepared = _Prepared(weights, decoder, inference_of(self.network))
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
