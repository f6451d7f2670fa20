"""An experiment as a value: every system is trained on every corpus it suits, with every seed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
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
    """Corpora and systems by name, and seeds; some corpora have seeds of their own.

    ``without`` are the encoders that are not there.
    """

    corpora: Mapping[str, ExperimentCorpus]
    systems: Mapping[str, System]
    seeds: Sequence[int] = (1, 2, 3)
    without: Collection[str] = ()
    own_seeds: Mapping[str, Sequence[int]] = field(default_factory=dict)

    def cells(self) -> list[Cell]:
        """Return every cell that can be trained, all corpora and systems with the first seed before the next one."""
        return [
            Cell(corpus, name, seed)
            for seed in dict.fromkeys(chain(self.seeds, *self.own_seeds.values()))
            for name, system in self.systems.items()
            for corpus, source in self.corpora.items()
            if seed in self.own_seeds.get(corpus, self.seeds)
            and system.suits(source)
            and not (system.corpora and corpus not in system.corpora)
            and system.context not in self.without
        ]

    def copies_rates(self, cell: Cell) -> bool:
        """Tell whether a cell is given the noise rates that the first seed of its system has found."""
        return self.systems[cell.system].shares_rates and cell.seed != self.first_seed(cell.corpus)

    def first_seed(self, corpus: str) -> int:
        """Return the seed that comes first on a corpus."""
        return self.own_seeds.get(corpus, self.seeds)[0]
