"""An experiment as a value: every system is trained on every corpus it suits, with every seed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.systems import System


class Cell(NamedTuple):
    """One training: a corpus and a system, by name, and a seed."""

    corpus: str
    system: str
    seed: int

    @property
    def folder_name(self) -> str:
        """The name of its run folder."""
        return f"{self.corpus}-{self.system}-{self.seed}"


@dataclass(frozen=True, slots=True)
class Experiment:
    """Corpora and systems by name, and seeds; ``without`` are the encoders that are not there."""

    corpora: Mapping[str, ExperimentCorpus]
    systems: Mapping[str, System]
    seeds: Sequence[int] = (1, 2, 3)
    without: Collection[str] = ()

    def cells(self) -> list[Cell]:
        """Return every cell that can be trained, all corpora and systems with the first seed before the next one."""
        return [
            Cell(corpus, name, seed)
            for seed in self.seeds
            for name, system in self.systems.items()
            for corpus, source in self.corpora.items()
            if system.suits(source) and system.context not in self.without
        ]

    def copies_rates(self, cell: Cell) -> bool:
        """Tell whether a cell is given the noise rates that the first seed of its system has found."""
        return self.systems[cell.system].shares_rates and cell.seed != self.seeds[0]
