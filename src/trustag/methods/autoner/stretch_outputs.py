"""What a tie-or-break head says of sentences, kept as scores: every probability follows from them exactly."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Final

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from trustag.crf import LegalTransitions
from trustag.crf.crf_outputs import LabelSequence
from trustag.methods.autoner.lattice import FORBIDDEN, POSITIONS, Lattice

_BATCH: Final = 64


@dataclass(frozen=True, slots=True)
class StretchOutputs:
    """The scores of all tokens in a row (tokens, width): the gap before each, types that start and that end there."""

    lengths: Sequence[int]
    scores: Tensor

    @classmethod
    def from_tensors(cls, lengths: Sequence[int], tensors: Mapping[str, Tensor]) -> "StretchOutputs":
        """Return the outputs that :meth:`tensors` took apart."""
        return cls(lengths, tensors["scores"])

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the outputs as named tensors, for a file."""
        return {"scores": self.scores}

    def of(self, sentences: Sequence[int]) -> "StretchOutputs":
        """Return the outputs for some of the sentences, by their indices."""
        rows = torch.split(self.scores, list(self.lengths))
        chosen = torch.cat([self.scores[:0], *(rows[sentence] for sentence in sentences)])
        return StretchOutputs([self.lengths[sentence] for sentence in sentences], chosen)

    def legal(self, moves: LegalTransitions) -> "StretchOutputs":  # noqa: ARG002 - the protocol's
        """Return the same: no way to cut a sentence has illegal labels."""
        return self

    def at(self, temperature: float) -> "StretchOutputs":
        """Return the same at another temperature, for gaps and for types."""
        return replace(self, scores=self.scores / temperature)

    def mean_with(self, others: Sequence["StretchOutputs"]) -> "StretchOutputs":
        """Return the ensemble with other heads of this kind: the mean of all scores."""
        return replace(self, scores=torch.stack([self.scores, *(other.scores for other in others)]).mean(0))

    def marginals(self, allowed: Tensor | None = None) -> Tensor:
        """Return the probability of each label at each token (tokens, labels): the derivative of the log-partition."""
        found = torch.empty(len(self.scores), self._labels)
        for batch in self._batches(range(len(self.lengths)), allowed):
            weights = batch.weights.requires_grad_()
            with torch.enable_grad():
                (own,) = torch.autograd.grad(batch.lattice.log_partition(weights).sum(), weights)
            found[batch.indices[batch.mask]] = own[batch.mask].float()
        return found

    def best_labels(self, allowed: Tensor | None = None) -> Tensor:
        """Return the label of each token in the best way to cut and type its sentence: (tokens,)."""
        found = torch.empty(len(self.scores), dtype=torch.long)
        for batch in self._batches(range(len(self.lengths)), allowed):
            best = batch.lattice.best_labels(batch.weights)
            found[batch.indices[batch.mask]] = torch.tensor([label for row in best for label in row])
        return found

    def probabilities_of(self, sequences: Sequence[LabelSequence], allowed: Tensor | None = None) -> list[float]:
        """Return the exact probability of each sequence of labels of neighbouring tokens."""
        found = [0.0] * len(sequences)
        done = 0
        order = sorted(range(len(sequences)), key=lambda index: self.lengths[sequences[index].sentence])
        for batch in self._batches([sequences[index].sentence for index in order], allowed, is_sorted=True):
            own = order[done : done + len(batch.mask)]
            done += len(own)
            inside = batch.weights.clone()
            for row, index in zip(inside, own, strict=True):
                sequence = sequences[index]
                tokens = torch.arange(sequence.first, sequence.first + len(sequence.labels))
                kept = row[tokens, list(sequence.labels)]
                row[tokens] = FORBIDDEN
                row[tokens, list(sequence.labels)] = kept
            both = [batch.lattice.log_partition(weights) for weights in (inside, batch.weights)]
            for index, value in zip(own, (both[0] - both[1]).exp().clamp(max=1).tolist(), strict=True):
                found[index] = value
        return found

    @property
    def _labels(self) -> int:
        """The number of labels: ``O``, and every position of every type."""
        types = (self.scores.shape[1] - 1) // 2 - 1
        return 1 + len(POSITIONS) * types

    def _batches(
        self, sentences: Sequence[int], allowed: Tensor | None, *, is_sorted: bool = False
    ) -> Iterator["_Batch"]:
        """Yield sentences of similar length, padded, in double precision."""
        first = [0, *accumulate(self.lengths)]
        order = list(sentences) if is_sorted else sorted(sentences, key=lambda sentence: self.lengths[sentence])
        for start in range(0, len(order), _BATCH):
            own = order[start : start + _BATCH]
            rows = [torch.arange(first[sentence], first[sentence + 1]) for sentence in own]
            indices = pad_sequence(rows, batch_first=True, padding_value=-1)
            padded = indices.clamp(min=0)
            scores = self.scores.detach()[padded].double()
            weights = scores.new_zeros(*indices.shape, self._labels)
            if allowed is not None:
                weights = weights.masked_fill(~allowed[padded].bool(), FORBIDDEN)
            starts, ends = scores[..., 1:].chunk(2, -1)
            lattice = Lattice(scores[..., 0], starts, ends, [len(row) for row in rows])
            yield _Batch(indices, indices >= 0, lattice, weights)


@dataclass(frozen=True, slots=True)
class _Batch:
    indices: Tensor
    mask: Tensor
    lattice: Lattice
    weights: Tensor
