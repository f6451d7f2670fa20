"""Seeded random streams whose draws are the same on every machine and Python version.

Python guarantees this only for ``Random.random()``; ``shuffle``, ``choice`` and ``sample`` may change between versions.
"""

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

from trustag.errors import InputError

Item = TypeVar("Item")


class SeededRandom:
    """A random stream that depends only on its seed and its name.

    ``purpose`` names the stream. Streams with the same seed and different names are independent.

    >>> rng = SeededRandom(seed=1)
    >>> rng.below(100), rng.pick("abc"), rng.shuffled(range(5))
    (13, 'c', [2, 0, 4, 1, 3])
    """

    def __init__(self, seed: int, purpose: str = "") -> None:
        if seed < 0:
            raise InputError(f"seed {seed} is negative", remedy="use 0 or a positive integer")
        self._random = random.Random(f"{seed} {purpose}" if purpose else seed)  # noqa: S311  # not for cryptography

    def fraction(self) -> float:
        """Draw a uniform number from 0 (inclusive) to 1 (exclusive)."""
        return self._random.random()

    def below(self, limit: int) -> int:
        """Draw a uniform integer from 0 (inclusive) to ``limit`` (exclusive)."""
        return int(self._random.random() * limit)

    def pick(self, items: Sequence[Item]) -> Item:
        """Draw one of ``items`` uniformly."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return ``items`` in random order."""
        order = list(items)
        for index in range(len(order) - 1, 0, -1):
            other = self.below(index + 1)
            order[index], order[other] = order[other], order[index]
        return order
