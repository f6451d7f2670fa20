"""The table of word vectors: given ones, frozen or learning, and rows that training alone fills."""

from typing import Literal, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from trustag.models.lstm import Fixed

VectorTraining: TypeAlias = Literal["frozen", "trained"]


class WordTable(nn.Module):
    """Rows for the words of a vocabulary: unknown, the learned words, then those with given vectors.

    Frozen vectors are kept out of the gradient altogether: a vector that learns memorises the wrong label of its word
    at once, one that does not cannot. Trained vectors get sparse gradients, so that a step costs what its words cost.
    """

    def __init__(self, learned: int, vectors: Tensor, training_of_vectors: VectorTraining) -> None:
        super().__init__()
        width = vectors.shape[1]
        self.learned_rows = learned + 1
        self.training_of_vectors = training_of_vectors
        bound = (3 / width) ** 0.5
        fresh = torch.empty(self.learned_rows, width).uniform_(-bound, bound)
        if training_of_vectors == "frozen":
            self.fresh = nn.Parameter(fresh)
            self.register_buffer("given", vectors.clone())
        else:
            # Not torch.cat: where a saved model is built without memory, that would load torch's compiler.
            rows = torch.empty(self.learned_rows + len(vectors), width)
            rows[: self.learned_rows], rows[self.learned_rows :] = fresh, vectors
            self.rows = nn.Parameter(rows)

    def forward(self, words: Tensor) -> Tensor:
        """Return the vectors of ``words``."""
        if self.training_of_vectors == "trained":
            return functional.embedding(words, self.rows, sparse=True)
        given: Tensor = self.given  # type: ignore[assignment] # a buffer is always a tensor here
        indices = self._fresh_rows(words)
        vectors = (
            given.index_select(0, (words - self.learned_rows).clamp_(min=0))
            if len(given)
            else given.new_zeros(len(words), self.fresh.shape[1])
        )
        return vectors.index_copy(0, indices, self.fresh.index_select(0, words[indices]))

    def fixed(self, words: Tensor, before: int = 0) -> Fixed | None:
        """Return which part of the vectors of ``words`` and of so many columns ``before`` them does not learn.

        None where all of them do.
        """
        if self.training_of_vectors == "trained":
            return Fixed(before, words.new_empty(0)) if before else None
        return Fixed(before + self.fresh.shape[1], self._fresh_rows(words))

    def _fresh_rows(self, words: Tensor) -> Tensor:
        return (words < self.learned_rows).nonzero()[:, 0]
