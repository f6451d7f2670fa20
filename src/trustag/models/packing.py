"""Sentences (or words) of different lengths laid out without padding, so that no arithmetic is spent on nothing.

Rows are ordered by step: first every sequence's first element, then the second elements of those that have one, and so
on. Sequences come longest first, so the sequences still running at a step are always the first few.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Packing:
    """Where the elements of sequences, longest first, stand in the packed layout.

    ``running`` tells how many sequences are still running at each step and ``offsets`` where the step begins.
    Row for row, ``sequence`` and ``step`` say which element it is, ``indices`` where it stands when the sequences are
    written one after the other, ``mirrored`` which row holds the same sequence's element counted from its other end,
    and ``previous`` (for rows after the first step) which row holds the element before; ``last`` is the row of each
    sequence's last element.
    """

    running: tuple[int, ...]
    offsets: tuple[int, ...]
    sequence: Tensor
    step: Tensor
    indices: Tensor
    mirrored: Tensor
    previous: Tensor
    last: Tensor

    @property
    def rows(self) -> int:
        """The number of elements in all."""
        return len(self.mirrored)

    def to(self, device: torch.device) -> "Packing":
        """Return the same on ``device``."""
        tensors = (self.sequence, self.step, self.indices, self.mirrored, self.previous, self.last)
        return Packing(self.running, self.offsets, *(tensor.to(device) for tensor in tensors))


def pack(lengths: Sequence[int]) -> Packing:
    """Return the packed layout of sequences with these lengths, none of them empty, longest first.

    >>> pack([3, 2]).running, pack([3, 2]).mirrored.tolist()
    ((2, 2, 1), [4, 3, 2, 1, 0])
    """
    # numpy, not torch: these are many small steps, and torch takes several times as long to begin one.
    sizes = np.array(lengths, dtype=np.int64)
    alive = np.arange(sizes[0])[:, None] < sizes
    step, sequence = alive.nonzero()
    running = alive.sum(1)
    offsets = np.concatenate([[0], running.cumsum()])
    first, length = len(sizes), sizes[sequence]
    return Packing(
        running=tuple(running.tolist()),
        offsets=tuple(offsets.tolist()),
        sequence=torch.from_numpy(sequence),
        step=torch.from_numpy(step),
        indices=torch.from_numpy((sizes.cumsum() - sizes)[sequence] + step),
        mirrored=torch.from_numpy(offsets[length - 1 - step] + sequence),
        previous=torch.from_numpy(offsets[step[first:] - 1] + sequence[first:]),
        last=torch.from_numpy(offsets[sizes - 1] + np.arange(first)),
    )
