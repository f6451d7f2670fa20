"""Choose which groups of mentions to forget, so that the number of mentions forgotten comes out right."""

from collections.abc import Iterable, Sequence

from trustag.seeded_random import SeededRandom


def choose_groups(sizes: Sequence[int], target: int, tolerance: int, rng: SeededRandom) -> list[int]:
    """Return the indices of random groups whose sizes add up to ``target``, or as near as the sizes permit.

    Groups are taken in random order and one too large for what is still missing is passed over. Only where that
    misses by more than ``tolerance`` does a search over sums decide which of the large groups to take instead.

    >>> choose_groups([3, 3, 4], target=6, tolerance=0, rng=SeededRandom(1)) in ([0, 1], [1, 0])
    True
    """
    order = rng.shuffled(range(len(sizes)))
    chosen = _first_fit(order, sizes, target)
    if target - sum(sizes[group] for group in chosen) <= tolerance:
        return chosen
    large = [group for group in order if sizes[group] > tolerance]
    small = [group for group in order if sizes[group] <= tolerance]
    spare = sum(sizes[group] for group in small)
    taken = _large_groups(large, sizes, range(target - spare, target + 1), rng)
    return taken + _first_fit(small, sizes, target - sum(sizes[group] for group in taken))


def _first_fit(order: Iterable[int], sizes: Sequence[int], target: int) -> list[int]:
    chosen = []
    for group in order:
        if sizes[group] <= target:
            chosen.append(group)
            target -= sizes[group]
    return chosen


def _large_groups(order: Sequence[int], sizes: Sequence[int], wanted: range, rng: SeededRandom) -> list[int]:
    """Return groups whose sum lies in ``wanted`` or nearest to it, earlier ones in ``order`` preferred.

    Bit ``n`` of ``reachable[i]`` says that some of the groups from place ``i`` on add up to ``n``. Large groups are
    few (each holds more than the tolerance), so these numbers stay small however large the corpus is.
    """
    reachable = [1]
    for group in reversed(order):
        reachable.append(reachable[-1] | reachable[-1] << sizes[group])
    reachable.reverse()
    sums = [total for total, bit in enumerate(reversed(f"{reachable[0]:b}")) if bit == "1"]
    misses = [max(0, wanted[0] - total, total - wanted[-1]) for total in sums]
    missing = rng.pick([total for total, miss in zip(sums, misses, strict=True) if miss == min(misses)])
    taken = []
    for place, group in enumerate(order):
        if sizes[group] <= missing and reachable[place + 1] >> (missing - sizes[group]) & 1:
            taken.append(group)
            missing -= sizes[group]
    return taken
