"""Folds of a corpus as indices: the labels of each fold are predicted by a model that is trained on the others.

Some labels may be hidden from every model, because they look wrong before any model was trained.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.seeded_random import SeededRandom


@dataclass(frozen=True, slots=True)
class HiddenLabels:
    """Labels that no fold model sees: some are shown ``as_outside`` (tokens,), the others as ``unknown`` (tokens,)."""

    as_outside: Tensor
    unknown: Tensor

    @classmethod
    def none(cls, corpus: EncodedCorpus) -> "HiddenLabels":
        """Return that every label of ``corpus`` is visible."""
        nothing = torch.zeros_like(corpus.is_reviewed)
        return cls(nothing, nothing)

    @property
    def any(self) -> Tensor:
        """Which labels no model sees: (tokens,)."""
        return self.as_outside | self.unknown


@dataclass(frozen=True, slots=True)
class Folds:
    """Parts of a corpus, as sentence indices; each is held out from one model, which is trained on the others."""

    parts: Sequence[Sequence[int]]
    hidden: HiddenLabels

    def __len__(self) -> int:
        return len(self.parts)

    def heldout_indices(self, fold: int) -> Sequence[int]:
        """Return the sentences whose labels the model of ``fold`` does not see and predicts."""
        return self.parts[fold]

    def train_indices(self, fold: int) -> list[int]:
        """Return the sentences that the model of ``fold`` is trained on."""
        return sorted(number for other, part in enumerate(self.parts) if other != fold for number in part)

    def training_corpus(self, corpus: EncodedCorpus, fold: int) -> EncodedCorpus:
        """Return what the model of ``fold`` is trained on: the other parts of ``corpus``, hidden labels replaced."""
        sentences = self.train_indices(fold)
        indices = corpus.token_indices(sentences)
        own = corpus.subset(sentences)
        shown = own.label_ids.masked_fill(self.hidden.unknown[indices], NO_LABEL)
        return own.with_labels(shown.masked_fill(self.hidden.as_outside[indices], 0))


def draw_folds(corpus: EncodedCorpus, folds: int, seed: int, drawing: int, hidden: HiddenLabels) -> Folds:
    """Return the folds of a corpus; the same seed and drawing give the same ones."""
    return Folds(draw_parts(len(corpus), folds, seed, drawing), hidden)


def draw_parts(sentences: int, folds: int, seed: int, drawing: int) -> list[list[int]]:
    """Return the sentence indices of each fold, of sizes that differ by one at most; no fold is empty.

    >>> sorted(map(len, draw_parts(5, 2, seed=1, drawing=0)))
    [2, 3]
    """
    order = SeededRandom(seed, f"folds of drawing {drawing}").shuffled(range(sentences))
    count = min(folds, sentences)
    return [sorted(order[fold::count]) for fold in range(count)]
