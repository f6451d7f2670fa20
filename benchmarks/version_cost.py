"""What the demo and one epoch cost in CPU time with two versions of the package, measured in turns.

``python -m benchmarks.version_cost --sources BEFORE/src AFTER/src --output results/version_cost.json`` trains the
baseline on the demo corpus for two and for six epochs, whose difference is the cost of four, and does the demo once.
"""

import argparse
import tempfile
from pathlib import Path
from typing import Final

from benchmarks.machine import aligned, origin, write_result
from benchmarks.versions import commits, cpu_seconds

REPEATS: Final = 5
FEW: Final = 2
MANY: Final = 6
DEMO: Final = ("bilstm.random_vectors=true", "training.batch_size=16")


def main() -> None:
    """Measure both versions and leave the figures in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, nargs=2, required=True, help="the packages before and after")
    parser.add_argument("--output", type=Path, required=True)
    chosen = parser.parse_args()
    sources = dict(zip(("before", "after"), chosen.sources, strict=True))
    epochs: dict[str, list[float]] = {name: [] for name in sources}
    for _ in range(REPEATS):
        for name, source in sources.items():
            few, many = (training(source, "--method", "bilstm-crf", *changed(count)) for count in (FEW, MANY))
            epochs[name].append((many - few) / (MANY - FEW))
    demo = {name: training(source, *changed()) for name, source in sources.items()}
    best = {name: min(values) for name, values in epochs.items()}
    ratios = {"epoch": best["after"] / best["before"], "demo": demo["after"] / demo["before"]}
    print(aligned([["", *sources, "ratio"], _row("epoch", best, ratios), _row("demo", demo, ratios)]))
    found = {"epoch_seconds": epochs, "demo_seconds": demo, "ratios": ratios}
    write_result(chosen.output, {**origin(["torch"]), "commits": commits(sources), **found})


def _row(name: str, seconds: dict[str, float], ratios: dict[str, float]) -> list[object]:
    return [name, *(f"{value:.2f}" for value in seconds.values()), f"{ratios[name]:.3f}"]


def changed(epochs: int | None = None) -> list[str]:
    """Return the settings of the demo, with so many epochs if asked for."""
    settings = [*DEMO, *([] if epochs is None else [f"training.epochs={epochs}"])]
    return [part for setting in settings for part in ("--set", setting)]


def training(source: Path, *arguments: str) -> float:
    """Return the CPU time of one training on the demo corpus."""
    with tempfile.TemporaryDirectory() as folder:
        return cpu_seconds(source, "train", "demo", "-o", f"{folder}/run", "--quiet", *arguments)


if __name__ == "__main__":
    main()
