"""Invent entities: random spans of random types where nothing is labelled."""

import math
from collections.abc import Container, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from trustag.errors import InputError
from trustag.noise.token_row import Mention, TokenRow
from trustag.seeded_random import SeededRandom

SPAN_LENGTHS: Final = (1, 2, 3)
Additions: TypeAlias = Literal["exact", "share"]


class _Places:
    """The places where a span may still go, drawn at random without ever trying one twice.

    A place that does not fit once never fits later, because labelled tokens only become more.
    """

    def __init__(self, row: TokenRow, rng: SeededRandom) -> None:
        self._row = row
        self._rng = rng
        self._waiting = {length: row.free_indices() for length in SPAN_LENGTHS}

    def draw(self) -> tuple[int, int] | None:
        """Return a place and a length, every length with the same chance as long as it fits somewhere."""
        lengths = list(SPAN_LENGTHS)
        while lengths:
            length = self._rng.pick(lengths)
            place = self._draw_place(length)
            if place is not None:
                return place, length
            lengths.remove(length)
        return None

    def _draw_place(self, length: int) -> int | None:
        waiting = self._waiting[length]
        while waiting:
            drawn = self._rng.below(len(waiting))
            waiting[drawn], waiting[-1] = waiting[-1], waiting[drawn]
            place = waiting.pop()
            if self._row.fits(place, length):
                return place
        return None


class PrecisionGoal(NamedTuple):
    """When to stop adding: at ``precision``, from ``right`` right entities to begin with to ``most_right`` at most."""

    right: int
    most_right: int
    precision: float
    additions: Additions = "exact"

    def wrong(self, right: int) -> int:
        """Return how many wrong entities go with ``right`` right ones.

        >>> PrecisionGoal(90, 90, 0.9).wrong(90), PrecisionGoal(90, 90, 0.9, "share").wrong(90)
        (10, 9)
        """
        if self.additions == "share":
            return math.floor(round(right * (1 - self.precision), 9))
        return round(right * (1 - self.precision) / self.precision)


def add_spans(
    row: TokenRow, forgotten: Container[Mention], types: Sequence[str], goal: PrecisionGoal, rng: SeededRandom
) -> list[Mention]:
    """Return random spans that bring precision down to the goal, labelling them in ``row``.

    A span that happens to equal a forgotten entity is right, not wrong; there are never more of these than the goal
    permits, lest they undo the forgetting where entities stand close together.
    """
    right, wrong = goal.right, 0
    added: list[Mention] = []
    places = _Places(row, rng)
    while wrong < goal.wrong(right):
        drawn = places.draw()
        if drawn is None:
            lowest = math.ceil(1000 * right / (right + wrong)) / 1000
            raise InputError(
                f"precision {goal.precision:g} needs more wrong entities than the {wrong} that fit",
                remedy=f"ask for a precision of {lowest:.3f} or more, or for a lower recall",
            )
        mention = row.mention(*drawn, rng.pick(types))
        if mention not in forgotten:
            wrong += 1
        elif right < goal.most_right:
            right += 1
        else:
            continue
        row.label(mention)
        added.append(mention)
    return added
