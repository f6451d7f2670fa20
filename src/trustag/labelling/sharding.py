"""Label documents in parallel by any engine: batches of documents, in order, with the result of a single process."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import lru_cache
from itertools import chain
from typing import Final

from trustag.engines import Engine
from trustag.labelling.configuration import build_labeller
from trustag.labelling.labeller import LabelledSentence, Labeller
from trustag.labelling.settings import LabellingSettings
from trustag.notes import unwatched
from trustag.text.sentences import Sentence

BATCH_TOKENS: Final = 20_000
_WAITING: Final = 2
"""Batches for each worker that are read before they are needed."""


def label_by(
    engine: Engine, labeller: Labeller, documents: Iterable[list[Sentence]], workers: int
) -> Iterator[LabelledSentence]:
    """Yield the labelled sentences of ``documents`` in their order; only a few batches are in memory at a time."""
    if engine.runs_here:
        yield from chain.from_iterable(map(labeller.label, documents))
        return
    settings = labeller.settings.model_dump_json()
    waiting: deque[Future[list[LabelledSentence]]] = deque()
    for batch in in_batches(documents):
        waiting.append(engine.submit(label_batch, settings, batch))
        if len(waiting) > _WAITING * workers:
            yield from waiting.popleft().result()
    while waiting:
        yield from waiting.popleft().result()


def in_batches(documents: Iterable[list[Sentence]]) -> Iterator[list[list[Sentence]]]:
    """Yield documents together until they have enough tokens to be worth sending."""
    batch: list[list[Sentence]] = []
    tokens = 0
    for document in documents:
        batch.append(document)
        tokens += sum(len(sentence.tokens) for sentence in document)
        if tokens >= BATCH_TOKENS:
            yield batch
            batch, tokens = [], 0
    if batch:
        yield batch


def label_batch(settings: str, documents: Sequence[Sequence[Sentence]]) -> list[LabelledSentence]:
    """Return the labelled sentences of documents, in a worker process; lists are loaded once for all batches."""
    labeller = _labeller(settings)
    return [sentence for document in documents for sentence in labeller.label(document)]


@lru_cache(maxsize=2)
def _labeller(settings: str) -> Labeller:
    return build_labeller(LabellingSettings.model_validate_json(settings), unwatched)
