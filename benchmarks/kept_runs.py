"""Runs of the method that ``python -m benchmarks.scores --keep FOLDER`` left, by corpus and seed."""

import re
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.systems import CORPORA

_RUN: Final = re.compile(r"(?P<corpus>.+)-method-(?P<seed>\d+)")


class KeptRun(NamedTuple):
    """A run that was kept."""

    corpus: str
    seed: int
    path: Path


def kept_runs(folder: Path, needed: str) -> list[KeptRun]:
    """Return the runs in ``folder`` that hold a file or folder ``needed``, in the order of the corpora."""
    found = []
    for path in folder.glob("*"):
        match = _RUN.fullmatch(path.name)
        if match and match["corpus"] in CORPORA and (path / needed).exists():
            found.append(KeptRun(match["corpus"], int(match["seed"]), path))
    return sorted(found, key=lambda run: (list(CORPORA).index(run.corpus), run.seed))
