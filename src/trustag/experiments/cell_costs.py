"""What cells that were not trained yet will probably cost, from those that were."""

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from trustag.experiments.experiment import Cell
from trustag.experiments.results import CellResult


def estimated_costs(cells: Sequence[Cell], measured: Sequence[CellResult]) -> dict[Cell, float | None]:
    """Return the processor seconds of each cell; None where neither corpus nor system was measured enough to tell.

    A cell costs what other seeds of it cost. Otherwise its cost is that of its corpus times that of its system, both
    fitted to the logarithms of what was measured.
    """
    whole = [result for result in measured if not result.resumed and result.cpu_seconds > 0]
    known: dict[tuple[str, str], list[float]] = {}
    for result in whole:
        known.setdefault((result.corpus, result.system), []).append(result.cpu_seconds)
    corpora, systems = _factors({pair: fmean(seconds) for pair, seconds in known.items()})

    def cost(cell: Cell) -> float | None:
        own = known.get((cell.corpus, cell.system))
        if own:
            return fmean(own)
        if cell.corpus not in corpora or cell.system not in systems:
            return None
        return float(np.exp(corpora[cell.corpus] + systems[cell.system]))

    return {cell: cost(cell) for cell in cells}


def _factors(known: Mapping[tuple[str, str], float]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the logarithm of the cost of each corpus and of each system."""
    corpora = sorted({corpus for corpus, _ in known})
    systems = sorted({system for _, system in known})
    design = np.zeros((len(known), len(corpora) + len(systems)))
    for row, (corpus, system) in enumerate(known):
        design[row, corpora.index(corpus)] = design[row, len(corpora) + systems.index(system)] = 1
    logs = np.log(np.array(list(known.values())))
    found = np.linalg.lstsq(design, logs, rcond=None)[0] if known else np.zeros(0)
    return (
        dict(zip(corpora, map(float, found), strict=False)),
        dict(zip(systems, map(float, found[len(corpora) :]), strict=False)),
    )
