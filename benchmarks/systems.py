"""The corpora and systems of the grids that come with Trustag, for benchmarks that look at their runs."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from trustag.experiments.corpora import ExperimentCorpus
from trustag.experiments.grid import Chosen, Grid, GridCorpus, read_grid
from trustag.methods.table import METHODS

TABLE: Final = read_grid("table-1")
VARIANTS: Final = read_grid("variants")


@dataclass(frozen=True, slots=True)
class Corpus:
    """A corpus of a grid: the folder with its files, its language, and how much of its labels a perturbation leaves."""

    folder: str
    language: str
    recall: float | None = None
    grid: Grid = VARIANTS
    name: str = ""

    def vectors(self, folder: Path) -> Path:
        """Return the file of word vectors of its language."""
        return folder / f"{self.language}_100d.txt.gz"

    def located(self, data: Path, vectors: Path) -> ExperimentCorpus:
        """Return the corpus with its files, which are in the folders ``data`` and ``vectors``."""
        return self.grid.experiment(data, vectors, Chosen(corpora=(self.name,))).corpora[self.name]


def _corpus(name: str, corpus: GridCorpus) -> Corpus:
    return Corpus(corpus.data, corpus.language, corpus.noise.recall if corpus.noise else None, VARIANTS, name)


EVERY_CORPUS: Final = {name: _corpus(name, corpus) for name, corpus in VARIANTS.values.corpora.items()}
CORPORA: Final = {name: corpus for name, corpus in EVERY_CORPUS.items() if name in TABLE.values.corpora}
LEVELS: Final = {name: corpus for name, corpus in EVERY_CORPUS.items() if name not in CORPORA}

_ROWS: Final = {**VARIANTS.values.methods, **TABLE.values.methods}
EVERY_SYSTEM: Final = {name: row.system(()) for name, row in _ROWS.items() if row.method in METHODS}
ABLATIONS: Final = {name: EVERY_SYSTEM[name] for name, row in VARIANTS.values.methods.items() if row.row == "ablation"}
SYSTEMS: Final = {name: system for name, system in EVERY_SYSTEM.items() if name not in ABLATIONS}

GOALS: Final = {name: corpus.goal for name, corpus in TABLE.values.corpora.items() if corpus.goal is not None}
