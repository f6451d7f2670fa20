"""Sentences (or words) of different lengths laid out without padding, so that no arithmetic is spent on nothing.

Rows are ordered by step: first every sequence's first element, then the second elements of those that have one, and so
on. Sequences come longest first, so the sequences still running at a step are always the first few.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import torch
from torch import Tensor


@dataclass(frozen=True, slots=True)
class Packing:
    """Where the elements of sequences, longest first, stand in the packed layout.

    ``running`` tells how many sequences are still running at each step and ``offsets`` where the step begins.
    Row for row, ``sequence`` and ``step`` say which element it is, ``mirrored`` which row holds the same sequence's
    element counted from its other end, and ``previous`` (for rows after the first step) which row holds the element
    before; ``last`` is the row of each sequence's last element.
    """

    running: tuple[int, ...]
    offsets: tuple[int, ...]
    sequence: Tensor
    step: Tensor
    mirrored: Tensor
    previous: Tensor
    last: Tensor

    @property
    def rows(self) -> int:
        """The number of elements in all."""
        return len(self.mirrored)

    def to(self, device: torch.device) -> "Packing":
        """Return the same on ``device``."""
        tensors = (self.sequence, self.step, self.mirrored, self.previous, self.last)
        return Packing(self.running, self.offsets, *(tensor.to(device) for tensor in tensors))


def pack(lengths: Sequence[int]) -> Packing:
    """Return the packed layout of sequences with these lengths, none of them empty, longest first.

    >>> pack([3, 2]).running, pack([3, 2]).mirrored.tolist()
    ((2, 2, 1), [4, 3, 2, 1, 0])
    """
    sizes = torch.tensor(lengths)
    alive = torch.arange(int(sizes[0]))[:, None] < sizes[None, :]
    running = alive.sum(1)
    starts = running.cumsum(0) - running
    step, sequence = alive.nonzero(as_tuple=True)
    first = len(lengths)
    running_listed: list[int] = running.tolist()
    return Packing(
        running=tuple(running_listed),
        offsets=(0, *accumulate(running_listed)),
        sequence=sequence,
        step=step,
        mirrored=starts[sizes[sequence] - 1 - step] + sequence,
        previous=starts[step[first:] - 1] + sequence[first:],
        last=starts[sizes - 1] + torch.arange(first),
    )
