"""Temperature: how far probabilities must be flattened to mean what they say, found without any gold label.

Networks come out too sure of themselves. Divided by a temperature above one, scores give flatter probabilities and the
same best paths. With clean labels one would take the temperature that makes them most likely. Of noisy ones each is
right only with some probability, by the ranking of issues; the temperature is the one that makes them most likely to be
right and wrong in these shares, on sentences the models have not seen.
"""

import math
from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor

from trustag.confidence.probabilities import confidence
from trustag.data.corpus_outputs import CorpusOutputs

_COLDEST: Final = 0.5
_HOTTEST: Final = 4.0
_STEPS: Final = 8
_ENOUGH: Final = 1000  # sentences of one model; more change the second decimal
_SMALLEST: Final = 1e-9


def fitted_temperature(predicted: Sequence[tuple[CorpusOutputs, Tensor, Tensor]]) -> float:
    """Return the temperature for outputs of sentences the models have not seen; 1 where no label is known.

    Beside the outputs of each model stand the given labels of its tokens, negative where unknown, and how likely each
    is wrong.
    """
    samples = [_sample(*own) for own in predicted]
    if not any(bool((given >= 0).any()) for _, given, _ in samples):
        return 1.0

    def loss(logarithm: float) -> float:
        return sum(_loss(outputs, given, wrong, math.exp(logarithm)) for outputs, given, wrong in samples)

    low, high = math.log(_COLDEST), math.log(_HOTTEST)
    for _ in range(_STEPS):
        third = (high - low) / 3
        if loss(low + third) < loss(high - third):
            high -= third
        else:
            low += third
    return math.exp((low + high) / 2)


def _loss(outputs: CorpusOutputs, given: Tensor, wrong: Tensor, temperature: float) -> float:
    known = given >= 0
    right = confidence(outputs.at(temperature).marginals(), given)[known].double().clamp(_SMALLEST, 1 - _SMALLEST)
    doubt = wrong[known].double()
    return float(-((1 - doubt) * right.log() + doubt * (1 - right).log()).sum())


def _sample(outputs: CorpusOutputs, given: Tensor, wrong: Tensor) -> tuple[CorpusOutputs, Tensor, Tensor]:
    """Return sentences spread evenly over those of a model, with what stands beside them."""
    step = max(1, math.ceil(len(outputs.lengths) / _ENOUGH))
    sentences = range(0, len(outputs.lengths), step)
    starts = torch.tensor([0, *outputs.lengths]).cumsum(0).tolist()
    indices = torch.cat([torch.arange(starts[number], starts[number + 1]) for number in sentences])
    return outputs.of(sentences), given[indices], wrong[indices]
