"""Bulk random labellings, mostly ill-formed, the same ones on every run."""

import random
from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

KINDS: Final = ("-PER", "-LOC", "-geo-loc", "")

Labelling: TypeAlias = list[str]


def random_labellings(seed: int, count: int, letters: str, kinds: Sequence[str] = KINDS) -> Iterator[Labelling]:
    """Yield labellings of up to nine tokens in which any label may follow any other."""
    rng = random.Random(seed)
    tags = [letter + kind for letter in letters for kind in kinds]
    for _ in range(count):
        yield [rng.choice(tags) if rng.random() < 0.75 else "O" for _ in range(rng.randint(0, 9))]


def random_pairs(
    seed: int, count: int, letters: str, kinds: Sequence[str] = KINDS
) -> Iterator[tuple[Labelling, Labelling]]:
    """Yield labellings with a changed copy each, alike often enough for entities to match."""
    rng = random.Random(seed)
    tags = ["O", *(letter + kind for letter in letters for kind in kinds)]
    for labels in random_labellings(seed, count, letters, kinds):
        yield labels, [rng.choice(tags) if rng.random() < 0.3 else label for label in labels]


def batches(pairs: Iterator[tuple[Labelling, Labelling]], size: int) -> Iterator[list[tuple[Labelling, Labelling]]]:
    """Yield ``pairs`` in lists of ``size``, as small corpora."""
    every = list(pairs)
    return (every[start : start + size] for start in range(0, len(every), size))
