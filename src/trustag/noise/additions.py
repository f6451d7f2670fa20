"""Add wrong entities: random spans of random types where nothing is labelled."""

import math
from collections.abc import Container, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from trustag.errors import InputError
from trustag.noise.token_row import Mention, TokenRow
from trustag.seeded_random import SeededRandom

SPAN_LENGTHS: Final = (1, 2, 3)
Additions: TypeAlias = Literal["exact", "share"]


class _FreeSpans:
    """Draws free spans at random, without trying any span twice.

    A span that does not fit never fits later, because the number of labelled tokens only grows.
    """

    def __init__(self, row: TokenRow, rng: SeededRandom) -> None:
        self._row = row
        self._rng = rng
        self._untried = {length: row.free_indices() for length in SPAN_LENGTHS}

    def draw(self) -> tuple[int, int] | None:
        """Return the start index and the length of a span; lengths that still fit somewhere are equally likely."""
        lengths = list(SPAN_LENGTHS)
        while lengths:
            length = self._rng.pick(lengths)
            start = self._draw_start(length)
            if start is not None:
                return start, length
            lengths.remove(length)
        return None

    def _draw_start(self, length: int) -> int | None:
        untried = self._untried[length]
        while untried:
            drawn = self._rng.below(len(untried))
            untried[drawn], untried[-1] = untried[-1], untried[drawn]
            start = untried.pop()
            if self._row.fits(start, length):
                return start
        return None


class PrecisionGoal(NamedTuple):
    """When to stop adding spans: at this ``precision``.

    There are ``right`` correct entities at the start, and at most ``most_right`` at the end.
    """

    right: int
    most_right: int
    precision: float
    additions: Additions = "exact"

    def wrong(self, right: int) -> int:
        """Return the number of wrong entities to add to ``right`` correct ones.

        >>> PrecisionGoal(90, 90, 0.9).wrong(90), PrecisionGoal(90, 90, 0.9, "share").wrong(90)
        (10, 9)
        """
        if self.additions == "share":
            return math.floor(round(right * (1 - self.precision), 9))
        return round(right * (1 - self.precision) / self.precision)


def add_spans(
    row: TokenRow, removed: Container[Mention], types: Sequence[str], goal: PrecisionGoal, rng: SeededRandom
) -> list[Mention]:
    """Label random spans in ``row`` until precision has fallen to the goal, and return them.

    A span that happens to equal one of the ``removed`` entities counts as correct. The goal limits how many of these
    are added; otherwise they could undo the removal in a corpus with many entities.
    """
    right, wrong = goal.right, 0
    added: list[Mention] = []
    free_spans = _FreeSpans(row, rng)
    while wrong < goal.wrong(right):
        drawn = free_spans.draw()
        if drawn is None:
            lowest = math.ceil(1000 * right / (right + wrong)) / 1000
            raise InputError(
                f"precision {goal.precision:g} needs more wrong entities than the {wrong} that fit into the corpus",
                remedy=f"set a precision of {lowest:.3f} or more, or a lower recall",
            )
        mention = row.mention(*drawn, rng.pick(types))
        if mention not in removed:
            wrong += 1
        elif right < goal.most_right:
            right += 1
        else:
            continue
        row.label(mention)
        added.append(mention)
    return added
