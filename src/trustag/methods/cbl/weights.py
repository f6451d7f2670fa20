"""What binary rounds know of each token, as weights of labels."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from trustag.crf import one_hot_mask
from trustag.data.encoded_corpus import NO_LABEL, EncodedCorpus
from trustag.methods.cbl.settings import InitialWeights

_ROUNDING: Final = 1e-6
_BINARY: Final = 2


def known_entities(corpus: EncodedCorpus) -> Tensor:
    """Return what is certain of each token (tokens,): 1 for entity labels, 0 for reviewed ``O``, else ``NO_LABEL``."""
    known = torch.full_like(corpus.label_ids, NO_LABEL)
    known[corpus.reviewed] = 0
    known[corpus.label_ids > 0] = 1
    return known


def initial_weights(corpus: EncodedCorpus, kind: InitialWeights) -> Tensor:
    """Return the weights of ``O`` and entity at each token before the first round: (tokens, 2).

    ``combined`` trusts the ``O`` of a frequent word more than that of a rare one, unless it stands next to a labelled
    entity: whoever labelled that has seen it. Unknown labels are undecided.
    """
    outside = (corpus.label_ids == 0).double()
    outside[corpus.label_ids == NO_LABEL] = 0.5
    if kind == "combined":
        is_free = (corpus.label_ids == 0) & ~corpus.reviewed & ~_beside_entities(corpus)
        scaled = (_scaled_frequencies(corpus.tokens) + 1 / _BINARY).clamp(max=1)
        outside = torch.where(is_free, scaled, outside)
    return torch.stack([outside, 1 - outside], -1).float()


def constrained_weights(entity: Tensor, known: Tensor, share: float) -> Tensor:
    """Return the weights of ``O`` and entity at each token (tokens, 2) that a round leaves to the next.

    The tokens with the highest ``entity`` probabilities (tokens,) are entities, as many as ``share`` of all tokens;
    the others are at most undecided. This fills the share even with tokens of less than one half, as the published
    code does. ``known`` (tokens,) is from :func:`known_entities`; known entities come first and count.
    """
    order = entity.masked_fill(known == 1, torch.inf).masked_fill(known == 0, -torch.inf)
    chosen = torch.zeros_like(known, dtype=torch.bool)
    chosen[order.argsort(descending=True, stable=True)[: int(share * len(known) + _ROUNDING)]] = True
    weights = entity.clamp(max=0.5).masked_fill(chosen | (known == 1), 1.0).masked_fill(known == 0, 0.0)
    return torch.stack([1 - weights, weights], -1)


def typed_weights(weights: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return the weights of all labels (tokens, labels) that follow from binary ``weights`` (tokens, 2).

    Entity labels have all the weight. Tokens found to be entities and unknown labels say nothing: all labels weigh the
    same. Elsewhere ``O`` keeps its weight and the other labels share the rest.
    """
    count = len(corpus.labels)
    outside = weights[:, :1]
    typed = torch.cat([outside, ((1 - outside) / (count - 1)).expand(-1, count - 1)], 1)
    typed[not_learned(weights, corpus) | (corpus.label_ids == NO_LABEL)] = 1 / count
    labelled = corpus.label_ids > 0
    typed[labelled] = one_hot_mask(corpus.label_ids[labelled], count).to(typed.dtype)
    return typed


def not_learned(weights: Tensor, corpus: EncodedCorpus) -> Tensor:
    """Return the ``O`` labels (tokens,) of tokens that the binary ``weights`` (tokens, 2) take for entities."""
    return (corpus.label_ids == 0) & (weights[:, 1] > weights[:, 0])


def _beside_entities(corpus: EncodedCorpus) -> Tensor:
    """Return the tokens (tokens,) right before or after one with an entity label in the same sentence."""
    found = torch.zeros_like(corpus.label_ids, dtype=torch.bool)
    for start, row in zip(corpus.offsets, corpus.rows, strict=False):
        labelled = (row > 0).nonzero().flatten()
        neighbours = torch.cat([labelled - 1, labelled + 1])
        found[start + neighbours[(neighbours >= 0) & (neighbours < len(row))]] = True
    return found


def _scaled_frequencies(sentences: Sequence[Sequence[str]]) -> Tensor:
    """Return the log frequency of each token's lower-cased word, scaled to 0 for the rarest and 1 for the commonest."""
    words = [token.lower() for tokens in sentences for token in tokens]
    counts = Counter(words)
    logs = torch.tensor([counts[word] for word in words], dtype=torch.float64).log()
    low, high = logs.min(), logs.max()
    return torch.ones_like(logs) if low == high else (logs - low) / (high - low)
