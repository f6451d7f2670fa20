"""Runs of the method that ``python -m benchmarks.scores --keep FOLDER`` left, by corpus and seed."""

import json
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


def kept_runs(folder: Path) -> list[KeptRun]:
    """Return the finished runs in ``folder`` that kept the corpus they were given, in the order of the corpora."""
    found = []
    for path in folder.glob("*"):
        match = _RUN.fullmatch(path.name)
        if match and match["corpus"] in CORPORA and (path / "given.jsonl").exists() and _is_finished(path):
            found.append(KeptRun(match["corpus"], int(match["seed"]), path))
    return sorted(found, key=lambda run: (list(CORPORA).index(run.corpus), run.seed))


def _is_finished(run: Path) -> bool:
    manifest = run / "manifest.json"
    return manifest.exists() and "finished" in json.loads(manifest.read_text(encoding="utf-8"))
