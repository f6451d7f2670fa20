"""Chunks of sentences, each tagged as a whole, here or in another process; scores only differ by rounding."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from trustag.batch_tagging.tagged_records import record_of_prediction
from trustag.engines import Engine
from trustag.export.model_loading import load
from trustag.models.prediction import Predictor
from trustag.notes import Note
from trustag.text.sentences import Sentence

SENTENCES: Final = 1024
_encode: Final = msgspec.json.Encoder().encode


@dataclass(frozen=True, slots=True)
class TaggingOptions:
    """The least probability of an entity, whether to add marginals, and whether texts are documents."""

    min_score: float = 0.0
    marginals: bool = False
    documents: bool = False


class TaggedChunk(msgspec.Struct, frozen=True):
    """The lines of a chunk, how many they are, and how many entities were left out."""

    lines: bytes
    count: int
    left_out: int


class _Row(msgspec.Struct, array_like=True):
    """What tagging reads of a sentence."""

    tokens: tuple[str, ...]
    gaps: tuple[str, ...] | None


def tagged_chunks(
    engine: Engine, workers: int, model: Path, sentences: Iterable[Sentence], options: TaggingOptions
) -> Iterator[TaggedChunk]:
    """Yield the chunks of ``sentences`` in order; the engine has a few of them at a time."""
    rows = iter(sentences)
    under_way: deque[Future[TaggedChunk]] = deque()
    ahead = 1 if engine.runs_here else 2 * workers + 1
    while True:
        chunk = list(islice(rows, SENTENCES))
        if chunk:
            under_way.append(engine.submit(tag_chunk, model, _packed(chunk), options))
        if len(under_way) >= ahead or not chunk:
            if not under_way:
                return
            yield under_way.popleft().result()


def tag_chunk(model: Path, packed: bytes, options: TaggingOptions) -> TaggedChunk:
    """Return the lines of a chunk; the model stays loaded for the next one."""
    rows = msgspec.msgpack.decode(packed, type=list[_Row])
    sentences = [Sentence(row.tokens, (None,) * len(row.tokens), gaps=row.gaps) for row in rows]
    return chunk_of(loaded_model(model), sentences, options)


def chunk_of(predictor: Predictor, sentences: Sequence[Sentence], options: TaggingOptions) -> TaggedChunk:
    """Return the lines of some sentences."""
    notes: list[Note] = []
    read = predictor.documents if options.documents else predictor.stream
    lines = bytearray()
    tables = iter(predictor.predict_marginals([one.tokens for one in sentences])) if options.marginals else None
    left_out = 0
    for prediction in read(sentences, options.min_score, notes.append):
        table = None if tables is None else next(tables)
        lines += _encode(record_of_prediction(prediction, predictor.labels, table)) + b"\n"
    for note in notes:
        left_out += int(note.detail.partition(" ")[0].replace(",", ""))
    return TaggedChunk(bytes(lines), len(sentences), left_out)


def _packed(chunk: Sequence[Sentence]) -> bytes:
    return msgspec.msgpack.encode([_Row(sentence.tokens, sentence.gaps) for sentence in chunk])


@lru_cache(maxsize=1)
def loaded_model(model: Path) -> Predictor:
    """Return the model in a folder, which stays loaded."""
    return load(model)
