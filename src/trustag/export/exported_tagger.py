"""A tagger that needs neither torch nor the network's code: one graph in onnxruntime, everything else in numpy."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from trustag.export.exported_folder import GRAPH, TOKENIZER, Description, read_description, read_tables
from trustag.export.piece_rows import load_piece_rows
from trustag.export.remembered_gates import RememberedGates, WordRows
from trustag.export.sessions import GraphSession
from trustag.export.span_probabilities import CRFMessages, SpanGrammar
from trustag.models.tagged import LOOKAHEAD, ScoredSpan, Tagged
from trustag.models.wording import labels_of_path
from trustag.text.schemes import Scheme
from trustag.text.spans import read_spans

Tokens = Sequence[str]
_BATCH: Final = 128
# Rows of a transformer take far more memory than those of an LSTM.
_BATCH_WITH_CONTEXT: Final = 16
_ENTITIES: Final = ("labels", "logits", "forward", "backward", "log_partition")


class _Found(NamedTuple):
    """Outputs of the graph for a batch, and where its sentences stand in the order of the caller."""

    indices: list[int]
    lengths: npt.NDArray[np.int64]
    outputs: list[Any]

    def paths(self) -> list[list[int]]:
        """Return the best label indices of each sentence; they are the first output."""
        rows = self.outputs[0].tolist()
        return [row[:length] for row, length in zip(rows, self.lengths.tolist(), strict=True)]


class ExportedTagger:
    """Tags sentences with an exported model; every token gets a label, and the order of the sentences is kept."""

    def __init__(self, folder: Path) -> None:
        self.description: Description = read_description(folder)
        tables = read_tables(folder, self.description)
        self.labels = self.description.labels
        self._session = GraphSession(folder / GRAPH)
        self.temperature = self.description.temperature
        self.weight_count = self.description.weight_count
        vocabulary = self.description.vocabulary
        self.expects_words = vocabulary.has_unspaced_words
        facts = self.description.context
        self._pieces = None if facts is None else load_piece_rows(folder / TOKENIZER, facts)
        self._batch = _BATCH if facts is None else _BATCH_WITH_CONTEXT
        vectors = WordRows(tables["words"], tables.get("scales"))
        self._words = RememberedGates(self._session, vocabulary, vectors, self._pieces)
        moves = (
            tables[part].astype(np.float64) / self.description.temperature for part in ("transitions", "start", "end")
        )
        self._grammar = SpanGrammar.of(self.labels.labels, *moves)

    def tag(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        for chunk in _chunks(sentences):
            tagged: list[tuple[str, ...]] = [()] * len(chunk)
            for found in self._run(chunk, ["labels"]):
                for index, path in zip(found.indices, found.paths(), strict=True):
                    tagged[index] = self._in_words(path, scheme)
            yield from tagged

    def tag_entities(self, sentences: Iterable[Tokens], scheme: Scheme = Scheme.IOB2) -> Iterator[Tagged]:
        """Yield the best labels of each sentence with its entities, each with its exact probability."""
        for chunk in _chunks(sentences):
            tagged = [Tagged((), ())] * len(chunk)
            for found in self._run(chunk, _ENTITIES):
                paths = found.paths()
                spans = [read_spans(self._in_words(path, self.labels.scheme)) for path in paths]
                probabilities = iter(self._grammar.probabilities(self._messages(found), spans))
                for index, path, own in zip(found.indices, paths, spans, strict=True):
                    entities = tuple(ScoredSpan(*span, next(probabilities)) for span in own)
                    tagged[index] = Tagged(self._in_words(path, scheme), entities)
            yield from tagged

    def marginals(self, sentences: Iterable[Tokens]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        for chunk in _chunks(sentences):
            tables = [np.empty((0, len(self.labels)), dtype=np.float32)] * len(chunk)
            for found in self._run(chunk, ["marginals"]):
                for index, length, table in zip(found.indices, found.lengths, found.outputs[0], strict=True):
                    tables[index] = table[:length]
            yield from tables

    def _messages(self, found: _Found) -> CRFMessages:
        _, logits, forward, backward, log_partition = found.outputs
        scores = logits.transpose(1, 0, 2).astype(np.float64) / self.description.temperature
        return CRFMessages(scores, forward, backward, log_partition, found.lengths)

    def _in_words(self, path: Sequence[int], scheme: Scheme) -> tuple[str, ...]:
        return labels_of_path(path, self.labels, scheme, legal=self.description.legal_only)

    def _run(self, chunk: Sequence[Tokens], outputs: Sequence[str]) -> Iterator[_Found]:
        """Yield the chunk in batches of similar length; sentences without tokens need no graph."""
        if len(chunk) > self._batch:
            self._words.look_ahead(chain.from_iterable(chunk))
        order = sorted((i for i, tokens in enumerate(chunk) if tokens), key=lambda i: len(chunk[i]))
        for start in range(0, len(order), self._batch):
            indices = order[start : start + self._batch]
            sentences = [chunk[index] for index in indices]
            lengths = np.array([len(tokens) for tokens in sentences], np.int64)
            inputs = self._inputs(sentences, lengths)
            inputs["with_probabilities"] = np.array("labels" not in outputs or len(outputs) > 1)
            yield _Found(indices, lengths, self._session.run(outputs, inputs))

    def _inputs(self, sentences: Sequence[Tokens], lengths: npt.NDArray[np.int64]) -> dict[str, npt.NDArray[Any]]:
        table, numbers = self._words.rows(chain.from_iterable(sentences))
        used, own = np.unique(numbers, return_inverse=True)
        words = np.zeros((len(sentences), int(lengths.max())), np.int64)
        words[np.arange(words.shape[1]) < lengths[:, None]] = own
        pieces = {} if self._pieces is None else self._pieces.inputs(sentences)
        return {**self._words.nothing_new(), **pieces, "known": table[used], "words": words, "lengths": lengths}


def _chunks(sentences: Iterable[Tokens]) -> Iterator[list[Tokens]]:
    """Yield ``sentences`` in lists, reading no further ahead."""
    iterator = iter(sentences)
    while chunk := list(islice(iterator, LOOKAHEAD)):
        yield chunk
