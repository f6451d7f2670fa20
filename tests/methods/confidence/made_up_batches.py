"""Batches with made-up beliefs for the paper's objective."""

import math
from collections.abc import Sequence

import torch
from torch import Tensor

from trustag.confidence.selection import NoiseRates
from trustag.crf import Chain
from trustag.data.encoded_corpus import Numbered, padded_labels
from trustag.recipes.doubt_settings import ConfidenceSettings
from trustag.recipes.loading import load_recipe
from trustag.recipes.settings import Recipe, TrainingSettings
from trustag.text.label_sets import LabelSet
from trustag.training.confident import ConfidentLabels
from trustag.training.objectives import Pass, Scored

PAPER = load_recipe("paper").confidence
LABELS = LabelSet(("LOC", "PER"), "BI")
OUTSIDE, B_LOC, I_LOC, B_PER, I_PER = range(5)
FLAT = Chain(torch.zeros(5, 5), torch.zeros(5), torch.zeros(5))


def settled(**changes: object) -> ConfidenceSettings:
    """Return the paper's settings with changes; without a ramp the whole rate is distrusted at once."""
    return PAPER.model_copy(update={"ramp": 1, **changes})


def objective_of(
    rows: Sequence[Sequence[int]],
    rates: NoiseRates,
    chosen: ConfidenceSettings,
    *,
    epochs: int = 1,
    gold: Sequence[Sequence[int]] | None = None,
    labels: LabelSet = LABELS,
) -> ConfidentLabels:
    tokens = tuple(("word",) * len(row) for row in rows)
    truth = None if gold is None else tuple(torch.tensor(row) for row in gold)
    numbered = Numbered(tokens, tuple(torch.tensor(row) for row in rows), truth)
    recipe = Recipe(confidence=chosen, training=TrainingSettings(epochs=epochs))
    return ConfidentLabels(numbered, labels, rates, recipe)


def batch_of(
    sentences: Sequence[int],
    rows: Sequence[Sequence[int]],
    emissions: Sequence[Tensor],
    chain: Chain = FLAT,
    clean: Sequence[Tensor] | None = None,
) -> Scored:
    labels, mask = padded_labels([torch.tensor(rows[number]) for number in sentences])

    def reading(tables: Sequence[Tensor]) -> Pass:
        padded = torch.nn.utils.rnn.pad_sequence([tables[number] for number in sentences], batch_first=True)
        return Pass(padded, padded)

    second = emissions if clean is None else clean
    return Scored(list(sentences), labels, mask, reading(emissions), chain, lambda: reading(second))


def sure_of(*probabilities: float, label: int = OUTSIDE) -> Tensor:
    """Return scores that give ``label`` these probabilities, one a token, and the rest to all others alike."""
    rows = [[math.log((1 - share) / 4)] * 5 for share in probabilities]
    for row, share in zip(rows, probabilities, strict=True):
        row[label] = math.log(share)
    return torch.tensor(rows)
