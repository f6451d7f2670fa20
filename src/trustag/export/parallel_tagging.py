"""A tagger whose work is done by an engine, in parts of a fixed size: the result does not depend on where that is."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from trustag.engines import Engine
from trustag.export.model_loading import load_tagger
from trustag.models.tagged import LOOKAHEAD, SentenceTagger, Tagged
from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme

_WAITING: Final = 8


class EngineTagger:
    """Tags with the model in a folder wherever an engine runs tasks; ``here`` is the same model, for what it says."""

    def __init__(self, here: SentenceTagger, engine: Engine, model: Path) -> None:
        self.here = here
        self.engine = engine
        self.model = model

    @property
    def labels(self) -> LabelSet:
        """The labels in the order of the marginals."""
        return self.here.labels

    @property
    def expects_words(self) -> bool:
        """Whether it was trained on words, not single characters, of a script without spaces between words."""
        return self.here.expects_words

    @property
    def temperature(self) -> float:
        """By what scores are divided before they become probabilities."""
        return self.here.temperature

    @property
    def weight_count(self) -> int:
        """How many numbers the model has learned."""
        return self.here.weight_count

    def tag(self, sentences: Iterable[Sequence[str]], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        return self._tagged("tag", sentences, scheme)

    def tag_entities(self, sentences: Iterable[Sequence[str]], scheme: Scheme = Scheme.IOB2) -> Iterator[Tagged]:
        """Yield the best labels of each sentence with its entities, each with its exact probability."""
        return self._tagged("tag_entities", sentences, scheme)

    def marginals(self, sentences: Iterable[Sequence[str]]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        return self._tagged("marginals", sentences)

    def _tagged(self, what: str, sentences: Iterable[Sequence[str]], *options: object) -> Iterator[Any]:
        """Yield what the tagger says, in order, reading only some parts ahead.

        A part is what a tagger takes together, since sentences in other company round differently.
        """
        waiting: deque[Future[list[Any]]] = deque()
        rest = iter(sentences)
        while part := tuple(map(tuple, islice(rest, LOOKAHEAD))):
            waiting.append(self.engine.submit(_tag_part, self.model, what, part, *options))
            if len(waiting) > _WAITING:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _tag_part(model: Path, what: str, sentences: tuple[Sequence[str], ...], *options: object) -> list[Any]:
    return list(getattr(_loaded(model), what)(sentences, *options))


@lru_cache(maxsize=1)
def _loaded(model: Path) -> SentenceTagger:
    """Return the tagger in a folder; a worker loads it once."""
    return load_tagger(model)
