"""Runs that an experiment left in a folder, by corpus and seed."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from trustag.experiments.experiment import Cell
from trustag.runs.folder import RunFolder


class KeptRun(NamedTuple):
    """A finished run and the cell it is of."""

    cell: Cell
    path: Path


def kept_runs(folder: Path, corpora: Sequence[str], system: str = "method") -> list[KeptRun]:
    """Return the finished runs of ``system`` in ``folder``, in the order of ``corpora``, then of the seeds.

    Runs that did not keep the corpus they were given are left out.
    """
    found = []
    for corpus in corpora:
        prefix = Cell(corpus, system, 0).folder_name.removesuffix("0")
        seeds = {path: path.name.removeprefix(prefix) for path in folder.glob("*") if path.name.startswith(prefix)}
        own = [KeptRun(Cell(corpus, system, int(seed)), path) for path, seed in seeds.items() if seed.isdecimal()]
        found += sorted((run for run in own if _is_usable(RunFolder(run.path))), key=lambda run: run.cell.seed)
    return found


def _is_usable(run: RunFolder) -> bool:
    if not (run.given.exists() and run.manifest.exists()):
        return False
    return "finished" in json.loads(run.manifest.read_text(encoding="utf-8"))
