"""Choose stretches that do not overlap."""

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Stretch(Protocol):
    """Tokens ``start`` up to but not including ``end``."""

    @property
    def start(self) -> int:
        """The first token."""

    @property
    def end(self) -> int:
        """The token after the last."""


Found = TypeVar("Found", bound=Stretch)


def longest_from_left(stretches: Sequence[Found]) -> list[Found]:
    """Return the longest stretch at the leftmost token, then the longest at the leftmost token after it, and so on."""
    chosen: list[Found] = []
    position = 0
    for one in sorted(stretches, key=lambda stretch: (stretch.start, -stretch.end)):
        if one.start >= position:
            chosen.append(one)
            position = one.end
    return chosen


def best_cover(stretches: Sequence[Found]) -> list[Found]:
    """Return the stretches with the greatest sum of squared lengths, as AutoNER chooses them."""
    ending: dict[int, list[Found]] = {}
    for one in stretches:
        ending.setdefault(one.end, []).append(one)
    length = max(ending, default=0)
    values = [0] * (length + 1)  # the best sum for the tokens before each position
    last: list[Found | None] = [None] * (length + 1)  # the stretch that ends there, in that best choice
    for end in range(1, length + 1):
        values[end] = values[end - 1]
        for one in ending.get(end, ()):
            value = values[one.start] + (end - one.start) ** 2
            if value > values[end]:
                values[end], last[end] = value, one
    chosen: list[Found] = []
    position = length
    while position:
        found = last[position]
        if found is not None:
            chosen.append(found)
        position = position - 1 if found is None else found.start
    return chosen[::-1]
