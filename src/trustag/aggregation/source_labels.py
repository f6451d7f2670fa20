"""The labels that several sources gave to one text, as indices into one label set."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from trustag.text.label_sets import LabelSet
from trustag.text.labels import Label
from trustag.text.schemes import Scheme, convert_labels

Indices = NDArray[np.int16]
Booleans = NDArray[np.bool_]
Probabilities = NDArray[np.float64]

UNKNOWN: Final = -1
"""The index of a label that a source did not give."""

_BLOCK: Final = 4096


@dataclass(frozen=True)
class SourceLabels:
    """What each source says of each token: ``indices`` (tokens, sources); the tokens of all sentences stand in a row.

    An index is that of a label in ``labels``, whose scheme is IOB2, or ``UNKNOWN``.
    """

    names: tuple[str, ...]
    labels: LabelSet
    indices: Indices
    lengths: tuple[int, ...]

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """The index of the first token of each sentence, and the number of all tokens at the end."""
        return (0, *np.cumsum(self.lengths).tolist())

    @cached_property
    def is_first(self) -> Booleans:
        """Which tokens begin a sentence (tokens,)."""
        first = np.zeros(len(self.indices), dtype=np.bool_)
        first[[start for start, length in zip(self.offsets, self.lengths, strict=False) if length]] = True
        return first

    @cached_property
    def before(self) -> Indices:
        """What each source says of the token before, ``O`` where a sentence begins: (tokens, sources)."""
        shifted = np.zeros_like(self.indices)
        shifted[1:] = self.indices[:-1]
        shifted[self.is_first] = 0
        return shifted

    def of(self, source: int) -> Iterator[tuple[Label, ...]]:
        """Yield the labels of one source, sentence by sentence."""
        yield from labels_of(self.indices[:, source], self.labels, self.lengths)

    @cached_property
    def blocks(self) -> tuple[NDArray[np.intp], ...]:
        """The tokens of groups of sentences of like length, padded with -1: (tokens, sentences) each."""
        order = [number for number in np.argsort(self.lengths, kind="stable")[::-1].tolist() if self.lengths[number]]
        found, first = [], 0
        while first < len(order):
            longest = self.lengths[order[first]]
            group = order[first : first + max(1, _BLOCK // longest)]
            block = np.full((longest, len(group)), -1, dtype=np.intp)
            for column, number in enumerate(group):
                block[: self.lengths[number], column] = np.arange(self.offsets[number], self.offsets[number + 1])
            found.append(block)
            first += len(group)
        return tuple(found)


def encode_sources(
    names: Sequence[str], types: Sequence[str], sentences: Sequence[Sequence[Sequence[Label]]]
) -> SourceLabels:
    """Return the labels of ``sentences``, each with one labelling a source in the order of ``names``."""
    labels = LabelSet.of(tuple(types), Scheme.IOB2)
    lengths = tuple(len(labellings[0]) for labellings in sentences)
    indices = np.full((sum(lengths), len(names)), UNKNOWN, dtype=np.int16)
    start = 0
    for labellings, length in zip(sentences, lengths, strict=True):
        for source, given in enumerate(labellings):
            converted = convert_labels(given, Scheme.IOB2)
            indices[start : start + length, source] = [
                UNKNOWN if label is None else labels.index[label] for label in converted
            ]
        start += length
    return SourceLabels(tuple(names), labels, indices, lengths)


def labels_of(indices: NDArray[np.integer], labels: LabelSet, lengths: Sequence[int]) -> Iterator[tuple[Label, ...]]:
    """Yield ``indices`` (tokens,) as the labels of each sentence."""
    spelled: list[Label] = [*labels.labels, None]
    start = 0
    for length in lengths:
        yield tuple(spelled[index] for index in indices[start : start + length].tolist())
        start += length
