"""Which ``O`` labels are taken at their word: rather those of common words, hardly ever those of words of entities."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import torch
from torch import Tensor

from trustag.crf import one_hot_mask
from trustag.data.encoded_corpus import EncodedCorpus
from trustag.methods.lrnt.settings import LRNTSettings
from trustag.models.network import Network
from trustag.seeded_random import SeededRandom
from trustag.training.objectives import Batch, StatelessObjective
from trustag.training.schedule import FitSchedule

_ENTITY_WORD: Final = -10.0
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class SampledOutside:
    """Entity labels are certain, ``O`` labels if they were drawn, reviewed ones always."""

    settings: LRNTSettings

    def build(self, corpus: EncodedCorpus, network: Network, schedule: FitSchedule) -> "SampledOutsideObjective":  # noqa: ARG002
        """Return the objective for training on ``corpus``."""
        every = max(1, schedule.stretched(self.settings.redraw_epochs))
        return SampledOutsideObjective(corpus, self.settings.outside_ratio, every, schedule.seed)


class SampledOutsideObjective(StatelessObjective):
    """The partial loss under certain labels; with a softmax, the cross-entropy of tokens with a certain label."""

    def __init__(self, corpus: EncodedCorpus, ratio: float, every: int, seed: int) -> None:
        self.corpus = corpus
        self.ratio = ratio
        self.every = every
        self.seed = seed
        self.scores = outside_scores(corpus)
        self.certain: Sequence[Tensor] = ()

    def begin_epoch(self, epoch: int) -> None:
        """Draw which ``O`` labels are certain; the same again for every epoch of a drawing."""
        name = f"certain outside labels, drawing {epoch // self.every}"
        draw = torch.Generator().manual_seed(SeededRandom(self.seed, name).below(2**31))
        drawn = sampled_outside(self.corpus, self.scores, self.ratio, draw)
        certain = drawn | (self.corpus.label_ids > 0) | self.corpus.reviewed
        self.certain = torch.split(certain, self.corpus.lengths)

    def __call__(self, batch: Batch) -> Tensor:
        """Return the loss of each sentence."""
        outputs = batch.label_outputs
        certain = batch.rows(self.certain).bool()
        return outputs.loss(one_hot_mask(batch.labels, outputs.logits.shape[-1]) | ~certain[..., None])


def outside_scores(corpus: EncodedCorpus) -> Tensor:
    """Return how likely the ``O`` label of each token is drawn, as a logarithm: (tokens,).

    It is the share of sentences that have the word, times the share that the word has of its sentence; lower by ten for
    words that are part of an entity somewhere.
    """
    sentences = Counter(word for tokens in corpus.tokens for word in set(tokens))
    words = [word for tokens in corpus.tokens for word in tokens]
    names = {word for word, label in zip(words, corpus.label_ids.tolist(), strict=True) if label > 0}
    within = [Counter(tokens) for tokens in corpus.tokens]
    own = [counts[word] / len(tokens) for counts, tokens in zip(within, corpus.tokens, strict=True) for word in tokens]
    shares = torch.tensor([sentences[word] / len(corpus) for word in words]) * torch.tensor(own)
    return shares.log() + _ENTITY_WORD * torch.tensor([float(word in names) for word in words])


def sampled_outside(corpus: EncodedCorpus, scores: Tensor, ratio: float, draw: torch.Generator) -> Tensor:
    """Return which ``O`` labels are drawn (tokens,): ``ratio`` of those of each sentence, rounded down.

    They are drawn one after the other without replacement, with probabilities that are the softmax of ``scores``. That
    is the same as taking the highest scores after Gumbel noise was added to them.
    """
    noise = -torch.empty_like(scores).exponential_(generator=draw).log()
    ranked = (scores + noise).masked_fill(corpus.label_ids != 0, -torch.inf)
    drawn = torch.zeros_like(corpus.is_reviewed)
    for (first, end), labels in zip(pairwise(corpus.offsets), corpus.rows, strict=True):
        count = int(ratio * int((labels == 0).sum()) + _ROUNDING)
        drawn[first + ranked[first:end].topk(count).indices] = True
    return drawn
