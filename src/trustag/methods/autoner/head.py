"""The tie-or-break head: scores of the gap before each token, and of types of stretches that start and end there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from trustag.errors import InputError
from trustag.methods.autoner.lattice import POSITIONS
from trustag.methods.autoner.stretch_outputs import StretchOutputs
from trustag.models.corpus_decoder import CorpusDecoder
from trustag.models.heads import HeadKind
from trustag.recipes.network_settings import ModelSettings
from trustag.text.label_sets import LabelSet

PLACE: Final = f"{__name__}:TIE_OR_BREAK"
_HIDDEN: Final = 50


@dataclass(frozen=True, slots=True)
class TieOrBreakOutputs:
    """The scores of a padded batch: gaps (sentences, tokens); starts and ends (sentences, tokens, types + 1)."""

    features: Tensor
    mask: Tensor
    gaps: Tensor
    starts: Tensor
    ends: Tensor


class TieOrBreakHead(nn.Module):
    """Three small networks with one hidden layer: of the two tokens at a gap, and of the ends of a stretch."""

    def __init__(self, labels: LabelSet, width: int) -> None:
        super().__init__()
        if labels.positions != POSITIONS:
            raise InputError(f"labels with the positions {labels.positions}", remedy="use IOBES")
        self.labels = labels
        self.score_width = 1 + 2 * (1 + len(labels.types))
        self.gap = _layers(2 * width, 1)
        self.start, self.end = (_layers(width, 1 + len(labels.types)) for _ in range(2))

    def scores(self, features: Tensor, mask: Tensor) -> Tensor:  # noqa: ARG002 - padding comes after all gaps
        """Return the scores of all tokens (sentences, tokens, score_width); the first of a sentence has no gap."""
        pairs = torch.cat([features[:, :-1], features[:, 1:]], -1)
        gaps = nn.functional.pad(self.gap(pairs), (0, 0, 1, 0))
        return torch.cat([gaps, self.start(features), self.end(features)], -1)

    def outputs(self, features: Tensor, mask: Tensor) -> TieOrBreakOutputs:
        """Return the scores of a batch, taken apart."""
        scores = self.scores(features, mask)
        starts, ends = scores[..., 1:].chunk(2, -1)
        return TieOrBreakOutputs(features, mask, scores[..., 0], starts, ends)

    def decoder(self, *, legal_only: bool) -> CorpusDecoder:
        """Return a decoder for the present weights."""
        return CorpusDecoder(self, legal_only=legal_only)

    def corpus_outputs(self, lengths: Sequence[int], scores: Tensor) -> StretchOutputs:
        """Return the outputs for whole sentences."""
        return StretchOutputs(lengths, scores)


def _layers(width: int, scores: int) -> nn.Module:
    return nn.Sequential(nn.Linear(width, _HIDDEN), nn.ReLU(), nn.Linear(_HIDDEN, scores))


def _head(labels: LabelSet, width: int, settings: ModelSettings) -> nn.Module:  # noqa: ARG001 - every builder's
    return TieOrBreakHead(labels, width)


TIE_OR_BREAK: Final = HeadKind(_head, StretchOutputs.from_tensors)
