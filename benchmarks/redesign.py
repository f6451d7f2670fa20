"""How large two versions of the package are: settings, modules, lines, and how deep their imports go.

``python -m benchmarks.redesign --sources BEFORE/src AFTER/src --output results/redesign.json``. Nothing is trained.
"""

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.machine import ROOT, aligned, origin, write_result
from benchmarks.versions import commits

TRAINING: Final = "trustag.training"
_MEASURE: Final = re.compile(r"(\d+) modules, ([\d,]+) lines, (\d+) import levels")


def main() -> None:
    """Measure both versions and leave the figures in a file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sources", type=Path, nargs=2, required=True, help="the packages before and after")
    parser.add_argument("--output", type=Path, required=True)
    chosen = parser.parse_args()
    sources = dict(zip(("before", "after"), chosen.sources, strict=True))
    found = {name: {**settings(source), **sizes(source)} for name, source in sources.items()}
    print(aligned([["", *found], *([measure, *values] for measure, values in rows(found))]))
    write_result(chosen.output, {**origin(), "commits": commits(sources), "versions": found})


def rows(found: dict[str, dict[str, Any]]) -> list[tuple[str, list[int]]]:
    """Return every measure with its values in all versions."""
    first = next(iter(found.values()))
    return [(measure, [values[measure] for values in found.values()]) for measure in first]


def settings(source: Path) -> dict[str, int]:
    """Return how many settings a default run has, how many of them are listed without ``--all``."""
    whole = json.loads(_run(source, "-m", "trustag", "recipes", "fast", "--json"))
    listed = json.loads(_run(source, "-m", "trustag", "recipes", "--json"))["settings"]
    of_default = [one for one in listed if one.get("method") in {None, "", whole.get("method", {}).get("name")}]
    return {"settings of a default run": _leaves(whole), "of these listed without --all": len(of_default)}


def _leaves(values: dict[str, Any]) -> int:
    return sum(_leaves(value) if isinstance(value, dict) else 1 for value in values.values())


def sizes(source: Path) -> dict[str, int]:
    """Return modules, lines and import levels of ``training``, modules and lines of the whole package."""
    whole = source.resolve()
    line = _run(source, str(ROOT / "docs" / "import_graph.py"), "--levels", TRAINING, "--source", str(whole))
    measured = _MEASURE.search(line)
    if measured is None:
        raise RuntimeError(f"no measures of {TRAINING}: {line}")
    modules, lines, levels = (int(value.replace(",", "")) for value in measured.groups())
    files = list((whole / "trustag").rglob("*.py"))
    return {
        "modules of training": modules,
        "lines of training": lines,
        "import levels of training": levels,
        "modules of the package": sum(path.name != "__init__.py" for path in files),
        "lines of the package": sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files),
    }


def _run(source: Path, *arguments: str) -> str:
    """Return what Python prints with the package in ``source``."""
    environment = {**os.environ, "PYTHONPATH": str(source.resolve())}
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


if __name__ == "__main__":
    main()
