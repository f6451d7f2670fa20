"""Random draws that come out the same for the same seed on every machine and Python version.

Python promises that for ``Random.random()`` alone; ``shuffle``, ``choice`` and ``sample`` may change between versions.
"""

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

from trustag.errors import InputError

Item = TypeVar("Item")


class SeededRandom:
    """A stream of draws that depends on its seed, and on what the draws are for, only.

    >>> rng = SeededRandom(seed=1)
    >>> rng.below(100), rng.pick("abc"), rng.shuffled(range(5))
    (13, 'c', [2, 0, 4, 1, 3])
    """

    def __init__(self, seed: int, purpose: str = "") -> None:
        if seed < 0:
            raise InputError(f"seed {seed} is negative", remedy="give 0 or a positive whole number")
        self._random = random.Random(f"{seed} {purpose}" if purpose else seed)  # noqa: S311  # repeatable on purpose, nothing secret

    def fraction(self) -> float:
        """Return a number from 0 up to but not including 1."""
        return self._random.random()

    def below(self, limit: int) -> int:
        """Return a whole number from 0 up to but not including ``limit``."""
        return int(self._random.random() * limit)

    def pick(self, items: Sequence[Item]) -> Item:
        """Return one of ``items``, each with the same chance."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return ``items`` in random order."""
        order = list(items)
        for place in range(len(order) - 1, 0, -1):
            other = self.below(place + 1)
            order[place], order[other] = order[other], order[place]
        return order
