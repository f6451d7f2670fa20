"""What taggers give, whichever library computes it: labels, entities with their probabilities, marginals."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from trustag.text.label_sets import LabelSet
from trustag.text.schemes import Scheme

LOOKAHEAD: Final = 4096
"""How many sentences a tagger takes together, to tag those of one length side by side."""


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


class SentenceTagger(Protocol):
    """Tags sentences; every token gets a label, and the order of the sentences is kept."""

    @property
    def labels(self) -> LabelSet:
        """The labels in the order of the marginals."""
        ...

    @property
    def expects_words(self) -> bool:
        """Whether it was trained on words, not single characters, of a script without spaces between words."""
        ...

    @property
    def temperature(self) -> float:
        """By what scores are divided before they become probabilities."""
        ...

    @property
    def weight_count(self) -> int:
        """How many numbers the model has learned."""
        ...

    def tag(self, sentences: Iterable[Sequence[str]], scheme: Scheme = Scheme.IOB2) -> Iterator[tuple[str, ...]]:
        """Yield the best labels of each sentence."""
        ...

    def tag_entities(self, sentences: Iterable[Sequence[str]], scheme: Scheme = Scheme.IOB2) -> Iterator[Tagged]:
        """Yield the best labels of each sentence with its entities, each with its exact probability."""
        ...

    def marginals(self, sentences: Iterable[Sequence[str]]) -> Iterator[npt.NDArray[np.float32]]:
        """Yield, for each sentence, the probability of each label at each token, (tokens, labels)."""
        ...
