"""What a distrusted label still allows: the labels that share the part of it that looks right (equations 6 and 7).

Of a distrusted ``B-PER`` often one half is right: an entity begins here, or a person is meant. The half with more
probability behind it stays, the other is given up; ``O`` is always possible.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import torch
from torch import Tensor

from trustag.crf import one_hot_mask
from trustag.text.label_sets import LabelSet
from trustag.text.labels import OUTSIDE, canonical_position, split_label

PartScore: TypeAlias = Literal["sum", "mean"]


@dataclass(frozen=True, slots=True)
class LabelParts:
    """For each label (a row), the labels that share its position and those that share its type.

    ``O`` belongs to every row; the row of ``O`` itself holds every label, which makes its two parts equal and so leaves
    everything open.
    """

    position: Tensor
    type: Tensor

    def to(self, device: torch.device) -> "LabelParts":
        """Return the same on ``device``."""
        return LabelParts(self.position.to(device), self.type.to(device))


@dataclass(frozen=True, slots=True)
class PartScores:
    """The evidence for the position and for the type of each given label, and the decision between the two."""

    position: Tensor
    type: Tensor


def label_parts(labels: LabelSet) -> LabelParts:
    """Return which labels of a set share a position and which a type."""
    split = [("", "") if label == OUTSIDE else split_label(label) for label in labels]
    positions = [position and canonical_position(position) for position, _ in split]
    kinds = [kind for _, kind in split]
    return LabelParts(_shared(positions), _shared(kinds))


def part_scores(
    probabilities: Tensor, labels: Tensor, parts: LabelParts, *, by: PartScore = "sum", count_outside: bool = True
) -> PartScores:
    """Return the probability that falls to the labels sharing each given label's position (eq. 6), and its type (7).

    The published code compares sums over sets that hold ``O``; the text divides by the size of sets that may not.
    """
    given = labels.clamp(min=0)
    found = []
    for table in (parts.position, parts.type):
        members = table.clone()
        if not count_outside:
            members[1:, 0] = False
        weights = members.to(probabilities.dtype)
        if by == "mean":
            weights = weights / weights.sum(1, keepdim=True)
        found.append((probabilities * weights[given]).sum(-1))
    return PartScores(*found)


def allowed_labels(labels: Tensor, trusted: Tensor, parts: LabelParts, scores: PartScores | None) -> Tensor:
    """Return which labels stay allowed at each token: those whose paths eq. 8 adds up.

    A trusted label allows itself alone. A distrusted entity label allows the part with the higher score, and everything
    when the two are equal or ``scores`` is None (no calibration); so does a distrusted ``O``, and an unknown label.
    """
    label_count = parts.position.shape[0]
    allowed = torch.ones((*labels.shape, label_count), dtype=torch.bool, device=labels.device)
    if scores is not None:
        given = labels.clamp(min=0)
        allowed = torch.where((scores.position > scores.type)[..., None], parts.position[given], allowed)
        allowed = torch.where((scores.position < scores.type)[..., None], parts.type[given], allowed)
    allowed = torch.where(trusted[..., None], one_hot_mask(labels, label_count), allowed)
    return allowed | (labels < 0)[..., None]


def _shared(names: list[str]) -> Tensor:
    """Return the table of labels with the same name; the unnamed one, ``O``, goes with every other."""
    return torch.tensor([[not own or not other or own == other for other in names] for own in names])
