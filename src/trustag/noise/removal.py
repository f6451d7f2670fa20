"""Choose which groups of mentions lose their labels, so that their total number meets a target."""

from collections.abc import Iterable, Sequence

from trustag.seeded_random import SeededRandom


def choose_groups(sizes: Sequence[int], target: int, tolerance: int, rng: SeededRandom) -> list[int]:
    """Return the indices of random groups whose sizes add up to ``target``, or as close to it as possible.

    Groups are taken in random order; a group that exceeds the rest of the target is skipped. If that misses the target
    by more than ``tolerance``, a search over all reachable sums decides which of the large groups to take.

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
    """Return groups whose sum is in ``wanted``, or as close to it as possible; earlier groups in ``order`` come first.

    Bit ``n`` of ``reachable[i]`` is set if some of the groups from index ``i`` on add up to ``n``. There are few large
    groups, since each exceeds the tolerance, so these numbers stay small even for a large corpus.
    """
    reachable = [1]
    for group in reversed(order):
        reachable.append(reachable[-1] | reachable[-1] << sizes[group])
    reachable.reverse()
    sums = [total for total, bit in enumerate(reversed(f"{reachable[0]:b}")) if bit == "1"]
    misses = [max(0, wanted[0] - total, total - wanted[-1]) for total in sums]
    missing = rng.pick([total for total, miss in zip(sums, misses, strict=True) if miss == min(misses)])
    taken = []
    for index, group in enumerate(order):
        if sizes[group] <= missing and reachable[index + 1] >> (missing - sizes[group]) & 1:
            taken.append(group)
            missing -= sizes[group]
    return taken
