"""What a CRF says of sentences, kept as logits and transitions: all probabilities and best paths follow from them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from trustag.crf import (
    Chain,
    LabelledSpans,
    LegalTransitions,
    constrain,
    forward_backward_messages,
    mean_chain,
    sequence_posteriors,
    token_marginals,
    viterbi_decode,
)

_BATCH: Final = 128


@dataclass(frozen=True, slots=True)
class LabelSequence:
    """The label indices of some neighbouring tokens of a sentence, from token ``first`` on."""

    sentence: int
    first: int
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CRFOutputs:
    """The outputs of a CRF for some sentences: logits of all tokens in a row (tokens, labels), and transitions."""

    lengths: Sequence[int]
    emissions: Tensor
    chain: Chain

    @classmethod
    def from_tensors(cls, lengths: Sequence[int], tensors: Mapping[str, Tensor]) -> "CRFOutputs":
        """Return the outputs that :meth:`tensors` took apart."""
        chain = Chain(tensors["transitions"], tensors["start"], tensors["end"])
        return cls(lengths, tensors["emissions"], chain)

    def tensors(self) -> dict[str, Tensor]:
        """Return the outputs as named tensors, for a file."""
        chain = self.chain
        parts = {"transitions": chain.transitions, "start": chain.start, "end": chain.end}
        return {"emissions": self.emissions, **{name: part.detach() for name, part in parts.items()}}

    def of(self, sentences: Sequence[int]) -> "CRFOutputs":
        """Return the outputs for some of the sentences, by their indices."""
        rows = torch.split(self.emissions, list(self.lengths))
        chosen = torch.cat([self.emissions[:0], *(rows[sentence] for sentence in sentences)])
        return CRFOutputs([self.lengths[sentence] for sentence in sentences], chosen, self.chain)

    def legal(self, moves: LegalTransitions) -> "CRFOutputs":
        """Return the same with illegal label sequences ruled out."""
        return CRFOutputs(self.lengths, self.emissions, constrain(self.chain, moves))

    def at(self, temperature: float) -> "CRFOutputs":
        """Return the same at another temperature: flatter above 1, sharper below; best paths stay the same."""
        return CRFOutputs(self.lengths, self.emissions / temperature, self.chain.at(temperature))

    def mean_with(self, others: Sequence["CRFOutputs"]) -> "CRFOutputs":
        """Return the ensemble with other CRFs for the same sentences: the mean of all logits and transitions.

        It is a CRF again; its probability of a label sequence is the normalised geometric mean of theirs.
        """
        every = [self, *others]
        emissions = torch.stack([own.emissions for own in every]).mean(0)
        return CRFOutputs(self.lengths, emissions, mean_chain([own.chain for own in every]))

    def marginals(self, allowed: Tensor | None = None) -> Tensor:
        """Return the probability of each label at each token, over the paths inside ``allowed``: (tokens, labels)."""
        found = torch.empty_like(self.emissions)
        for batch in self._batches(allowed):
            marginals = token_marginals(batch.emissions, self.chain, batch.mask, batch.allowed)
            found[batch.indices] = marginals[batch.mask]
        return found

    def best_labels(self, allowed: Tensor | None = None) -> Tensor:
        """Return the label of each token on the best path inside ``allowed``: (tokens,)."""
        found = torch.empty(len(self.emissions), dtype=torch.long)
        for batch in self._batches(allowed):
            paths = viterbi_decode(batch.emissions, self.chain, batch.mask, batch.allowed).labels
            found[batch.indices] = paths[batch.mask]
        return found

    def probabilities_of(self, sequences: Sequence[LabelSequence], allowed: Tensor | None = None) -> list[float]:
        """Return the exact probability of each sequence, over the paths inside ``allowed``."""
        found = [0.0] * len(sequences)
        asked: dict[int, list[int]] = {}
        for index, sequence in enumerate(sequences):
            asked.setdefault(sequence.sentence, []).append(index)
        for batch in self._batches(allowed, sorted(asked)):
            indices = [(row, index) for row, sentence in enumerate(batch.sentences) for index in asked[sentence]]
            own = [sequences[index] for _, index in indices]
            spans = LabelledSpans(
                torch.tensor([row for row, _ in indices]),
                torch.tensor([sequence.first for sequence in own]),
                pad_sequence([torch.tensor(sequence.labels) for sequence in own], batch_first=True, padding_value=-1),
            )
            messages = forward_backward_messages(batch.emissions, self.chain, batch.mask, batch.allowed)
            values = sequence_posteriors(messages, spans).clamp(0, 1).tolist()
            for (_, index), value in zip(indices, values, strict=True):
                found[index] = value
        return found

    def _batches(self, allowed: Tensor | None, sentences: Sequence[int] | None = None) -> Iterator["_Batch"]:
        """Yield the sentences, or some of them, in batches of similar length, padded."""
        first = [0, *accumulate(self.lengths)]
        chosen = range(len(self.lengths)) if sentences is None else sentences
        order = sorted(chosen, key=lambda sentence: self.lengths[sentence])
        for start in range(0, len(order), _BATCH):
            own = order[start : start + _BATCH]
            rows = [torch.arange(first[sentence], first[sentence + 1]) for sentence in own]
            indices = pad_sequence(rows, batch_first=True, padding_value=-1)
            mask = indices >= 0
            padded = indices.clamp(min=0)
            restriction = None if allowed is None else allowed[padded]
            yield _Batch(own, indices[mask], mask, self.emissions[padded], restriction)


@dataclass(frozen=True, slots=True)
class _Batch:
    sentences: list[int]
    indices: Tensor
    mask: Tensor
    emissions: Tensor
    allowed: Tensor | None
