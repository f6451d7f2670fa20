"""The ways to save passes over the corpus that ``benchmarks.passes`` compares."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Start: TypeAlias = Literal["fresh", "same fold of rates", "first of rates", "first of folds", "mean of folds"]


@dataclass(frozen=True, slots=True)
class Change:
    """How the trainings of one part of a run differ: the model they start from, and a share of their epochs."""

    start: Start = "fresh"
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Variant:
    """A name, settings of the recipe, and changes by part of the run, named by how its trainings begin."""

    name: str
    changes: tuple[str, ...] = ()
    parts: Mapping[str, Change] = field(default_factory=dict)


RATES: Final = "rates/"
FOLDS: Final = "round-1/fold"
FINAL: Final = "round-1/final"
BASELINE: Final = "plain"
PARTS: Final = (RATES, FOLDS, FINAL, BASELINE)

CONTINUED: Final = {
    FOLDS: Change("same fold of rates", 0.5),
    FINAL: Change("first of folds", 0.5),
    BASELINE: Change("first of rates", 0.5),
}
# The least number of steps in proportion to the epochs, as on a corpus so small that these steps decide.
PROPORTIONAL: Final = {
    **CONTINUED,
    RATES: Change("fresh", 0.5),
    FOLDS: Change("same fold of rates", 0.375),
}
LARGER: Final = ("training.batch_size=64", "training.learning_rate=8.5e-3")

VARIANTS: Final = (
    Variant("as before"),
    Variant("half the steps", ("training.least_steps=500",)),
    Variant("continued", (), CONTINUED),
    Variant("continued, half the steps", ("training.least_steps=500",), CONTINUED),
    Variant("continued, batches of 64", ("training.least_steps=500", *LARGER), CONTINUED),
    Variant("continued, batches of 64, proportional", ("training.least_steps=500", *LARGER), PROPORTIONAL),
    Variant("final from the mean", (), {**CONTINUED, FINAL: Change("mean of folds", 0.5)}),
    Variant("everything anew in half", (), {part: Change("fresh", 0.5) for part in CONTINUED}),
)
