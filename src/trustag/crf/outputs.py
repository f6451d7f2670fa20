"""What a network says of sentences, kept as scores and chain: probabilities, best paths and readings follow from it."""

from collections.abc import Iterator, Sequence
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
class Reading:
    """The labels of some neighbouring tokens of a sentence, as numbers, from token ``first`` on."""

    sentence: int
    first: int
    labels: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a network says of some sentences: label scores of all their tokens in a row, and the chain of labels."""

    lengths: Sequence[int]
    emissions: Tensor
    chain: Chain

    def of(self, sentences: Sequence[int]) -> "Judgement":
        """Return what is said of some of the sentences, given by their places."""
        rows = torch.split(self.emissions, list(self.lengths))
        chosen = torch.cat([self.emissions[:0], *(rows[sentence] for sentence in sentences)])
        return Judgement([self.lengths[sentence] for sentence in sentences], chosen, self.chain)

    def legal(self, moves: LegalTransitions) -> "Judgement":
        """Return the same with illegal label sequences ruled out."""
        return Judgement(self.lengths, self.emissions, constrain(self.chain, moves))

    def at(self, temperature: float) -> "Judgement":
        """Return the same, flatter above a temperature of one and sharper below; best paths stay the same."""
        return Judgement(self.lengths, self.emissions / temperature, self.chain.at(temperature))

    def marginals(self, allowed: Tensor | None = None) -> Tensor:
        """Return the probability of each label at each token, over the paths inside ``allowed`` (tokens, labels)."""
        found = torch.empty_like(self.emissions)
        for batch in self._batches(allowed):
            marginals = token_marginals(batch.emissions, self.chain, batch.mask, batch.allowed)
            found[batch.places] = marginals[batch.mask]
        return found

    def best_labels(self, allowed: Tensor | None = None) -> Tensor:
        """Return the label of each token on the best path inside ``allowed``."""
        found = torch.empty(len(self.emissions), dtype=torch.long)
        for batch in self._batches(allowed):
            paths = viterbi_decode(batch.emissions, self.chain, batch.mask, batch.allowed).labels
            found[batch.places] = paths[batch.mask]
        return found

    def probabilities_of(self, readings: Sequence[Reading], allowed: Tensor | None = None) -> list[float]:
        """Return the exact probability of each reading, over the paths inside ``allowed``."""
        found = [0.0] * len(readings)
        asked: dict[int, list[int]] = {}
        for place, reading in enumerate(readings):
            asked.setdefault(reading.sentence, []).append(place)
        for batch in self._batches(allowed, sorted(asked)):
            places = [(row, place) for row, sentence in enumerate(batch.sentences) for place in asked[sentence]]
            own = [readings[place] for _, place in places]
            spans = LabelledSpans(
                torch.tensor([row for row, _ in places]),
                torch.tensor([reading.first for reading in own]),
                pad_sequence([torch.tensor(reading.labels) for reading in own], batch_first=True, padding_value=-1),
            )
            messages = forward_backward_messages(batch.emissions, self.chain, batch.mask, batch.allowed)
            values = sequence_posteriors(messages, spans).clamp(0, 1).tolist()
            for (_, place), value in zip(places, values, strict=True):
                found[place] = value
        return found

    def _batches(self, allowed: Tensor | None, sentences: Sequence[int] | None = None) -> Iterator["_Batch"]:
        """Yield the sentences, or some of them, in batches of similar length, padded."""
        first = [0, *accumulate(self.lengths)]
        chosen = range(len(self.lengths)) if sentences is None else sentences
        order = sorted(chosen, key=lambda sentence: self.lengths[sentence])
        for start in range(0, len(order), _BATCH):
            own = order[start : start + _BATCH]
            rows = [torch.arange(first[sentence], first[sentence + 1]) for sentence in own]
            places = pad_sequence(rows, batch_first=True, padding_value=-1)
            mask = places >= 0
            padded = places.clamp(min=0)
            restriction = None if allowed is None else allowed[padded]
            yield _Batch(own, places[mask], mask, self.emissions[padded], restriction)


def mean_judgement(judgements: Sequence[Judgement]) -> Judgement:
    """Return what several networks say of the same sentences as one judgement, whose scores are the mean of theirs.

    The mean of the scores of several chains is again the scores of a chain: its probability of a labelling is the
    geometric mean of theirs.
    """
    emissions = torch.stack([judgement.emissions for judgement in judgements]).mean(0)
    return Judgement(judgements[0].lengths, emissions, mean_chain([judgement.chain for judgement in judgements]))


@dataclass(frozen=True, slots=True)
class _Batch:
    sentences: list[int]
    places: Tensor
    mask: Tensor
    emissions: Tensor
    allowed: Tensor | None
