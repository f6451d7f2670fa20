"""Negative subsampling by name: of the ``O`` labels of a name only a few are used in an epoch.

Annotators miss names as a whole. *EFE*, missed 900 times, is ``O`` 900 times in an epoch, and a model that sees it
each time has memorised it before it can begin to doubt. Shown as often as a rare name, it is predicted from what
other names are. Elsewhere in the epoch the label counts as unknown.
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from trustag.noise.surface_names import Name, name_runs
from trustag.seeded_random import SeededRandom


class NegativeSampler:
    """Draws, for each epoch, at most ``most`` occurrences of a name whose ``O`` labels are visible; 0 means all.

    ``names`` has a row for each sentence, as :func:`trustag.noise.surface_names.names_of` gives it; ``outside``
    (tokens,) says which labels are an ``O`` that may be left out. All others are always visible.
    """

    def __init__(self, names: Sequence[Sequence[Name]], outside: Tensor, most: int, seed: int) -> None:
        self._most = most
        self._seed = seed
        self._tokens = len(outside)
        occurrences: dict[str, list[range]] = {}
        for name, run in name_runs(names):
            if outside[run.start : run.stop].all():
                occurrences.setdefault(name, []).append(run)
        self._frequent = [runs for runs in occurrences.values() if most and len(runs) > most]

    def visible(self, epoch: int) -> Tensor:
        """Return whether each label is visible in ``epoch``: (tokens,)."""
        rng = SeededRandom(self._seed, f"tellings of epoch {epoch}")
        visible = torch.ones(self._tokens, dtype=torch.bool)
        left_out = [token for runs in self._frequent for run in rng.shuffled(runs)[self._most :] for token in run]
        visible[left_out] = False
        return visible
