"""The stages of a run, known before it begins: what each is for, and how much work it is."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Stage:
    """Trainings that run side by side: their number, the epochs of each, and the share of the corpus each sees."""

    name: str
    title: str
    purpose: str
    trainings: int
    epochs: int
    share: float = 1.0

    @property
    def passes(self) -> float:
        """The work of the stage, in passes over the whole corpus; less if trainings stop early."""
        return self.trainings * self.epochs * self.share


@dataclass(frozen=True, slots=True)
class Plan:
    """All stages of a run, in order."""

    stages: Sequence[Stage]

    @property
    def passes(self) -> float:
        """The work of the run, in passes over the whole corpus."""
        return sum(stage.passes for stage in self.stages)

    def number(self, name: str) -> int:
        """Return which stage the one called ``name`` is, counted from 0."""
        return [stage.name for stage in self.stages].index(name)

    def passes_before(self, number: int) -> float:
        """Return the work of the stages before one."""
        return sum(stage.passes for stage in self.stages[:number])
