"""How often a model is told that a name is no entity: a few times in an epoch, however often the name occurs.

Labels are forgotten by the name. *EFE*, forgotten 900 times, is ``O`` 900 times in an epoch, and a model that hears so
each time knows it by heart before it can begin to doubt. Told of it no oftener than of a rare name, it judges it by
what other names are. Elsewhere in the epoch the label counts as unknown.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from trustag.noise.surface_names import Name, name_runs
from trustag.seeded_random import SeededRandom


class Tellings:
    """Draws, for each epoch, the places of a name at which its ``O`` is told: ``most`` of them, or all where that is 0.

    ``names`` has a row for each sentence, as :func:`trustag.noise.surface_names.names_of` gives it; ``outside`` says,
    for all tokens in a row, which labels are an ``O`` that may go untold. All others are always told.
    """

    def __init__(self, names: Sequence[Sequence[Name]], outside: Tensor, most: int, seed: int) -> None:
        self._most = most
        self._seed = seed
        self._tokens = len(outside)
        places: dict[str, list[range]] = {}
        for name, run in name_runs(names):
            if outside[run.start : run.stop].all():
                places.setdefault(name, []).append(run)
        self._frequent = [runs for runs in places.values() if most and len(runs) > most]

    def told(self, epoch: int) -> Tensor:
        """Return, for all tokens in a row, whether their labels are told in ``epoch``."""
        rng = SeededRandom(self._seed, f"tellings of epoch {epoch}")
        told = torch.ones(self._tokens, dtype=torch.bool)
        left_out = [token for runs in self._frequent for run in rng.shuffled(runs)[self._most :] for token in run]
        told[left_out] = False
        return told
