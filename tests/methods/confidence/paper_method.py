"""The paper's method written out slowly: every label path enumerated, every choice in plain loops (eq. 3 to 8)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

import torch
from torch import Tensor

from trustag.crf import Chain
from trustag.methods.confidence.settings import ConfidenceSettings


@dataclass(frozen=True)
class Example:
    """Sentences of one batch: the names of all labels, the scores of each, and the given labels by name."""

    names: tuple[str, ...]
    emissions: list[Tensor]
    chain: Chain
    given: list[list[str]]

    def score(self, sentence: int, path: Sequence[int]) -> Tensor:
        """Phi(y) of the paper, as a logarithm."""
        total = self.chain.start[path[0]] + self.chain.end[path[-1]]
        for token, label in enumerate(path):
            total = total + self.emissions[sentence][token, label]
        for left, right in pairwise(path):
            total = total + self.chain.transitions[left, right]
        return total

    def log_sum(self, sentence: int, allowed: Sequence[set[str]]) -> Tensor:
        """The logarithm of the sum over all paths through ``allowed``; with all labels everywhere, log Z (eq. 2)."""
        numbers = [[number for number, name in enumerate(self.names) if name in names] for names in allowed]
        return torch.logsumexp(torch.stack([self.score(sentence, path) for path in product(*numbers)]), 0)


def label_probabilities(example: Example, sentence: int, scoring: str) -> list[dict[str, float]]:
    """p(y_i | x) of each token: over all paths (eq. 3) or over its own scores (eq. 4)."""
    everything = [set(example.names)] * len(example.given[sentence])
    rows = []
    for token, scores in enumerate(example.emissions[sentence]):
        if scoring == "local":
            weights = [math.exp(score) for score in scores.tolist()]
        else:
            weights = []
            for name in example.names:
                through = [*everything[:token], {name}, *everything[token + 1 :]]
                share = example.log_sum(sentence, through) - example.log_sum(sentence, everything)
                weights.append(math.exp(share.item()))
        rows.append({name: weight / sum(weights) for name, weight in zip(example.names, weights, strict=True)})
    return rows


def drop_ratio(rate: float, epoch: int, ramp: int, schedule: str) -> float:
    """1 - r(e) of eq. 5 for ``epoch`` from 1: as in the text, or as the code's evenly spaced values from zero."""
    if schedule == "smooth":
        return min(epoch / ramp * rate, rate)
    rising = torch.linspace(0, rate, ramp, dtype=torch.float64).tolist()
    return rising[epoch - 1] if epoch <= ramp and ramp > 1 else rate


def kept(size: int, ratio: float, rounding: str) -> int:
    exact = size * (1 - ratio)
    if rounding == "nearest":
        return round(round(exact, 9))
    return int(round(exact, 9)) or size


def allowed_sets(example: Example, settings: ConfidenceSettings, ratios: tuple[float, float]) -> list[list[set[str]]]:
    """The labels each token of the batch may take when ``ratios`` of O and entity labels are not trusted."""
    probabilities = [label_probabilities(example, sentence, settings.scoring) for sentence in range(len(example.given))]
    trusted: set[tuple[int, int]] = set()
    for is_entity, ratio in zip((False, True), ratios, strict=True):
        group = [
            (-probabilities[sentence][token][label], sentence, token)
            for sentence, labels in enumerate(example.given)
            for token, label in enumerate(labels)
            if (label != "O") == is_entity
        ]
        keep = kept(len(group), ratio, settings.parity.rounding)
        trusted |= {(sentence, token) for _, sentence, token in sorted(group)[:keep]}
    return [
        [
            {label}
            if (sentence, token) in trusted
            else _allowed_by_distrusted(label, probabilities[sentence][token], settings)
            for token, label in enumerate(labels)
        ]
        for sentence, labels in enumerate(example.given)
    ]


def _allowed_by_distrusted(label: str, probabilities: dict[str, float], settings: ConfidenceSettings) -> set[str]:
    """What a distrusted label still allows (eq. 6 and 7)."""
    everything = set(probabilities)
    if label == "O" or not settings.calibration:
        return everything
    position, kind = label.split("-")
    same_position = {name for name in everything if name.split("-")[0] == position}
    same_type = {name for name in everything if name.split("-")[-1] == kind}

    def evidence(names: set[str]) -> float:
        counted = names | {"O"} if settings.parity.part_outside else names
        total = sum(probabilities[name] for name in counted)
        return total / len(counted) if settings.parity.part_score == "mean" else total

    difference = evidence(same_position) - evidence(same_type)
    if abs(difference) < 1e-12:
        return everything
    return (same_position if difference > 0 else same_type) | {"O"}


def loss(example: Example, allowed: list[list[set[str]]]) -> Tensor:
    """-log p~ of eq. 8, summed over the sentences."""
    total = torch.zeros((), dtype=torch.float64)
    for sentence, sets in enumerate(allowed):
        everything = [set(example.names)] * len(sets)
        total = total + example.log_sum(sentence, everything) - example.log_sum(sentence, sets)
    return total
