"""Ranges of noise rates that hold: bounded by dev where there is one, and wide where there are only noisy labels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import torch

from trustag.crf import legal_transitions
from trustag.crossfit.predictions import OutOfFoldPredictions
from trustag.data.corpus_outputs import CorpusOutputs
from trustag.data.encoded_corpus import encode_gold
from trustag.noise_rates.dev_bounds import LabelledDev, bounded_noise
from trustag.noise_rates.rates import FoundRates, Interval, NoiseRates
from trustag.training.task import Task

_LEAST_SENTENCES: Final = 40
_UNSEEN: Final = 2.0
"""There were up to so many times as many missed entities as the range of the estimate says (a dictionary's labels)."""


@dataclass(frozen=True, slots=True)
class ShortModels:
    """What fold models after a short training say of what they did not see, and each of them of dev."""

    predictions: OutOfFoldPredictions
    on_dev: Sequence[CorpusOutputs]


def with_honest_ranges(task: Task, found: FoundRates, models: ShortModels) -> FoundRates:
    """Return the estimated rates with ranges that hold; dev, where there is one, bounds them, and tells kinds apart.

    Noisy labels alone do not tell wrong labels from labels that are hard to predict: without dev ranges begin at 0.
    """
    if len(task.dev) < _LEAST_SENTENCES:
        return _from_labels_alone(found, models.predictions)
    labels = task.corpus.labels
    legal = legal_transitions(labels.labels, labels.scheme)
    dev = LabelledDev(
        torch.cat(encode_gold((sentence.labels for sentence in task.dev), labels)).numpy(),
        [len(sentence) for sentence in task.dev],
        [outputs.legal(legal).marginals(None).numpy() for outputs in models.on_dev],
    )
    given = task.corpus.unreviewed_ids.numpy()
    noise = bounded_noise(given, models.predictions.probabilities(None).numpy(), dev, labels, task.seed)
    missed, wrong = noise.kinds.missed, noise.wrong
    negative = min(max(found.rates.negative, missed.low), missed.high)
    positive = min(max(found.rates.positive, wrong.low), wrong.high)
    return replace(
        found,
        rates=moved_rates(found.rates, negative, positive).capped(),
        negative_interval=(missed.low, missed.high),
        positive_interval=(wrong.low, wrong.high),
        kinds=noise.kinds,
    )


def moved_rates(rates: NoiseRates, negative: float, positive: float) -> NoiseRates:
    """Return the rates with others for all labels, and those of groups of entity labels moved as these are.

    Upwards, each label's chance to be right shrinks alike, downwards that to be wrong.

    >>> moved_rates(NoiseRates(0.1, 0.2, {"PER": 0.5}), 0.1, 0.6).by_group
    {'PER': 0.75}
    """
    before = rates.positive
    by_group = dict(rates.by_group)
    if positive < before:
        by_group = {name: rate * positive / before for name, rate in by_group.items()}
    elif before < positive:
        right = (1 - positive) / (1 - before)
        by_group = {name: 1 - (1 - rate) * right for name, rate in by_group.items()}
    return NoiseRates(negative, positive, by_group)


def _from_labels_alone(found: FoundRates, predictions: OutOfFoldPredictions) -> FoundRates:
    """Return the rates with ranges from nothing to what labels that cannot be predicted leave room for."""
    given = predictions.corpus.unreviewed_ids
    table = predictions.probabilities(None)
    entity = given > 0
    doubted = 1 - table[entity].gather(1, given[entity][:, None]).mean().item() if entity.any() else 1.0
    negative, positive = found.rates.negative, found.rates.positive
    return replace(
        found,
        negative_interval=(0.0, max(negative, min(1.0, _UNSEEN * _high(found.negative_interval)))),
        positive_interval=(0.0, max(positive, doubted, _high(found.positive_interval))),
    )


def _high(interval: Interval | None) -> float:
    return 1.0 if interval is None else interval[1]
