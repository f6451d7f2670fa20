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

CONTINUE: Final = "method.parity.starts=continued"
LARGER: Final = ("training.batch_size=64", "training.learning_rate=8.5e-3", "training.least_steps=500")
CONTINUED: Final = {
    FOLDS: Change("same fold of rates", 0.5),
    FINAL: Change("first of folds", 0.5),
    BASELINE: Change("first of rates", 0.5),
}

# The least number of steps in proportion to the epochs, on a corpus so small that these steps decide.
PROPORTIONAL: Final = {**CONTINUED, RATES: Change("fresh", 0.5), FOLDS: Change("same fold of rates", 0.375)}

VARIANTS: Final = (
    Variant("default"),
    Variant("continued", (CONTINUE,)),
    Variant("batches of 64", LARGER),
    Variant("continued, batches of 64", (CONTINUE, *LARGER)),
    Variant("continued, batches of 64, proportional", LARGER, PROPORTIONAL),
    Variant("in half", (), {part: Change("fresh", 0.5) for part in CONTINUED}),
    Variant("final model from the mean", (), {**CONTINUED, FINAL: Change("mean of folds", 0.5)}),
)
