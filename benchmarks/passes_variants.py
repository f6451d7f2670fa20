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

ANEW: Final = "method.parity.starts=fresh"
SMALLER: Final = ("training.batch_size=32", "training.learning_rate=6e-3", "training.least_steps=1000")
CONTINUED: Final = {
    FOLDS: Change("same fold of rates", 0.5),
    FINAL: Change("first of folds", 0.5),
    BASELINE: Change("first of rates", 0.5),
}

VARIANTS: Final = (
    Variant("default"),
    Variant("everything anew, batches of 32", (ANEW, *SMALLER)),
    Variant("batches of 32", SMALLER),
    Variant("everything anew", (ANEW,)),
    Variant("everything anew in half", (ANEW,), {part: Change("fresh", 0.5) for part in CONTINUED}),
    Variant("final model from the mean", (ANEW,), {**CONTINUED, FINAL: Change("mean of folds", 0.5)}),
)
