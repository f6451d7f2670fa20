"""In which order, and with which neighbours, sentences are seen: a function of seed and epoch, of nothing else."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from trustag.dice import Dice

Batches: TypeAlias = Literal["bucketed", "shuffled", "fixed"]


def draw_batches(lengths: Sequence[int], size: int, kind: Batches, seed: int, epoch: int) -> list[list[int]]:
    """Return the batches of one epoch as lists of sentence numbers; every sentence is in exactly one.

    ``bucketed`` puts sentences of similar length together and shuffles the rest; ``shuffled`` draws anew each epoch;
    ``fixed`` draws once and shuffles only the order of the batches, as the paper's published code does.
    """
    dice = Dice(seed, f"batches of epoch {epoch}")
    drawing = Dice(seed, "batches") if kind == "fixed" else dice
    order = drawing.shuffled(range(len(lengths)))
    if kind == "bucketed":
        # A little noise on the length lets neighbours change from epoch to epoch at almost no padding.
        order.sort(key=lambda sentence: lengths[sentence] + 2 * dice.fraction())
    return dice.shuffled([order[start : start + size] for start in range(0, len(order), size)])
