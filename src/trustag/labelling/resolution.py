"""Which proposals become labels: longer ones first, then those of better sources, then those with higher scores."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from trustag.labelling.proposals import Proposal

_LAST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Resolved:
    """The proposals that became labels, and for each of the others the one that it gave way to."""

    chosen: tuple[Proposal, ...]
    given_way: tuple[tuple[Proposal, Proposal], ...]


def resolved(proposals: Iterable[Proposal], ranks: Mapping[str, int]) -> Resolved:
    """Return the proposals that become labels; ``ranks`` are those of sources or kinds of sources, better ones first.

    Names of unknown type give way to all that have a type.
    """
    ordered = sorted(set(proposals), key=lambda one: _key(one, ranks))
    taken: dict[int, Proposal] = {}
    chosen: list[Proposal] = []
    given_way: list[tuple[Proposal, Proposal]] = []
    for one in ordered:
        other = next((taken[token] for token in range(one.start, one.end) if token in taken), None)
        if other is None:
            chosen.append(one)
            taken.update(dict.fromkeys(range(one.start, one.end), one))
        else:
            given_way.append((one, other))
    return Resolved(tuple(sorted(chosen, key=lambda one: one.start)), tuple(given_way))


def _key(one: Proposal, ranks: Mapping[str, int]) -> tuple[bool, int, int, float, int, str, str]:
    kind = one.source.partition(":")[0]
    rank = ranks.get(one.source, ranks.get(kind, _LAST))
    return one.type is None, one.start - one.end, rank, -one.score, one.start, one.source, one.type or ""


def ranks_of(priority: Sequence[str]) -> dict[str, int]:
    """Return the rank of each source or kind of sources."""
    return {name: rank for rank, name in enumerate(priority)}
