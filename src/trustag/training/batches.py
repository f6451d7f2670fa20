"""In which order, and with which neighbours, sentences are seen: a function of seed and epoch, of nothing else."""

from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from trustag.seeded_random import SeededRandom

Batches: TypeAlias = Literal["bucketed", "shuffled", "fixed"]

_MOST_A_PLACE: Final = 1024


def draw_batches(lengths: Sequence[int], size: int, kind: Batches, seed: int, epoch: int) -> list[list[int]]:
    """Return the batches of one epoch as lists of sentence numbers; every sentence is in exactly one.

    ``bucketed`` puts sentences of similar length together and shuffles the rest, and leaves sentences far longer than
    all others to themselves; ``shuffled`` draws anew each epoch; ``fixed`` draws once and shuffles only the order of
    the batches, as the paper's published code does.
    """
    rng = SeededRandom(seed, f"batches of epoch {epoch}")
    drawing = SeededRandom(seed, "batches") if kind == "fixed" else rng
    order = drawing.shuffled(range(len(lengths)))
    if kind == "bucketed":
        # A little noise on the length lets neighbours change from epoch to epoch at almost no padding.
        order.sort(key=lambda sentence: lengths[sentence] + 2 * rng.fraction())
        return rng.shuffled(list(_buckets(order, lengths, size)))
    return rng.shuffled([order[start : start + size] for start in range(0, len(order), size)])


def suited_size(size: int, lengths: Sequence[int], tokens: int) -> int:
    """Return how many sentences of such lengths make a step of ``tokens`` tokens: at least one, at most ``size``.

    >>> [suited_size(32, lengths, 2048) for lengths in ([14, 18], [400, 600], [9000])]
    [32, 4, 1]
    """
    return max(1, min(size, tokens * len(lengths) // max(1, sum(lengths))))


def _buckets(order: Sequence[int], lengths: Sequence[int], size: int) -> Iterator[list[int]]:
    """Yield batches of sentences in the given order, shortest first, none of which is nearly all padding."""
    batch: list[int] = []
    for sentence in order:
        if len(batch) == size or (batch and (len(batch) + 1) * lengths[sentence] > _MOST_A_PLACE * size):
            yield batch
            batch = []
        batch.append(sentence)
    if batch:
        yield batch
