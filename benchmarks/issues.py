"""How well issues find wrong labels, beside cleanlab and plain self-confidence on the same out-of-fold probabilities.

``python -m benchmarks.issues --runs FOLDER --output results/issues.json`` reads the runs of the method that
``trustag experiment run`` left with ``--keep-jobs``: corpora with a gold column, which training never looked at. Our
rankings are made again from what the fold models left, as training makes them; cleanlab gets the same probabilities.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import torch

from benchmarks.machine import aligned, origin, write_result
from benchmarks.systems import CORPORA
from trustag.experiments.issue_quality import CLEANLAB, OURS, SELF_CONFIDENCE, issue_quality
from trustag.experiments.kept_runs import kept_runs
from trustag.experiments.reanalysis import reanalyse

Found = dict[str, Any]
RANKINGS: Final = (OURS, CLEANLAB, SELF_CONFIDENCE)


def summary(runs: Sequence[Found]) -> list[tuple[str, ...]]:
    """Return a row for each run: average precisions of all rankings."""
    head = [f"{level} {name}" for level in ("tokens", "entities") for name in RANKINGS]
    rows = [("corpus", "seed", *head)]
    for run in runs:
        measured = [run[level].get(name) for level in ("tokens", "entities") for name in RANKINGS]
        cells = ["" if one is None else f"{one['average_precision']:.4f}" for one in measured]
        rows.append((run["corpus"], str(run["seed"]), *cells))
    return rows


def main() -> None:
    """Measure every run there is and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    runs = [
        {"corpus": cell.corpus, "seed": cell.seed, **issue_quality(reanalyse(path))}
        for cell, path in kept_runs(arguments.runs, list(CORPORA))
    ]
    if not runs:
        print(f"{arguments.runs} holds no run of the method with issues: skipped")
        return
    write_result(arguments.output, {**origin(("torch", "numpy", "cleanlab")), "runs": runs})
    print(aligned(summary(runs)))


if __name__ == "__main__":
    main()
