"""Distort labelled entities: change their type, or move one boundary by one token."""

from collections.abc import Mapping, Sequence

from trustag.noise.token_row import Mention, TokenRow
from trustag.seeded_random import SeededRandom


def flip_types(
    row: TokenRow, labelled: Mapping[Mention, Mention], types: Sequence[str], rate: float, rng: SeededRandom
) -> dict[Mention, Mention]:
    """Return a random share ``rate`` of the entities in ``labelled``, each with another type.

    ``labelled`` maps each gold entity to its current label; the keys of the result are gold entities too.
    """
    flipped: dict[Mention, Mention] = {}
    wanted = round(rate * len(labelled))
    for gold, now in _shuffled(labelled, rng):
        if len(flipped) == wanted:
            break
        start, end, kind = now.span
        if row.stays_apart(row.index_of(now), end - start):
            other = rng.pick([name for name in types if name != kind])
            flipped[gold] = now._replace(span=now.span._replace(type=other))
    return flipped


def shift_boundaries(
    row: TokenRow, labelled: Mapping[Mention, Mention], rate: float, rng: SeededRandom
) -> dict[Mention, Mention]:
    """Return a random share ``rate`` of the entities in ``labelled``, each one token longer or shorter on one side.

    An entity never grows until it touches another one. Entities that cannot change are skipped, so the result may be
    smaller than requested.
    """
    shifted: dict[Mention, Mention] = {}
    wanted = round(rate * len(labelled))
    for gold, now in _shuffled(labelled, rng):
        if len(shifted) == wanted:
            break
        moves = _moves(row, now)
        if moves:
            moved = rng.pick(moves)
            row.free(now)
            row.label(moved)
            shifted[gold] = moved
    return shifted


def _shuffled(labelled: Mapping[Mention, Mention], rng: SeededRandom) -> list[tuple[Mention, Mention]]:
    return rng.shuffled(labelled.items())


def _moves(row: TokenRow, mention: Mention) -> list[Mention]:
    """Return every variant of ``mention`` that differs by one token on one side."""
    first, (start, end, _) = row.index_of(mention), mention.span
    last = first + end - start - 1
    moves = []
    if row.is_free(first - 1) and not row.is_labelled(first - 2):
        moves.append((start - 1, end))
    if row.is_free(last + 1) and not row.is_labelled(last + 2):
        moves.append((start, end + 1))
    if end - start > 1:
        moves += [(start + 1, end), (start, end - 1)]
    return [mention._replace(span=mention.span._replace(start=left, end=right)) for left, right in moves]
